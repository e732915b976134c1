// The moves of a game in rows, one column for each player in order of play.

import { element, refill } from "./dom.js";
import { formatMove } from "./notation.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Ply} Ply */

export class MoveList {
  /** @param {(count: number) => void} onChoose called with the number of the selected ply */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.rows = element("div", { class: "moves-rows" });
    this.empty = element("p", { class: "moves-empty" });
    this.element = element("section", { class: "moves", "aria-label": text("moves.title"), tabindex: "0" }, this.rows, this.empty);
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.notation = settings().notation;
    /** Marks of an analysis by ply number. @type {Map<number, { kind: string, label: string }>} */
    this.marks = new Map();
    this.column = -1;
    this.row = 0;
    /** @type {Ply | null} */
    this.lastPly = null;
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
    this.rows.style.setProperty("--players", String(game.start.players));
    // Walls are long in the 2016 notation: [(3, 2), h].
    this.rows.classList.toggle("dense", notation === "lan" && game.start.players === 4);
    for (let index = this.buttons.length; index < game.plies.length; index++) this.addPly(game, index);
    this.empty.textContent = game.plies.length === 0 ? text("moves.none") : "";
    this.select(count);
  }

  clear() {
    refill(this.rows);
    this.buttons = [];
    this.column = -1;
    this.row = 0;
    this.lastPly = null;
  }

  /**
   * Marks plies by their numbers, from 1.
   * @param {Map<number, { kind: string, label: string }>} marks
   */
  mark(marks) {
    this.marks = marks;
    this.clear();
  }

  /** @private @param {Game} game @param {number} index */
  addPly(game, index) {
    const ply = game.plies[index];
    const { order } = game.start;
    for (const player of this.lastPly?.passed ?? []) {
      this.place(element("span", { class: "ply passed", title: text("moves.passed", { player }) }, "–"), order.indexOf(player));
    }
    const pressed = this.drawPly(game, ply, index + 1);
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
    if (column <= this.column || this.row === 0) {
      this.row += 1;
      const number = element("span", { class: "moves-number" }, String(this.row));
      number.style.gridRow = String(this.row);
      this.rows.append(number);
    }
    this.column = column;
    cell.style.gridRow = String(this.row);
    cell.style.gridColumn = String(column + 2);
    this.rows.append(cell);
  }

  /** @private @param {Game} game @param {Ply} ply @param {number} count */
  drawPly(game, ply, count) {
    const mark = this.marks.get(count);
    const written = ply.move === null ? text("moves.out") : formatMove(ply.move, settings().notation, game.start.size);
    const kind = ply.move === null ? "out" : `of-${ply.move.kind}`;
    const label = text("moves.label", { number: ply.number, player: ply.player, move: written });
    return element(
      "button",
      {
        type: "button",
        class: `ply ${kind} ${mark?.kind ?? ""}`,
        "data-count": count,
        "aria-label": mark ? `${label}, ${mark.label}` : label,
        title: ply.out === null ? mark?.label : game.say(ply.out),
      },
      written,
    );
  }

  /** @private @param {number} count */
  select(count) {
    this.rows.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.buttons[count - 1]?.setAttribute("aria-current", "true");
    this.scroll();
  }

  /**
   * Shows the selected ply in the middle.
   * @private
   */
  scroll() {
    const chosen = /** @type {HTMLElement | null} */ (this.rows.querySelector("[aria-current]"));
    // Not scrollIntoView, which would scroll the whole page on a phone.
    const middle = (this.element.clientHeight - (chosen?.offsetHeight ?? 0)) / 2;
    this.element.scrollTop = chosen ? chosen.offsetTop - middle : 0;
  }
}
