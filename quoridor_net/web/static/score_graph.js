// A graph of the winning chances of a game, on which the reader can select a ply.

import { svgElement, element, refill } from "./dom.js";
import { text } from "./texts.js";

/**
 * The analysis of a ply, as in `quoridor analyze --json`.
 * @typedef {object} PlyAnalysis
 * @property {number} ply
 * @property {number} player
 * @property {string | null} move
 * @property {number | null} score
 * @property {number | null} chance winning chance, after the move, of the player who made it
 * @property {number | null} [wins_in]
 * @property {{ moves: string[], score: number, chance: number, wins_in: number | null }[]} best
 * @property {number | null} loss
 * @property {"inaccuracy" | "mistake" | "blunder" | null} mark
 */

/** Size of the drawing, in its own units. */
const WIDTH = 600;
const HEIGHT = 120;

export class ScoreGraph {
  /** @param {(count: number) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    /** Number of plies of the game. */
    this.length = 0;
    this.players = 2;
    this.count = 0;
    this.curves = svgElement("g");
    this.here = svgElement("line", { class: "graph-here", y1: 0, y2: HEIGHT });
    this.drawing = svgElement(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      svgElement("line", { class: "graph-even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      this.curves,
      this.here,
    );
    this.marks = element("div", { class: "graph-marks", "aria-hidden": "true" });
    this.element = element(
      "div",
      {
        class: "score-graph",
        role: "slider",
        tabindex: "0",
        "aria-label": text("graph.title"),
        "aria-valuemin": 0,
        on: {
          click: (/** @type {MouseEvent} */ event) => this.press(event),
          keydown: (/** @type {KeyboardEvent} */ event) => this.type(event),
        },
      },
      this.drawing,
      this.marks,
    );
  }

  /**
   * @param {number} length number of plies of the game
   * @param {number} players
   * @param {PlyAnalysis[]} plies the analysed plies
   */
  show(length, players, plies) {
    this.length = length;
    this.players = players;
    this.element.setAttribute("aria-valuemax", String(length));
    refill(this.curves, ...(players === 2 ? this.drawArea(plies) : this.drawLines(plies)));
    refill(
      this.marks,
      ...plies.filter((ply) => ply.mark !== null).map((ply) => this.drawMark(ply)),
    );
  }

  /**
   * @param {number} count number of the ply shown on the board
   * @param {string} said description of that ply
   */
  select(count, said) {
    this.count = count;
    const x = this.across(count);
    this.here.setAttribute("x1", String(x));
    this.here.setAttribute("x2", String(x));
    this.element.setAttribute("aria-valuenow", String(count));
    this.element.setAttribute("aria-valuetext", said);
  }

  /** @private @param {number} ply */
  across(ply) {
    return this.length === 0 ? 0 : (ply / this.length) * WIDTH;
  }

  /**
   * Returns the area under the chance of player 1, for two players.
   * @private
   * @param {PlyAnalysis[]} plies
   */
  drawArea(plies) {
    const points = plies
      .filter((ply) => ply.chance !== null)
      .map((ply) => `${this.across(ply.ply).toFixed(1)},${(HEIGHT * (1 - chanceOfFirst(ply))).toFixed(1)}`);
    if (points.length === 0) return [];
    // The game starts even.
    points.unshift(`0,${HEIGHT / 2}`);
    const area = `0,${HEIGHT} ${points.join(" ")} ${points[points.length - 1].split(",")[0]},${HEIGHT}`;
    return [
      svgElement("polygon", { class: "graph-area", points: area }),
      svgElement("polyline", { class: "graph-line", points: points.join(" ") }),
    ];
  }

  /** @private @param {PlyAnalysis[]} plies */
  drawLines(plies) {
    return [1, 2, 3, 4].map((player) => {
      const own = plies.filter((ply) => ply.player === player && ply.chance !== null);
      const points = own.map((ply) => `${this.across(ply.ply).toFixed(1)},${(HEIGHT * (1 - (ply.chance ?? 0))).toFixed(1)}`);
      return svgElement("polyline", { class: `graph-line pawn-${player}`, points: points.join(" ") });
    });
  }

  /** @private @param {PlyAnalysis} ply */
  drawMark(ply) {
    const chance = this.players === 2 ? chanceOfFirst(ply) : (ply.chance ?? 0);
    const dot = element("i", { class: `graph-mark ${ply.mark} pawn-${ply.player}` });
    dot.style.left = `${(100 * ply.ply) / Math.max(this.length, 1)}%`;
    dot.style.top = `${100 * (1 - chance)}%`;
    return dot;
  }

  /** @private @param {MouseEvent} event */
  press(event) {
    const box = this.element.getBoundingClientRect();
    this.onChoose(Math.round(((event.clientX - box.left) / box.width) * this.length));
  }

  /** @private @param {KeyboardEvent} event */
  type(event) {
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: this.count - 1,
      ArrowDown: this.count - 1,
      ArrowRight: this.count + 1,
      ArrowUp: this.count + 1,
      PageDown: this.count - 10,
      PageUp: this.count + 10,
      Home: 0,
      End: this.length,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    this.onChoose(targets[event.key]);
  }
}

/**
 * Returns the winning chance of player 1, for two players.
 * @param {PlyAnalysis} ply
 */
function chanceOfFirst(ply) {
  const chance = ply.chance ?? 0.5;
  return ply.player === 1 ? chance : 1 - chance;
}
