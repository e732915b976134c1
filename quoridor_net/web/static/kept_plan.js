// The move that the reader plans at a seat, kept until the window closes, so that it survives a reload.

import { formatMove, parseLanMove } from "./notation.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {{ move: Move, ply: number }} Plan */

const KEPT_PLAN = "quoridor.plan";

/**
 * Keeps the plan for a seat in a game; null forgets it.
 * @param {string} token
 * @param {number} game
 * @param {Plan | null} plan
 * @param {number} size size of the board
 */
export function keepPlan(token, game, plan, size) {
  try {
    if (plan === null) globalThis.sessionStorage.removeItem(KEPT_PLAN);
    else {
      const kept = { token, game, ply: plan.ply, move: formatMove(plan.move, "lan", size) };
      globalThis.sessionStorage.setItem(KEPT_PLAN, JSON.stringify(kept));
    }
  } catch {
    // Some browsers keep nothing, by the reader's choice.
  }
}

/**
 * Returns the kept plan for a seat in a game, if there is one.
 * @param {string} token
 * @param {number} game
 * @returns {Plan | null}
 */
export function loadPlan(token, game) {
  try {
    const kept = JSON.parse(globalThis.sessionStorage.getItem(KEPT_PLAN) ?? "{}");
    return kept.token === token && kept.game === game ? { move: parseLanMove(kept.move), ply: kept.ply } : null;
  } catch {
    return null;
  }
}
