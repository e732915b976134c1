// Live engine analysis of the shown position.

import { button, element, refill } from "./dom.js";
import { formatMove, parseStandardMove } from "./notation.js";
import { sayPhrase } from "./phrases.js";
import { settings } from "./settings.js";
import { followAnalysis } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {{ score: number, chance: number, moves: string[], wins_in?: number | null }} EngineLine */

/** Delay before a request, in milliseconds: quick steps through a game request the last position only. */
const PAUSE = 250;

/** Number of requested lines, and maximum number of shown moves of each. */
const LINES = 3;
const MOVES_SHOWN = 8;

export class EngineLines {
  /** @param {(moves: Move[]) => void} onTry called with the moves of a line up to the selected one */
  constructor(onTry) {
    this.onTry = onTry;
    /** @type {Position | null} */
    this.position = null;
    this.status = element("span", { class: "engine-status" });
    this.list = element("ol", { class: "engine-lines-list" });
    this.toggle = element(
      "label",
      { class: "switch" },
      element("input", { type: "checkbox", checked: true, on: { change: (/** @type {Event} */ event) => this.turn(/** @type {HTMLInputElement} */ (event.target).checked) } }),
      element("span", {}, text("engine.title")),
    );
    this.element = element(
      "section",
      { class: "card engine-lines", "aria-label": text("engine.title") },
      element("div", { class: "engine-head" }, this.toggle, this.status),
      this.list,
    );
    this.isOn = true;
    /** The lines of the shown position so far, best first. @type {EngineLine[]} */
    this.found = [];
    /** Called when the lines have changed. */
    this.onFound = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.live = followAnalysis({
      onState: (state) => {
        if (state === "open") this.ask();
        else this.status.textContent = text(`live.${state}`);
      },
      onMessage: (message) => this.take(message),
    });
  }

  /** The best move in the shown position, if it is known. */
  get best() {
    return this.position === null || this.found.length === 0 ? null : parseStandardMove(this.found[0].moves[0], this.position.size);
  }

  /** @param {Position} position */
  show(position) {
    if (this.position?.toLine() === position.toLine() && this.position.jumps === position.jumps) return;
    this.position = position;
    this.found = [];
    refill(this.list);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  close() {
    clearTimeout(this.timer);
    this.live.close();
  }

  /** @private @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.found = [];
    this.onFound();
    refill(this.list);
    this.status.textContent = "";
    if (isOn) this.ask();
    else this.live.send({ stop: true });
  }

  /** @private */
  ask() {
    const { position } = this;
    if (!this.isOn || position === null) return;
    const isAsked = position.isOver
      ? this.live.send({ stop: true })
      : this.live.send({ position: position.toLine(), jumps: position.jumps, lines: LINES });
    // The answer may have to wait for other requests, or for the engine to compile.
    if (isAsked) this.status.textContent = position.isOver ? "" : text("engine.waits");
  }

  /** @private @param {{ position: string, depth: number, nodes: number, lines: EngineLine[], refused?: string, phrase?: import("./phrases.js").Phrase }} message */
  take(message) {
    if (message.refused) {
      this.status.textContent = sayPhrase(message.phrase, message.refused);
      return;
    }
    // Skip late answers about an earlier position.
    if (!this.isOn || this.position === null || message.position?.trim() !== this.position.toLine().trim()) return;
    this.status.textContent = text("engine.depth", { depth: message.depth, nodes: message.nodes.toLocaleString(settings().language) });
    this.found = message.lines;
    refill(this.list, ...message.lines.map((line) => this.drawLine(line)));
    this.onFound();
  }

  /** @private @param {EngineLine} line */
  drawLine(line) {
    const position = /** @type {Position} */ (this.position);
    const moves = line.moves.map((move) => parseStandardMove(move, position.size));
    const { notation } = settings();
    return element(
      "li",
      {},
      drawChance(line.chance),
      ...moves.slice(0, MOVES_SHOWN).map((move, index) =>
        button(formatMove(move, notation, position.size), () => this.onTry(moves.slice(0, index + 1)), { class: "ply" }),
      ),
    );
  }
}

/**
 * Returns a winning chance as a bar with its number.
 * @param {number} chance 0 to 1, of the player to move
 */
export function drawChance(chance) {
  const percent = Math.round(100 * chance);
  const shown = element("span", { class: "chance", title: text("engine.chance") }, `${percent} %`);
  shown.style.setProperty("--chance", String(chance));
  return shown;
}
