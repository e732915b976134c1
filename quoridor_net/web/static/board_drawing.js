// The drawing of the board, in layers.

import { BoardPicture } from "./board_picture.js";
import { BoardMeasure, drawArrow, drawCoordinates, drawGround, drawPath, drawPawn, drawWall } from "./board_shapes.js";
import { element, svgElement, refill } from "./dom.js";
import { isSameMove, wallKey } from "./moves.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./moves.js").Square} Square */
/**
 * Marks shown on a position.
 * @typedef {object} Marks
 * @property {Move | null} [last] the last move
 * @property {Square | null} [from] the square that its pawn left
 * @property {{ move: Move, player: number } | null} [refused] an illegal move
 * @property {Move | null} [hint] a suggested move
 * @property {Move | null} [best] the best move that an engine found
 * @property {Move | null} [pending] a move that the server has not confirmed
 * @property {{ move: Move, player: number } | null} [draft] a move that the reader planned or has to confirm
 */

/** Milliseconds from the start of a step to its end, to the cancelling of its animation, and to the end of an uncancelled one. */
const [GLIDE, HELD, ANIMATION] = [220, 1000, 60_000];

export class BoardDrawing {
  /** @param {boolean} isSmall whether it is one of many, without coordinates */
  constructor(isSmall) {
    this.isSmall = isSmall;
    this.measure = new BoardMeasure(9, new BoardPicture("standard", false));
    /** @type {Map<number, SVGElement>} */
    this.pawns = new Map();
    /** The places of the drawn pawns. @type {WeakMap<SVGElement, { x: number, y: number }>} */
    this.places = new WeakMap();
    /** The last animations, by the drawing that they move. @type {Map<Element, Animation>} */
    this.glides = new Map();
    /** Side of the drawn part of the board, in units of the drawing. */
    this.side = 0;
    /** The drawn walls, by key and owner. @type {Map<string, SVGElement>} */
    this.walls = new Map();
    this.layers = {
      ground: svgElement("g"),
      marks: svgElement("g"),
      paths: svgElement("g"),
      walls: svgElement("g"),
      steps: svgElement("g"),
      hint: svgElement("g"),
      preview: svgElement("g"),
    };
    const { preview, ...lower } = this.layers;
    /** A drawing for each pawn, because a browser moves a whole one without drawing it again. */
    this.sheets = element("div", { class: "pawns" });
    const [below, above] = [svgElement("svg", {}, ...Object.values(lower)), svgElement("svg", {}, preview)];
    this.element = element("div", { class: "board-drawing", "aria-hidden": "true" }, below, this.sheets, above);
  }

  /**
   * Draws an empty board for `position`.
   * @param {Position} position
   * @param {BoardPicture} picture
   */
  lay(position, picture) {
    this.measure = new BoardMeasure(position.size, picture);
    const start = this.isSmall ? 12 : 0;
    this.side = this.measure.side - 2 * start;
    refill(this.layers.ground, drawGround(this.measure, position.order), !this.isSmall && drawCoordinates(this.measure));
    refill(this.layers.walls);
    this.walls.clear();
    this.glides.clear();
    this.pawns = new Map(position.order.map((player) => [player, drawPawn(player)]));
    refill(this.sheets, ...[...this.pawns.values()].map((pawn) => svgElement("svg", {}, pawn)));
    for (const sheet of this.element.querySelectorAll("svg")) sheet.setAttribute("viewBox", `${start} ${start} ${this.side} ${this.side}`);
  }

  /**
   * Draws the walls of `position`, and leaves those alone that are drawn already.
   * @param {Position} position
   * @param {Marks} marks
   * @param {boolean} hasNew whether further walls are new; otherwise the board is
   */
  drawWalls(position, marks, hasNew) {
    /** @type {Map<string, SVGElement>} */
    const shown = new Map();
    for (const wall of position.walls) {
      const owner = position.owner(wall);
      const name = `${wallKey(wall)} ${owner}`;
      let drawn = this.walls.get(name);
      if (drawn === undefined) {
        drawn = drawWall(this.measure, wall, hasNew ? "new" : "", owner);
        this.layers.walls.append(drawn);
      }
      drawn.classList.toggle("last", isSameMove(wall, marks.last ?? null));
      shown.set(name, drawn);
    }
    for (const [name, drawn] of this.walls) if (!shown.has(name)) drawn.remove();
    this.walls = shown;
  }

  /** @param {Position} position */
  placePawns(position) {
    // Together with the move, so that it costs nothing.
    for (const glide of this.glides.values()) if (Number(glide.currentTime) > GLIDE) glide.cancel();
    for (const [player, pawn] of this.pawns) {
      const square = position.pawn(player);
      pawn.classList.toggle("out", square === null);
      pawn.classList.toggle("to-move", position.turn === player);
      pawn.classList.toggle("winner", position.winner === player);
      if (square === null) continue;
      const to = this.measure.centre(square);
      const from = this.places.get(pawn) ?? to;
      this.places.set(pawn, to);
      pawn.style.transform = `translate(${to.x}px, ${to.y}px)`;
      if (from.x !== to.x || from.y !== to.y) this.glide(/** @type {Element} */ (pawn.parentElement), from, to);
    }
  }

  /**
   * Shows a step of a pawn that is drawn at its end. The animation is cancelled before its end, because browsers update a
   * page for each of the last frames of an animation, which would cost more than the rest of a move.
   * @private
   * @param {Element} sheet
   * @param {{ x: number, y: number }} from
   * @param {{ x: number, y: number }} to
   */
  glide(sheet, from, to) {
    if (!sheet.isConnected || globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.glides.get(sheet)?.cancel();
    const [x, y] = [from.x - to.x, from.y - to.y].map((way) => `${(100 * way) / this.side}%`);
    const ended = { transform: "translate(0, 0)" };
    const animation = sheet.animate([{ transform: `translate(${x}, ${y})`, easing: "ease-out" }, { ...ended, offset: GLIDE / ANIMATION }, ended], ANIMATION);
    this.glides.set(sheet, animation);
    // A cancelled one is left alone, because a second cancelling would update the page again.
    setTimeout(() => animation.playState === "idle" || animation.cancel(), HELD);
  }

  /** @param {Position} position @param {Marks} marks */
  drawMarks(position, { last, from, refused, hint, best, pending, draft }) {
    const marks = [];
    if (last?.kind === "step") marks.push(this.drawMark(last, "last"));
    if (from) marks.push(this.drawMark(from, "from"));
    if (refused) marks.push(this.drawGhost(refused.move, "refused", refused.player));
    refill(this.layers.marks, ...marks);
    refill(
      this.layers.hint,
      best && !position.isOver ? this.drawBest(position, best) : null,
      hint ? this.drawGhost(hint, "hint", position.turn || 1) : null,
      draft ? this.drawGhost(draft.move, "pending draft", draft.player) : null,
      pending ? this.drawGhost(pending, "pending", position.turn || 1) : null,
    );
  }

  /**
   * Returns the drawing of the best move: an arrow to a square, or a wall.
   * @private
   * @param {Position} position
   * @param {Move} move
   */
  drawBest(position, move) {
    const pawn = position.pawn(position.turn);
    if (move.kind === "wall") return drawWall(this.measure, move, "ghost best");
    if (pawn === null) return null;
    const [from, to] = [this.measure.centre(pawn), this.measure.centre(move)];
    return drawArrow(from, to, "best");
  }

  /** @private @param {Square} square @param {string} kind */
  drawMark(square, kind) {
    const { x, y } = this.measure.centre(square);
    return svgElement("rect", { class: `mark ${kind}`, x: x - 20.5, y: y - 20.5, width: 41, height: 41, rx: 5 });
  }

  /** @param {Square[]} squares that the reader may step to */
  drawSteps(squares) {
    const dots = squares.map((square) => {
      const { x, y } = this.measure.centre(square);
      return svgElement("circle", { class: "legal-step", cx: x, cy: y, r: 6.5 });
    });
    refill(this.layers.steps, ...dots);
  }

  /** @param {Position} position @param {number[]} players */
  drawPaths(position, players) {
    refill(
      this.layers.paths,
      ...players.map((player) => drawPath(this.measure, position.shortestPath(player), player)),
    );
  }

  /**
   * Returns the drawing of a move that was not made.
   * @param {Move} move
   * @param {string} kind
   * @param {number} player
   */
  drawGhost(move, kind, player) {
    if (move.kind === "wall") return drawWall(this.measure, move, `ghost ${kind} pawn-${player}`);
    const { x, y } = this.measure.centre(move);
    const ghost = drawPawn(player);
    ghost.classList.add("ghost", ...kind.split(" "));
    ghost.style.transform = `translate(${x}px, ${y}px)`;
    return ghost;
  }

  /** @param {SVGElement | null} ghost drawing of the move under the pointer or cursor */
  drawPreview(ghost) {
    refill(this.layers.preview, ghost);
  }

  /** @param {{ x: number, y: number } | null} point place of the keyboard cursor */
  placeCursor(point) {
    this.layers.preview.querySelector(".cursor")?.remove();
    if (point === null) return;
    // A light and a dark ring: one of them stands out from any ground.
    const [casing, ring] = ["cursor-casing", "cursor-ring"].map((name) => svgElement("circle", { class: name, cx: point.x, cy: point.y, r: 12 }));
    this.layers.preview.append(svgElement("g", { class: "cursor" }, casing, ring));
  }
}
