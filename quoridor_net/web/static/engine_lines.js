// Live engine analysis of the shown position.

import { arrange, button, element, setText } from "./dom.js";
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
  /**
   * @param {(moves: Move[]) => void} onTry called with the moves of a line up to the selected one
   * @param {HTMLElement} other element that gets the focus of a move that goes
   */
  constructor(onTry, other) {
    this.onTry = onTry;
    this.other = other;
    /** @type {Position | null} */
    this.position = null;
    this.status = element("span", { class: "engine-status" });
    this.list = element("ol", { class: "engine-lines-list" });
    this.rows = Array.from({ length: LINES }, () => this.drawRow());
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
    /** Draws the lines after a press. @type {ReturnType<typeof setTimeout> | undefined} */
    this.redraw = undefined;
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
    this.drawLines();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.redraw);
    this.live.close();
  }

  /** @private @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.found = [];
    this.onFound();
    this.drawLines();
    this.status.textContent = "";
    if (isOn) this.ask();
    else this.live.send({ stop: true });
  }

  /** @private */
  ask() {
    // Otherwise a connection that opens during the pause would ask twice.
    clearTimeout(this.timer);
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
    this.found = message.lines.slice(0, LINES);
    this.drawLines();
    this.onFound();
  }

  /**
   * Returns an empty row, whose elements stay when another line takes it.
   * @private
   */
  drawRow() {
    /** @type {Move[]} */
    const moves = [];
    const plies = Array.from({ length: MOVES_SHOWN }, (_, index) => button("", () => this.onTry(moves.slice(0, index + 1)), { class: "ply" }));
    // The focus has scrolled to a move that has no room otherwise.
    const row = element("li", { on: { focusout: () => (row.scrollTop = 0) } });
    return { moves, plies, chance: drawChance(0), element: row };
  }

  /** Writes the lines into the rows. @private */
  drawLines() {
    clearTimeout(this.redraw);
    // A press is for the move that it began on.
    if (this.found.length > 0 && this.list.matches(":active")) {
      this.redraw = setTimeout(() => this.drawLines(), PAUSE);
      return;
    }
    const { notation } = settings();
    const size = this.position?.size ?? 0;
    for (const [place, line] of this.found.entries()) {
      const row = this.rows[place];
      row.moves.splice(0, Infinity, ...line.moves.map((move) => parseStandardMove(move, size)));
      const plies = row.plies.slice(0, line.moves.length);
      for (const [index, ply] of plies.entries()) setText(ply, formatMove(row.moves[index], notation, size));
      writeChance(row.chance, line.chance);
      arrange(row.element, this.other, row.chance, ...plies);
    }
    arrange(this.list, this.other, ...this.rows.slice(0, this.found.length).map((row) => row.element));
  }
}

/**
 * Returns a winning chance as a bar with its number.
 * @param {number} chance 0 to 1, of the player to move
 */
export function drawChance(chance) {
  const shown = element("span", { class: "chance", title: text("engine.chance") });
  writeChance(shown, chance);
  return shown;
}

/** @param {HTMLElement} shown @param {number} chance */
function writeChance(shown, chance) {
  setText(shown, `${Math.round(100 * chance)} %`);
  shown.style.setProperty("--chance", String(chance));
}
