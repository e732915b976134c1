// The picture of a board: which row is at the top, and which coordinates are written beside it.
//
// It follows the notation, as `quoridor_net.rules.picture` does in Python: a1 is at the bottom left in standard
// notation, (0, 0) at the top left in that of 2016, A1 at the bottom left in that of Athens, where player 1 is at
// the top. Turning a board rotates it by 180 degrees.

import { FILES } from "./moves.js";

/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./notation.js").Notation} Notation */

export class BoardPicture {
  /**
   * @param {Notation} notation
   * @param {boolean} isTurned whether the board is rotated by 180 degrees
   */
  constructor(notation, isTurned) {
    this.notation = notation;
    this.isTurned = isTurned;
  }

  /** @param {BoardPicture} other */
  equals(other) {
    return this.notation === other.notation && this.isTurned === other.isTurned;
  }

  /**
   * Returns where a square or the anchor of a wall is drawn, counted from the top left. Two mirrorings cancel, so
   * this also returns the square or anchor that is drawn at a place.
   * @param {Square} place
   * @param {number} last the largest coordinate
   * @returns {Square}
   */
  place({ column, row }, last) {
    const isFlipped = this.hasFirstRowAtTop === this.isTurned;
    return { column: this.isTurned ? last - column : column, row: isFlipped ? last - row : row };
  }

  /**
   * Whether row 0, where player 1 starts, is at the top while the board is not turned.
   * @private
   */
  get hasFirstRowAtTop() {
    return this.notation !== "standard";
  }

  /**
   * Returns whether `player` starts at the top.
   * @param {number} player
   */
  startsAtTop(player) {
    return player === (this.hasFirstRowAtTop === this.isTurned ? 2 : 1);
  }

  /** Whether the names of columns stand above the board instead of below it. */
  get hasColumnsAtTop() {
    return this.notation === "lan";
  }

  /** @param {number} column */
  columnName(column) {
    if (this.notation === "lan") return String(column);
    return this.notation === "athens" ? FILES[column].toUpperCase() : FILES[column];
  }

  /**
   * @param {number} row
   * @param {number} size
   */
  rowName(row, size) {
    if (this.notation === "lan") return String(row);
    // Athens counts ranks from the opposite edge of the board.
    return String(this.notation === "athens" ? size - row : row + 1);
  }
}
