// Why a move is illegal, in words.

import { formatMove, formatSquare } from "./notation.js";
import { MAX_SIZE } from "./moves.js";
import { text } from "./texts.js";

/** @typedef {import("./legality.js").Reason} Reason */
/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./moves.js").Wall} Wall */

/**
 * Returns the reason as a sentence.
 * @param {Reason} reason
 * @param {import("./notation.js").Notation} notation how the reader writes squares and walls
 * @param {number} size
 */
export function explain(reason, notation, size) {
  const squares = reason.squares ?? [];
  const walls = reason.walls ?? [];
  const isWallOffBoard = reason.kind === "off_board" && walls.length > 0;
  const [first, second, third] = (squares.length > 0 ? squares : walls).map((place) => written(place, notation, size));
  // The option is for who uses the command line.
  const values = { player: reason.player ?? "", first, second, third, option: "" };
  return text(isWallOffBoard ? "reason.wall_off_board" : `reason.${reason.kind}`, values);
}

/**
 * @param {Square | Wall} place
 * @param {import("./notation.js").Notation} notation
 * @param {number} size
 */
function written(place, notation, size) {
  // Other notations than that of 2016 have no names for what no board has.
  const isOnSomeBoard = [place.column, place.row].every((number) => number >= 0 && number < MAX_SIZE);
  const used = isOnSomeBoard ? notation : "lan";
  return "kind" in place ? formatMove(place, used, size) : formatSquare(place, used, size);
}
