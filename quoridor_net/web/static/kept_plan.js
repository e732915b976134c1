// The move that the reader plans at a seat. All pages of this browser at the seat share it, also after a reload.

import { formatMove, parseLanMove } from "./notation.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {{ move: Move, ply: number }} Plan */
/** @typedef {{ token: string, game: number, ply: number, move: string }} KeptPlan */

const KEPT_PLANS = "quoridor-plans";

/** Number of seats whose plans are kept. */
const MOST_PLANS = 20;

/** The plans of this page alone, for browsers that keep nothing, by the reader's choice. @type {KeptPlan[]} */
let unkept = [];

/**
 * Keeps the plan for a seat in a game, in place of the one before; null forgets it.
 * @param {string} token
 * @param {number} game
 * @param {Plan | null} plan
 * @param {number} size size of the board
 */
export function keepPlan(token, game, plan, size) {
  const plans = readPlans().filter((kept) => kept.token !== token);
  if (plan !== null) plans.push({ token, game, ply: plan.ply, move: formatMove(plan.move, "lan", size) });
  unkept = plans.slice(-MOST_PLANS);
  try {
    localStorage.setItem(KEPT_PLANS, JSON.stringify(unkept));
  } catch {
    // This page keeps them.
  }
}

/**
 * Returns the kept plan for a seat in a game, if there is one.
 * @param {string} token
 * @param {number} game
 * @returns {Plan | null}
 */
export function loadPlan(token, game) {
  const kept = readPlans().find((plan) => plan.token === token && plan.game === game);
  return kept === undefined ? null : { move: parseLanMove(kept.move), ply: kept.ply };
}

/**
 * Calls `listener` when another page has changed a plan, until the returned function is called.
 * @param {() => void} listener
 */
export function onPlan(listener) {
  const hear = (/** @type {StorageEvent} */ event) => {
    if (event.key === KEPT_PLANS) listener();
  };
  globalThis.addEventListener("storage", hear);
  return () => globalThis.removeEventListener("storage", hear);
}

/** @returns {KeptPlan[]} */
function readPlans() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_PLANS) ?? "[]");
  } catch {
    return unkept;
  }
}
