// The drawing of the board, in layers.

import { BoardPicture } from "./board_picture.js";
import { BoardMeasure, drawArrow, drawCoordinates, drawGround, drawPath, drawPawn, drawWall } from "./board_shapes.js";
import { svgElement, refill } from "./dom.js";
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

export class BoardDrawing {
  /** @param {boolean} isSmall whether it is one of many, without coordinates */
  constructor(isSmall) {
    this.isSmall = isSmall;
    this.measure = new BoardMeasure(9, new BoardPicture("standard", false));
    /** @type {Map<number, SVGElement>} */
    this.pawns = new Map();
    /** The drawn walls, by key and owner. @type {Map<string, SVGElement>} */
    this.walls = new Map();
    this.layers = {
      ground: svgElement("g"),
      marks: svgElement("g"),
      paths: svgElement("g"),
      walls: svgElement("g"),
      steps: svgElement("g"),
      hint: svgElement("g"),
      pawns: svgElement("g"),
      preview: svgElement("g"),
    };
    this.svg = svgElement("svg", { class: "board-drawing", "aria-hidden": "true" }, ...Object.values(this.layers));
  }

  /**
   * Draws an empty board for `position`.
   * @param {Position} position
   * @param {BoardPicture} picture
   */
  lay(position, picture) {
    this.measure = new BoardMeasure(position.size, picture);
    const { side } = this.measure;
    this.svg.setAttribute("viewBox", this.isSmall ? `12 12 ${side - 24} ${side - 24}` : `0 0 ${side} ${side}`);
    refill(this.layers.ground, drawGround(this.measure, position.order), !this.isSmall && drawCoordinates(this.measure));
    refill(this.layers.pawns);
    this.pawns.clear();
    refill(this.layers.walls);
    this.walls.clear();
    for (const player of position.order) {
      const pawn = drawPawn(player);
      this.pawns.set(player, pawn);
      this.layers.pawns.append(pawn);
    }
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
    for (const [player, pawn] of this.pawns) {
      const square = position.pawn(player);
      pawn.classList.toggle("out", square === null);
      pawn.classList.toggle("to-move", position.turn === player);
      pawn.classList.toggle("winner", position.winner === player);
      if (square === null) continue;
      const { x, y } = this.measure.centre(square);
      pawn.style.transform = `translate(${x}px, ${y}px)`;
    }
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
