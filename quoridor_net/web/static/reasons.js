// Explains why a move is illegal.

import { formatMove, formatSquare } from "./notation.js";
import { MAX_SIZE } from "./moves.js";
import { text } from "./texts.js";

/** @typedef {import("./legality.js").Reason} Reason */
/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./moves.js").Wall} Wall */

/**
 * Returns the reason as a sentence.
 * @param {Reason} reason
 * @param {import("./notation.js").Notation} notation the reader's notation for squares and walls
 * @param {number} size
 */
export function explain(reason, notation, size) {
  const squares = reason.squares ?? [];
  const walls = reason.walls ?? [];
  const isWallOffBoard = reason.kind === "off_board" && walls.length > 0;
  const [first, second, third] = (squares.length > 0 ? squares : walls).map((place) => formatPlace(place, notation, size));
  // The option only matters on the command line.
  const values = { player: reason.player ?? "", first, second, third, option: "" };
  return text(isWallOffBoard ? "reason.wall_off_board" : `reason.${reason.kind}`, values);
}

/**
 * @param {Square | Wall} place
 * @param {import("./notation.js").Notation} notation
 * @param {number} size
 */
function formatPlace(place, notation, size) {
  // Only the 2016 notation can name squares outside of every board.
  const isOnSomeBoard = [place.column, place.row].every((number) => number >= 0 && number < MAX_SIZE);
  const used = isOnSomeBoard ? notation : "lan";
  return "kind" in place ? formatMove(place, used, size) : formatSquare(place, used, size);
}
