// Squares, steps and walls, and their names.
//
// Coordinates are those of the 2016 protocol: (column, row) from the top left corner, rows growing downward.

/** @typedef {"official" | "classroom"} Jumps */
/** @typedef {"h" | "v"} Orientation */
/** @typedef {{ column: number, row: number }} Square */
/** @typedef {{ kind: "step", column: number, row: number }} Step */
/** @typedef {{ kind: "wall", column: number, row: number, orientation: Orientation }} Wall */
/** @typedef {Step | Wall} Move */

export const MIN_SIZE = 3;
export const MAX_SIZE = 25;
export const STANDARD_SIZE = 9;
export const FILES = "abcdefghijklmnopqrstuvwxy";

/** Player numbers in order of play, by number of players. @type {Record<number, number[]>} */
export const TURN_ORDER = { 2: [1, 2], 4: [1, 4, 2, 3] };

/**
 * Returns the default number of walls of each player.
 * @param {number} size
 * @param {number} players
 */
export function defaultWalls(size, players) {
  return Math.floor((Math.max(0, Math.floor((7 * size - 23) / 4)) * 2) / players);
}

/**
 * Returns whether two moves are the same.
 * @param {Move | null} first
 * @param {Move | null} second
 */
export function isSameMove(first, second) {
  if (first === null || second === null) return first === second;
  if (first.column !== second.column || first.row !== second.row) return false;
  if (first.kind === "step" || second.kind === "step") return first.kind === second.kind;
  return first.orientation === second.orientation;
}

/**
 * Returns a unique key of a wall, for sets and maps.
 * @param {Wall} wall
 */
export function wallKey({ orientation, column, row }) {
  return `${orientation} ${column} ${row}`;
}

/**
 * @param {Square} first
 * @param {Square} second
 */
export function isSameSquare(first, second) {
  return first.column === second.column && first.row === second.row;
}

/**
 * Returns a square in standard notation, as used in position lines.
 * @param {Square} square
 */
export function squareName(square) {
  return `${FILES[square.column]}${square.row + 1}`;
}

/**
 * Parses a square in standard notation.
 * @param {string} name
 * @param {number} size
 * @throws {RangeError} the board does not have this square
 */
export function readSquare(name, size) {
  const match = /^([a-y])([1-9][0-9]?)$/i.exec(name);
  const column = match === null ? size : FILES.indexOf(match[1].toLowerCase());
  const row = match === null ? size : Number(match[2]) - 1;
  if (column >= size || row >= size) throw new RangeError(`${name} is not a square of this board`);
  return { column, row };
}
