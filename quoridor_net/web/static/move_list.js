// The moves of a game in rows, one column for each player in order of play.

import { element, refill, setText } from "./dom.js";
import { formatMove } from "./notation.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Ply} Ply */

/** Rows in a part. A part without a change is neither laid out nor painted again, and each part has its own cost. */
const PART = 20;

export class MoveList {
  /** @param {(count: number) => void} onChoose called with the number of the selected ply */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.rows = element("div", {});
    this.empty = element("p", { class: "moves-empty" });
    this.element = element("section", { class: "moves", "aria-label": text("moves.title"), tabindex: "0" }, this.rows, this.empty);
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.notation = settings().notation;
    /** Marks of an analysis by ply number. @type {Map<number, { kind: string, label: string }>} */
    this.marks = new Map();
    this.column = -1;
    /** The last row. @type {HTMLElement | null} */
    this.row = null;
    this.rowCount = 0;
    /** The request to scroll in the next frame. */
    this.frame = 0;
    /** @type {Ply | null} */
    this.lastPly = null;
    /** The shown game. @type {Game | null} */
    this.game = null;
    /** The selected ply. @type {HTMLButtonElement | null} */
    this.chosen = null;
    // Other parts, such as lines of the engine, appear later and take space away.
    new ResizeObserver(() => this.scroll()).observe(this.element);
    this.rows.addEventListener("click", (event) => {
      const pressed = /** @type {Element} */ (event.target).closest("button");
      if (pressed !== null) this.onChoose(Number(pressed.dataset.count));
    });
  }

  /**
   * Shows the moves of `game`, and selects ply `count`.
   * @param {Game} game
   * @param {number} count
   */
  show(game, count) {
    const { notation } = settings();
    const isGoingOn = notation === this.notation && this.buttons.length <= game.plies.length && this.lastPly === (game.plies[this.buttons.length - 1] ?? null);
    if (!isGoingOn) this.clear();
    this.notation = notation;
    this.game = game;
    this.rows.style.setProperty("--players", String(game.start.players));
    // Walls are long in the 2016 notation: [(3, 2), h].
    this.rows.classList.toggle("dense", notation === "lan" && game.start.players === 4);
    for (let index = this.buttons.length; index < game.plies.length; index++) this.addPly(game, index);
    setText(this.empty, game.plies.length === 0 ? text("moves.none") : "");
    this.select(count);
  }

  clear() {
    refill(this.rows);
    this.buttons = [];
    this.chosen = null;
    this.column = -1;
    this.row = null;
    this.rowCount = 0;
    this.lastPly = null;
  }

  /**
   * Marks plies by their numbers, from 1.
   * @param {Map<number, { kind: string, label: string }>} marks
   */
  mark(marks) {
    const earlier = this.marks;
    this.marks = marks;
    for (const count of new Set([...earlier.keys(), ...marks.keys()])) {
      const pressed = this.buttons[count - 1];
      if (pressed !== undefined && earlier.get(count)?.kind !== marks.get(count)?.kind) this.drawMark(pressed, count);
    }
  }

  /** @private @param {Game} game @param {number} index */
  addPly(game, index) {
    const ply = game.plies[index];
    const { order } = game.start;
    for (const player of this.lastPly?.passed ?? []) {
      this.place(element("span", { class: "ply passed", title: text("moves.passed", { player }) }, "–"), order.indexOf(player));
    }
    const written = ply.move === null ? text("moves.out") : formatMove(ply.move, settings().notation, game.start.size);
    const pressed = element("button", { type: "button", "data-count": index + 1 }, written);
    this.drawMark(pressed, index + 1);
    this.place(pressed, order.indexOf(ply.player));
    this.buttons.push(pressed);
    this.lastPly = ply;
  }

  /**
   * Puts a cell into its player's column, and starts a new row if necessary.
   * @private
   * @param {HTMLElement} cell
   * @param {number} column
   */
  place(cell, column) {
    if (column <= this.column || this.row === null) {
      const count = this.rowCount++;
      const number = element("span", { class: "moves-number" }, String(count + 1));
      this.row = element("div", { class: "moves-row" }, number);
      if (count % PART === 0) this.rows.append(element("div", { class: "moves-part" }));
      this.rows.lastElementChild?.append(this.row);
    }
    this.column = column;
    cell.style.gridColumn = String(column + 2);
    this.row.append(cell);
  }

  /**
   * Describes a ply, with its mark.
   * @private
   * @param {HTMLButtonElement} pressed
   * @param {number} count
   */
  drawMark(pressed, count) {
    const game = /** @type {Game} */ (this.game);
    const ply = game.plies[count - 1];
    const mark = this.marks.get(count);
    const label = text("moves.label", { number: ply.number, player: ply.player, move: pressed.textContent ?? "" });
    pressed.className = `ply ${ply.move === null ? "out" : ply.move.kind === "wall" ? `of-wall ${ply.move.orientation}` : "of-step"} ${mark?.kind ?? ""}`;
    pressed.setAttribute("aria-label", mark ? `${label}, ${mark.label}` : label);
    pressed.title = (ply.out === null ? mark?.label : game.say(ply.out)) ?? "";
  }

  /** @private @param {number} count */
  select(count) {
    const chosen = this.buttons[count - 1] ?? null;
    if (chosen !== this.chosen) {
      this.chosen?.removeAttribute("aria-current");
      chosen?.setAttribute("aria-current", "true");
      this.chosen = chosen;
    }
    this.scroll();
  }

  /**
   * Shows the selected ply in the middle, from the next frame on. Sooner, the page would be laid out twice.
   * @private
   */
  scroll() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const row = this.chosen?.parentElement ?? null;
      if (row === null) {
        this.element.scrollTop = 0;
        return;
      }
      // Not scrollIntoView, which would scroll the whole page on a phone; and by whole rows, so that none is cut off.
      const { top, height } = row.getBoundingClientRect();
      const above = top - this.rows.getBoundingClientRect().top - (this.element.clientHeight - height) / 2;
      this.element.scrollTop = Math.round(above / height) * height;
    });
  }
}
