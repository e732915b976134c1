// The notations of moves: standard `e3h`, the 2016 protocol's `[(4, 2), h]`, and Athens `E7 horizontal`.

import { BoardPicture } from "./board_picture.js";
import { readSquare } from "./moves.js";

/** @typedef {"standard" | "lan" | "athens"} Notation */
/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./moves.js").Square} Square */

/** @type {Notation[]} */
export const NOTATIONS = ["standard", "lan", "athens"];

const LAN_STEP = /^\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)$/;
const LAN_WALL = /^\[\s*\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)\s*,\s*([hv])\s*\]$/;
const STANDARD_MOVE = /^([a-y][1-9][0-9]?)([hv]?)$/;

/**
 * Returns `square` in `notation` on a board of `size`.
 * @param {Square} square
 * @param {Notation} notation
 * @param {number} size
 */
export function formatSquare(square, notation, size) {
  const picture = new BoardPicture(notation, false);
  const [column, row] = [picture.columnName(square.column), picture.rowName(square.row, size)];
  return notation === "lan" ? `(${column}, ${row})` : `${column}${row}`;
}

/**
 * Returns `move` in `notation` on a board of `size`.
 * @param {Move} move
 * @param {Notation} notation
 * @param {number} size
 */
export function formatMove(move, notation, size) {
  const square = formatSquare(move, notation, size);
  if (move.kind === "step") return square;
  if (notation === "lan") return `[${square}, ${move.orientation}]`;
  if (notation === "athens") return `${square} ${move.orientation === "h" ? "horizontal" : "vertical"}`;
  return `${square}${move.orientation}`;
}

/**
 * Parses a move in the notation of the 2016 protocol, `(4, 1)` or `[(3, 1), h]`.
 * @param {string} text
 * @returns {Move}
 * @throws {RangeError} the text is not a move
 */
export function parseLanMove(text) {
  const step = LAN_STEP.exec(text);
  if (step !== null) return { kind: "step", column: Number(step[1]), row: Number(step[2]) };
  const wall = LAN_WALL.exec(text);
  if (wall === null) throw new RangeError(`${text} is not a move`);
  const orientation = wall[3] === "h" ? "h" : "v";
  return { kind: "wall", column: Number(wall[1]), row: Number(wall[2]), orientation };
}

/**
 * Parses a move in standard notation, `e2` or `e3h`, on a board of `size`.
 * @param {string} text
 * @param {number} size
 * @returns {Move}
 * @throws {RangeError} the text is not a move
 */
export function parseStandardMove(text, size) {
  const match = STANDARD_MOVE.exec(text);
  if (match === null) throw new RangeError(`${text} is not a move`);
  const square = readSquare(match[1], size);
  if (match[2] === "") return { kind: "step", ...square };
  return { kind: "wall", ...square, orientation: match[2] === "h" ? "h" : "v" };
}
