// A player beside the board: name, walls left, distance, clock and outcome.

import { drawPawnIcon } from "./board_shapes.js";
import { element, refill, setText } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./game.js").Game} Game */

export class PlayerPanel {
  /** @param {number} player */
  constructor(player) {
    this.player = player;
    /** Whether the player is thinking with little time left. */
    this.isHurried = false;
    /** Number of walls at the start. */
    this.all = -1;
    this.name = element("strong", { class: "player-name" });
    this.status = element("span", { class: "player-status" });
    this.walls = element("span", { class: "player-walls" });
    this.distance = element("span", { class: "player-distance" });
    this.clock = element("span", { class: "player-clock", role: "timer", "aria-live": "off" });
    this.left = element("span", { class: "player-time-left", "aria-hidden": "true" });
    this.element = element(
      "section",
      { class: `player pawn-${player}` },
      drawPawnIcon(player),
      element("div", { class: "player-who" }, this.name, this.status),
      this.clock,
      element("div", { class: "player-facts" }, this.walls, this.distance),
      this.left,
    );
  }

  /**
   * @param {Game} game
   * @param {number} count number of plies shown
   * @param {object} options
   * @param {string} options.name name of the player
   * @param {boolean} options.isLatest whether all plies of the game are shown
   */
  show(game, count, { name, isLatest }) {
    const { player } = this;
    const position = game.positionAt(count);
    setText(this.name, name);
    this.name.title = name;
    this.element.setAttribute("aria-label", text("player.label", { player, name }));
    const leaving = game.leaving(player, count);
    const hasWon = isLatest && game.result?.winner === player;
    const isOver = isLatest && (game.result !== null || game.isGone);
    this.element.classList.toggle("to-move", game.hasStarted && position.turn === player && !isOver);
    this.element.classList.toggle("out", leaving !== null);
    this.element.classList.toggle("won", hasWon);
    setText(this.status, hasWon ? text("player.won") : leaving?.out ? text(`termination.${leaving.out.termination}`) : "");
    this.status.title = leaving?.out ? game.say(leaving.out) : "";
    this.showWalls(position.wallsLeft[player - 1] ?? 0, game.start.wallsLeft[player - 1] ?? 0);
    const distance = position.distance(player);
    if (distance) this.distance.dataset.count = String(distance);
    else delete this.distance.dataset.count;
    setText(this.distance, distance === null ? "" : distance === 0 ? text("player.arrived") : text("player.distance", { count: distance }));
  }

  /**
   * @param {Game} game
   * @param {number} count
   * @param {boolean} isLatest
   * @param {number} now time in milliseconds, on the clock used for `Game.add`
   */
  tick(game, count, isLatest, now) {
    const isThinking = isLatest && game.thinking?.player === this.player;
    const thought = isThinking && game.thinking !== null ? Math.max(0, (now - game.thinking.since) / 1000) : 0;
    const isFirst = game.isFirst(this.player, count);
    const left = (isThinking ? game.thinking?.left : null) ?? game.timeLeft(this.player, count);
    const onClock = left === null ? null : Math.max(0, left - (isFirst ? 0 : thought));
    // The limit of this move: its own, or the rest of the clock if that is less.
    const moveTime = isFirst ? game.firstMoveTime : game.moveTime;
    const limit = isFirst || left === null ? moveTime : Math.min(left, moveTime ?? left);
    // Setting `hidden` would restyle the element even if nothing changes.
    this.left.toggleAttribute("hidden", !isThinking || limit === null);
    if (isThinking && limit !== null) {
      const remaining = Math.max(0, limit - thought);
      // Each value repaints the page, and finer steps than this are invisible.
      this.left.style.setProperty("--left", (remaining / Math.max(limit, 0.001)).toFixed(3));
      this.isHurried = remaining < Math.min(5, limit / 4);
      this.element.classList.toggle("hurries", this.isHurried);
      const shown = onClock ?? remaining;
      setText(this.clock, formatClock(shown, shown < 10));
      return;
    }
    this.isHurried = false;
    this.element.classList.remove("hurries");
    if (onClock !== null) setText(this.clock, formatClock(onClock, onClock < 10));
    else setText(this.clock, game.isTimed ? formatClock(game.secondsUsed(this.player, count) + thought, false) : "");
  }

  /** @private @param {number} left @param {number} all */
  showWalls(left, all) {
    const label = text("player.walls", { count: left });
    if (this.walls.title === label && this.all === all) return;
    this.all = all;
    this.walls.setAttribute("aria-label", label);
    this.walls.setAttribute("role", "img");
    this.walls.title = label;
    const bars = [];
    // More bars do not fit beside a name, so only the number is shown.
    if (all <= 12) {
      for (let bar = 0; bar < all; bar++) bars.push(element("i", { class: bar < left ? "bar" : "bar used" }));
    }
    refill(this.walls, ...bars, element("b", {}, String(left)));
  }
}

/**
 * Formats seconds as `0:07`, `12:30` or `1:02:03`, optionally with tenths.
 * @param {number} seconds
 * @param {boolean} hasTenths
 */
export function formatClock(seconds, hasTenths) {
  const whole = Math.floor(seconds);
  const tenths = hasTenths ? `.${Math.floor((seconds - whole) * 10)}` : "";
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const padded = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const head = hours > 0 ? `${hours}:${padded(minutes)}` : String(minutes);
  return `${head}:${padded(whole % 60)}${tenths}`;
}
