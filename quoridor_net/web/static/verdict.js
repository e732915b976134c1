// The verdict on a game, or on a player who is out.

import { element, update } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Ply} Ply */
/**
 * What the page shows of the game.
 * @typedef {object} Showing
 * @property {Ply | null} last the last shown ply
 * @property {boolean} isAtEnd whether all plies are shown
 * @property {boolean} isWaiting whether the game has not started yet
 * @property {string} gone a sentence if the server does not have the game; otherwise empty
 * @property {(player: number) => string | null} nameOf returns a player's name; null for the reader
 * @property {number} reader the reader's player number; 0 for spectators
 */

export class Verdict {
  constructor() {
    this.element = element("div", { class: "verdict", role: "status" });
    /** The result, or that the game is gone, in a few words; otherwise empty. */
    this.headline = "";
  }

  /** @param {Game} game @param {Showing} showing */
  show(game, { last, isAtEnd, isWaiting, gone, nameOf, reader }) {
    const { result } = game;
    this.headline = result === null ? "" : sayResult(result, game.plies.at(-1) ?? null, { nameOf, reader });
    const isGone = gone !== "";
    const farewell = isGone && element("p", {}, text("game.gone_why"), " ", element("a", { href: "#/" }, text("game.start_page")));
    if (result !== null && isAtEnd) {
      update(
        this.element,
        element("strong", {}, this.headline),
        element("span", { class: "verdict-reason" }, text(`termination.${result.termination}`)),
        // The headline is enough for a reached goal.
        result.termination !== "goal" && element("p", {}, game.say(result)),
        result.line !== "" && element("code", {}, result.line),
        farewell,
      );
      this.element.className = "verdict ended";
    } else if (last !== null && last.out !== null && game.names.length > 2) {
      // Of two players, the end follows at once, and its verdict would push this one away.
      const { player, out } = last;
      const name = nameOf(player);
      const hint = out.hint === "" ? "" : game.say({ phrase: out.hintPhrase, sentence: out.hint });
      update(
        this.element,
        element("strong", {}, name === null ? text("result.you_out") : text("result.out", { name })),
        element("span", { class: "verdict-reason" }, text(`termination.${out.termination}`)),
        element("p", {}, game.say(out)),
        hint !== "" && element("p", {}, hint),
        farewell,
      );
      this.element.className = "verdict fault";
    } else {
      this.headline = gone;
      update(this.element, isGone && element("strong", {}, gone), farewell || (isWaiting && element("p", {}, text("game.waiting"))));
      this.element.className = isWaiting || isGone ? "verdict waiting" : "verdict empty";
    }
  }
}

/**
 * @param {import("./game.js").Result} result
 * @param {Ply | null} last the last ply of the game
 * @param {Pick<Showing, "nameOf" | "reader">} showing
 */
function sayResult({ winner, termination }, last, { nameOf, reader }) {
  // With two players, the last fault is the reason.
  const loser = last?.out?.termination === termination ? last.player : 0;
  if (winner === null && loser !== 0) return loser === reader ? text("result.you_out") : text("result.out", { name: nameOf(loser) ?? "" });
  if (winner === null) return text(termination === "aborted" ? "result.void" : "result.drawn");
  const name = nameOf(winner);
  if (name === null) return text("result.you_win");
  const hasGivenUp = termination === "resigned" && loser === reader && reader !== 0;
  return text(hasGivenUp ? "result.you_resigned" : "result.wins", { name });
}
