// Reads and writes position lines (docs/reference/position-line.md). Does not check whether a game can reach them.

import { MAX_SIZE, MIN_SIZE, STANDARD_SIZE, readSquare, squareName } from "./moves.js";

/** @typedef {import("./moves.js").Orientation} Orientation */
/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./moves.js").Wall} Wall */

/**
 * Parses a position line; the player to move is 0 when the game is over.
 * @param {string} line
 * @returns {{ size: number, pawns: (Square | null)[], wallsLeft: number[], walls: Wall[], turn: number }}
 * @throws {RangeError} the line is malformed
 */
export function readLine(line) {
  const fields = line.split("/").map((field) => field.trim());
  if (fields.length !== 5 && fields.length !== 6) throw new RangeError("a position has 5 or 6 fields");
  const size = fields.length === 6 ? readNumber(fields[5]) : STANDARD_SIZE;
  if (size < MIN_SIZE || size > MAX_SIZE) throw new RangeError("no such size of board");
  const words = fields[2].split(/\s+/);
  const pawns = words.map((word) => (word === "-" ? null : readSquare(word, size)));
  const wallsLeft = fields[3].split(/\s+/).map(readNumber);
  if ((pawns.length !== 2 && pawns.length !== 4) || wallsLeft.length !== pawns.length) {
    throw new RangeError("a position has 2 or 4 pawns and as many numbers of walls");
  }
  const walls = [...readWalls(fields[0], "h", size), ...readWalls(fields[1], "v", size)];
  return { size, pawns, wallsLeft, walls, turn: readNumber(fields[4]) };
}

/**
 * Returns the line of a position.
 * @param {{ size: number, pawns: (Square | null)[], wallsLeft: number[], walls: Wall[], turn: number }} position
 */
export function writeLine({ size, pawns, wallsLeft, walls, turn }) {
  const anchors = (/** @type {Orientation} */ orientation) => walls.filter((wall) => wall.orientation === orientation).map(squareName);
  const fields = [
    anchors("h").join(""),
    anchors("v").join(""),
    pawns.map((pawn) => (pawn === null ? "-" : squareName(pawn))).join(" "),
    wallsLeft.join(" "),
    String(turn),
  ];
  if (size !== STANDARD_SIZE) fields.push(String(size));
  return fields.join(" / ");
}

/**
 * @param {string} field
 * @param {Orientation} orientation
 * @param {number} size
 * @returns {Wall[]}
 */
function readWalls(field, orientation, size) {
  const names = field.match(/[a-y][1-9][0-9]?/gi) ?? [];
  if (names.join("") !== field.replace(/\s/g, "")) throw new RangeError("no list of wall anchors");
  return names.map((name) => ({ kind: "wall", ...readSquare(name, size), orientation }));
}

/** @param {string} word */
function readNumber(word) {
  if (!/^[0-9]{1,4}$/.test(word)) throw new RangeError(`${word} is not a number`);
  return Number(word);
}
