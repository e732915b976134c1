// Maps pointer and keyboard input on a board to moves.

import { GAP, MARGIN, PITCH, SQUARE } from "./board_shapes.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./moves.js").Orientation} Orientation */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./board_shapes.js").BoardMeasure} BoardMeasure */

/** Maximum distance from the middle of a gap at which a mouse selects a wall, in units of the drawing. */
export const MOUSE_REACH = GAP / 2 + 5;

/** Half the width of a target that a finger can hit, in CSS pixels. */
const FINGER = 12;

/**
 * Returns the maximum distance from the middle of a gap at which a finger selects a wall, in units of the drawing.
 * @param {number} scale units in a CSS pixel
 */
export function touchReach(scale) {
  return Math.min(Math.max(GAP / 2 + 9, FINGER * scale), PITCH / 2 - 5);
}

/**
 * Returns the move at a point of the drawing, or null outside of the squares.
 * @param {Position} position
 * @param {BoardMeasure} measure
 * @param {{ x: number, y: number }} point
 * @param {number} reach maximum distance from the middle of a gap, in units of the drawing
 * @param {boolean} isTouch whether the pointer is a finger: then the whole of a marked square is a step
 * @returns {Move | null}
 */
export function moveAt(position, measure, point, reach, isTouch) {
  const { size } = measure;
  // In squares, with the middle of the gap behind square n at n + 1.
  const x = (point.x - MARGIN + GAP / 2) / PITCH;
  const y = (point.y - MARGIN + GAP / 2) / PITCH;
  if (x < 0 || y < 0 || x >= size || y >= size) return null;
  const [fromColumn, fromRow] = [distanceFromGap(x, size), distanceFromGap(y, size)];
  const square = measure.picture.place({ column: Math.floor(x), row: Math.floor(y) }, size - 1);
  /** @type {Move} */
  const step = { kind: "step", ...square };
  const nearest = Math.min(fromColumn, fromRow) * PITCH;
  // The walls beside a marked square can be reached from the gap or from its other side.
  if (nearest > reach || (isTouch && nearest > GAP / 2 && position.isLegal(step))) return step;
  const orientation = fromColumn < fromRow ? "v" : "h";
  const [across, along] = orientation === "v" ? [x, y] : [y, x];
  return wallNear(position, measure, orientation, Math.round(across) - 1, along);
}

/**
 * Returns one of the two walls that close the gap under the pointer: the one whose middle is nearer, or the
 * other if only that one is legal.
 * @param {Position} position
 * @param {BoardMeasure} measure
 * @param {Orientation} orientation
 * @param {number} gap
 * @param {number} along position of the pointer along the gap, in squares
 * @returns {Move}
 */
function wallNear(position, measure, orientation, gap, along) {
  const last = measure.size - 2;
  const square = Math.floor(along);
  const nearer = along - square < 0.5 ? square - 1 : square;
  const other = nearer === square ? square - 1 : square;
  const walls = [nearer, other].map((start) => {
    const [column, row] = orientation === "v" ? [gap, start] : [start, gap];
    const place = measure.picture.place({ column: clamp(column, last), row: clamp(row, last) }, last);
    return /** @type {Move} */ ({ kind: "wall", ...place, orientation });
  });
  return walls.find((wall) => position.isLegal(wall)) ?? walls[0];
}

/** The keyboard cursor on a board: on a square, in a gap, or where gaps cross. */
export class BoardCursor {
  /** @param {number} size */
  constructor(size) {
    this.last = 2 * size - 2;
    /** Coordinates in drawing order: squares are even, gaps odd. */
    this.x = 0;
    this.y = 0;
    /** The orientation of a wall where gaps cross. @type {Orientation} */
    this.orientation = "h";
  }

  /**
   * @param {number} columns
   * @param {number} rows
   */
  go(columns, rows) {
    this.x = clamp(this.x + columns, this.last);
    this.y = clamp(this.y + rows, this.last);
    if (this.x % 2 !== this.y % 2) this.orientation = this.x % 2 === 1 ? "v" : "h";
  }

  /**
   * Selects the wall of an orientation under the cursor, or the one that bears the name of its square.
   * @param {BoardMeasure} measure
   * @param {Orientation} orientation
   */
  lay(measure, orientation) {
    this.orientation = orientation;
    if (this.x % 2 === 0 && this.y % 2 === 0) {
      const last = measure.size - 2;
      const square = measure.picture.place({ column: this.x / 2, row: this.y / 2 }, measure.size - 1);
      const anchor = { column: clamp(square.column, last), row: clamp(square.row, last) };
      const { column, row } = measure.picture.place(anchor, last);
      this.x = 2 * column + 1;
      this.y = 2 * row + 1;
      return;
    }
    const isLyingSo = this.x % 2 === 1 ? this.y % 2 === 1 || orientation === "v" : orientation === "h" && this.y % 2 === 1;
    if (isLyingSo) return;
    if (this.x % 2 === 0) this.x = clamp(this.x + 1, this.last - 1);
    if (this.y % 2 === 0) this.y = clamp(this.y + 1, this.last - 1);
  }

  /**
   * Returns the move under the cursor.
   * @param {BoardMeasure} measure
   * @returns {Move}
   */
  move(measure) {
    const { size } = measure;
    const [column, row] = [Math.floor(this.x / 2), Math.floor(this.y / 2)];
    if (this.x % 2 === 0 && this.y % 2 === 0) return { kind: "step", ...measure.picture.place({ column, row }, size - 1) };
    const place = { column: clamp(column, size - 2), row: clamp(row, size - 2) };
    return { kind: "wall", ...measure.picture.place(place, size - 2), orientation: this.orientation };
  }

  /**
   * Moves the cursor to a square.
   * @param {BoardMeasure} measure
   * @param {import("./moves.js").Square} square
   */
  goTo(measure, square) {
    const { column, row } = measure.picture.place(square, measure.size - 1);
    this.x = 2 * column;
    this.y = 2 * row;
  }

  /** The cursor's place in the drawing. */
  get point() {
    return { x: MARGIN + SQUARE / 2 + (this.x * PITCH) / 2, y: MARGIN + SQUARE / 2 + (this.y * PITCH) / 2 };
  }
}

/**
 * Returns the distance of `place` from the middle of the nearest gap, in squares; the edge is not a gap.
 * @param {number} place
 * @param {number} size
 */
function distanceFromGap(place, size) {
  return Math.abs(place - Math.min(Math.max(Math.round(place), 1), size - 1));
}

/**
 * @param {number} number
 * @param {number} last
 */
function clamp(number, last) {
  return Math.min(Math.max(number, 0), last);
}
