// Positions of Quoridor and their legal moves.
//
// The reference is the Python library quoridor_net.rules; tests compare the two on random games.

import { targets, whyNoStep, whyNoWall, whyWallDoesNotFit, wallsThatFit } from "./legality.js";
import { STANDARD_SIZE, TURN_ORDER, defaultWalls, isSameSquare, squareName } from "./moves.js";
import { shortestPath } from "./paths.js";
import { readLine, writeLine } from "./position_line.js";

/** @typedef {import("./legality.js").Reason} Reason */
/** @typedef {import("./moves.js").Jumps} Jumps */
/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./moves.js").Orientation} Orientation */
/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./moves.js").Step} Step */
/** @typedef {import("./moves.js").Wall} Wall */

/** Stands for the player who placed a wall if it is not known. */
const UNKNOWN = 255;

/** An immutable position; `play` returns the next one. */
export class Position {
  /**
   * @param {object} parts
   * @param {number} parts.size squares on a side
   * @param {Jumps} parts.jumps
   * @param {(Square | null)[]} parts.pawns by player number from 1; null for one that is out
   * @param {number[]} parts.wallsLeft likewise
   * @param {Uint8Array} parts.horizontal for every anchor, row by row, the player who placed a horizontal wall there; 0 without one
   * @param {Uint8Array} parts.vertical likewise
   */
  constructor({ size, jumps, pawns, wallsLeft, horizontal, vertical }) {
    this.size = size;
    /** @type {Jumps} */
    this.jumps = jumps;
    this.pawns = pawns;
    this.wallsLeft = wallsLeft;
    this.horizontal = horizontal;
    this.vertical = vertical;
    this.players = pawns.length;
    /** The player to move; 0 when the game is over. */
    this.turn = 0;
    /** @type {number | null} */
    this.winner = null;
  }

  /**
   * Returns the start position of a game.
   * @param {{ size?: number, players?: number, walls?: number, jumps?: Jumps }} [settings]
   */
  static start({ size = STANDARD_SIZE, players = 2, walls = defaultWalls(size, players), jumps = "official" } = {}) {
    const middle = Math.floor(size / 2);
    const starts = [
      { column: middle, row: 0 },
      { column: middle, row: size - 1 },
      { column: 0, row: middle },
      { column: size - 1, row: middle },
    ];
    const anchors = (size - 1) * (size - 1);
    const position = new Position({
      size,
      jumps,
      pawns: starts.slice(0, players),
      wallsLeft: new Array(players).fill(walls),
      horizontal: new Uint8Array(anchors),
      vertical: new Uint8Array(anchors),
    });
    position.settle(1);
    return position;
  }

  /**
   * Returns the position that a line describes (docs/reference/position-line.md).
   * @param {string} line
   * @param {Jumps} [jumps]
   * @param {(wall: Wall, index: number) => number | null | undefined} [ownerOf] returns who placed a wall of the line, if known
   * @throws {RangeError} the line is malformed, or the position is impossible
   */
  static fromLine(line, jumps = "official", ownerOf = () => null) {
    const { size, pawns, wallsLeft, walls, turn } = readLine(line);
    const anchors = (size - 1) * (size - 1);
    const [horizontal, vertical] = [new Uint8Array(anchors), new Uint8Array(anchors)];
    const position = new Position({ size, jumps, pawns, wallsLeft, horizontal, vertical });
    for (const [index, wall] of walls.entries()) {
      if (whyWallDoesNotFit(position, wall) !== null) throw new RangeError(`the wall at ${squareName(wall)} does not fit`);
      position.put(wall, ownerOf(wall, index) || UNKNOWN);
    }
    position.check();
    if (turn !== 0 && !position.alive.includes(turn)) throw new RangeError("no such player to move");
    position.settle(turn || position.alive[0]);
    if (turn === 0 && position.turn !== 0) throw new RangeError("the game is not over");
    return position;
  }

  /** Returns the line that describes this position. */
  toLine() {
    return writeLine(this);
  }

  /** Player numbers in order of play. */
  get order() {
    return TURN_ORDER[this.players];
  }

  /** The players still in the game, in order of play. */
  get alive() {
    return this.order.filter((player) => this.pawns[player - 1] !== null);
  }

  get isOver() {
    return this.turn === 0;
  }

  /**
   * Returns the square of a player's pawn; null once the player is out.
   * @param {number} player
   */
  pawn(player) {
    return this.pawns[player - 1] ?? null;
  }

  /** The walls on the board, horizontal ones first. @returns {Wall[]} */
  get walls() {
    return [...this.wallsIn(this.horizontal, "h"), ...this.wallsIn(this.vertical, "v")];
  }

  /** @param {Wall} wall */
  hasWall(wall) {
    return this.isAnchor(wall.column, wall.row) && this.at(wall) !== 0;
  }

  /**
   * Returns the player who placed a wall on the board; null if it is not known.
   * @param {Wall} wall
   */
  owner(wall) {
    const player = this.at(wall);
    return player === UNKNOWN ? null : player;
  }

  /**
   * Returns whether `square` is on the goal line of `player`.
   * @param {number} player
   * @param {Square} square
   */
  isGoal(player, square) {
    const last = this.size - 1;
    switch (player) {
      case 1:
        return square.row === last;
      case 2:
        return square.row === 0;
      case 3:
        return square.column === last;
      default:
        return square.column === 0;
    }
  }

  /**
   * Returns the distance of `player` from its goal in steps, ignoring other pawns; null once it is out.
   * @param {number} player
   */
  distance(player) {
    const path = this.shortestPath(player);
    return path.length === 0 ? null : path.length - 1;
  }

  /**
   * Returns a shortest path of `player`, starting with its own square; empty if it is out or cut off.
   * @param {number} player
   * @returns {Square[]}
   */
  shortestPath(player) {
    return shortestPath(this, player);
  }

  /**
   * Returns the wall between two squares next to each other, or null.
   * @param {Square} here
   * @param {Square} there
   * @returns {Wall | null}
   */
  wallBetween(here, there) {
    const column = Math.min(here.column, there.column);
    const row = Math.min(here.row, there.row);
    const isAcross = here.column === there.column;
    const orientation = isAcross ? "h" : "v";
    /** @type {Wall} */
    const wall = { kind: "wall", column, row, orientation };
    /** @type {Wall} */
    const before = isAcross ? { ...wall, column: column - 1 } : { ...wall, row: row - 1 };
    if (this.hasWall(before)) return before;
    return this.hasWall(wall) ? wall : null;
  }

  /**
   * Returns the player whose pawn stands on `square`, or null.
   * @param {Square} square
   */
  playerOn(square) {
    const index = this.pawns.findIndex((pawn) => pawn !== null && isSameSquare(pawn, square));
    return index < 0 ? null : index + 1;
  }

  // Legal moves.

  /** The steps that the player to move may make. @returns {Step[]} */
  get legalSteps() {
    if (this.turn === 0) return [];
    return targets(this, this.turn, this.jumps).map((square) => ({ kind: "step", ...square }));
  }

  /** The walls that the player to move may place. @returns {Wall[]} */
  get legalWalls() {
    return this.turn === 0 || this.wallsLeft[this.turn - 1] === 0 ? [] : wallsThatFit(this);
  }

  /** @returns {Move[]} */
  get legalMoves() {
    return [...this.legalSteps, ...this.legalWalls];
  }

  /** @param {Move} move */
  isLegal(move) {
    return this.whyIllegal(move) === null;
  }

  /**
   * Returns why the player to move may not play `move`; null if it may.
   * @param {Move} move
   * @returns {Reason | null}
   */
  whyIllegal(move) {
    if (this.turn === 0) return { kind: "game_over" };
    return move.kind === "step" ? whyNoStep(this, move) : whyNoWall(this, move);
  }

  /**
   * Returns the position after `move`.
   * @param {Move} move
   * @throws {RangeError} the move is illegal
   */
  play(move) {
    const reason = this.whyIllegal(move);
    if (reason !== null) throw new RangeError(`illegal move: ${reason.kind}`);
    return this.after(move);
  }

  /**
   * Returns the number of move sequences of exactly `depth` plies.
   * @param {number} depth
   * @returns {number}
   */
  perft(depth) {
    if (depth === 0) return 1;
    const moves = this.legalMoves;
    if (depth === 1) return moves.length;
    return moves.reduce((sum, move) => sum + this.after(move).perft(depth - 1), 0);
  }

  // Private methods.

  /**
   * @private
   * @param {Move} move a legal move
   */
  after(move) {
    const player = this.turn;
    const next = this.copy();
    if (move.kind === "step") {
      next.pawns[player - 1] = { column: move.column, row: move.row };
      if (next.isGoal(player, move)) {
        next.winner = player;
        return next;
      }
    } else {
      next.put(move, player);
      next.wallsLeft[player - 1] -= 1;
    }
    const { order } = this;
    next.passOn(order[(order.indexOf(player) + 1) % order.length]);
    return next;
  }

  /**
   * Returns this position with `player` to move, for planning a move during another player's turn.
   * @param {number} player
   */
  onTurnOf(player) {
    const next = this.copy();
    next.settle(player);
    return next;
  }

  /** Returns an independent copy without a player to move. */
  copy() {
    return new Position({
      size: this.size,
      jumps: this.jumps,
      pawns: this.pawns.slice(),
      wallsLeft: this.wallsLeft.slice(),
      horizontal: this.horizontal.slice(),
      vertical: this.vertical.slice(),
    });
  }

  /**
   * Places a wall, which must fit.
   * @param {Wall} wall
   * @param {number} player
   */
  put(wall, player) {
    this.placed(wall)[wall.row * (this.size - 1) + wall.column] = player;
  }

  /** @private @param {Wall} wall @returns the player who placed it; 0 if it is not there */
  at(wall) {
    return this.placed(wall)[wall.row * (this.size - 1) + wall.column];
  }

  /** @private @param {Wall} wall */
  placed({ orientation }) {
    return orientation === "h" ? this.horizontal : this.vertical;
  }

  /**
   * Determines whether the game is over, or else who moves next, starting with `turn`.
   * @private
   * @param {number} turn
   */
  settle(turn) {
    const { alive } = this;
    const arrived = alive.find((player) => this.isGoal(player, /** @type {Square} */ (this.pawn(player))));
    this.winner = arrived ?? (alive.length === 1 ? alive[0] : null);
    if (this.winner === null) this.passOn(turn);
  }

  /**
   * Gives the turn to the first player with a legal move, starting with `turn`.
   * @private
   * @param {number} turn
   */
  passOn(turn) {
    const { order } = this;
    const first = order.indexOf(turn);
    const inTurn = [...order.slice(first), ...order.slice(0, first)];
    this.turn = inTurn.find((player) => this.pawn(player) !== null && this.hasMove(player)) ?? 0;
  }

  /**
   * @private
   * @param {number} player
   */
  hasMove(player) {
    if (targets(this, player, this.jumps).length > 0) return true;
    return this.wallsLeft[player - 1] > 0 && wallsThatFit(this).length > 0;
  }

  /**
   * Returns whether the board has `square`.
   * @param {Square} square
   */
  isSquare(square) {
    return this.isWithin(square.column, this.size) && this.isWithin(square.row, this.size);
  }

  /**
   * Returns whether a wall can be anchored there.
   * @param {number} column
   * @param {number} row
   */
  isAnchor(column, row) {
    return this.isWithin(column, this.size - 1) && this.isWithin(row, this.size - 1);
  }

  /** @private @param {number} number @param {number} end */
  isWithin(number, end) {
    return number >= 0 && number < end;
  }

  /**
   * Returns the square of an anchor number.
   * @param {number} anchor
   */
  anchorSquare(anchor) {
    return { column: anchor % (this.size - 1), row: Math.floor(anchor / (this.size - 1)) };
  }

  /** @private @param {Uint8Array} placed @param {Orientation} orientation @returns {Wall[]} */
  wallsIn(placed, orientation) {
    /** @type {Wall[]} */
    const found = [];
    placed.forEach((player, anchor) => {
      if (player > 0) found.push({ kind: "wall", ...this.anchorSquare(anchor), orientation });
    });
    return found;
  }

  /** @private */
  check() {
    const pawns = /** @type {Square[]} */ (this.pawns.filter((pawn) => pawn !== null));
    if (new Set(pawns.map(squareName)).size < pawns.length) throw new RangeError("two pawns on one square");
    if (pawns.length === 0) throw new RangeError("nobody is in the game");
    if (this.pawns.some((pawn, index) => pawn === null && this.wallsLeft[index] > 0)) {
      throw new RangeError("a player that is out has walls");
    }
    const arrived = this.alive.filter((player) => this.isGoal(player, /** @type {Square} */ (this.pawn(player))));
    if (arrived.length > 1) throw new RangeError("two players have reached their goals");
    for (const player of this.alive) {
      if (this.distance(player) === null) throw new RangeError(`player ${player} has no path`);
    }
  }
}
