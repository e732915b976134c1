// The rules of Quoridor: positions, what may be played in them, and why something may not.
//
// Squares and walls have the coordinates of the 2016 protocol: (column, row) from the top left, rows growing
// downward. The Python library in quoridor_net.rules decides; tests compare the two on random games.

/** @typedef {"official" | "classroom"} Jumps */
/** @typedef {"h" | "v"} Orientation */
/** @typedef {{ column: number, row: number }} Square */
/** @typedef {{ kind: "step", column: number, row: number }} Step */
/** @typedef {{ kind: "wall", column: number, row: number, orientation: Orientation }} Wall */
/** @typedef {Step | Wall} Move */
/**
 * Why a move is illegal; the kinds are those of Python's `Illegality`.
 * @typedef {object} Reason
 * @property {"game_over" | "off_board" | "same_square" | "occupied" | "not_reachable" | "wall_in_the_way"
 *   | "only_classroom" | "no_walls_left" | "overlap" | "cross" | "no_path"} kind
 * @property {Square[]} [squares]
 * @property {Wall[]} [walls]
 * @property {number} [player]
 */

export const MIN_SIZE = 3;
export const MAX_SIZE = 25;
export const STANDARD_SIZE = 9;
export const FILES = "abcdefghijklmnopqrstuvwxy";

/** Player numbers in order of play, by number of players. @type {Record<number, number[]>} */
export const TURN_ORDER = { 2: [1, 2], 4: [1, 4, 2, 3] };

/** The four ways a pawn goes: columns, rows. */
const DIRECTIONS = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
];

/**
 * Returns the walls each player starts with unless told otherwise.
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
 * Returns what tells a wall from all others in sets and maps.
 * @param {Wall} wall
 */
export function wallKey({ orientation, column, row }) {
  return `${orientation} ${column} ${row}`;
}

/** What stands where and whose turn it is. Immutable: `play` returns another position. */
export class Position {
  /**
   * @param {object} parts
   * @param {number} parts.size squares on a side
   * @param {Jumps} parts.jumps
   * @param {(Square | null)[]} parts.pawns by player number from 1; null for one that is out
   * @param {number[]} parts.wallsLeft likewise
   * @param {Uint8Array} parts.horizontal for every anchor, row by row, whether a horizontal wall lies there
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
   * Returns the start of a game.
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
   * @throws {RangeError} the line is not of the form, or no game can have such a position
   */
  static fromLine(line, jumps = "official") {
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
    const anchors = (size - 1) * (size - 1);
    const [horizontal, vertical] = [new Uint8Array(anchors), new Uint8Array(anchors)];
    const position = new Position({ size, jumps, pawns, wallsLeft, horizontal, vertical });
    position.setWalls(fields[0], "h");
    position.setWalls(fields[1], "v");
    position.check();
    const turn = readNumber(fields[4]);
    if (turn !== 0 && !position.alive.includes(turn)) throw new RangeError("no such player to move");
    position.settle(turn || position.alive[0]);
    if (turn === 0 && position.turn !== 0) throw new RangeError("the game is not over");
    return position;
  }

  /** Returns the line that describes this position. */
  toLine() {
    const fields = [
      this.anchorNames(this.horizontal),
      this.anchorNames(this.vertical),
      this.pawns.map((pawn) => (pawn === null ? "-" : squareName(pawn))).join(" "),
      this.wallsLeft.join(" "),
      String(this.turn),
    ];
    if (this.size !== STANDARD_SIZE) fields.push(String(this.size));
    return fields.join(" / ");
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
   * The square of a player's pawn, or null once the player is out.
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
    if (!this.isAnchor(wall.column, wall.row)) return false;
    const placed = wall.orientation === "h" ? this.horizontal : this.vertical;
    return placed[wall.row * (this.size - 1) + wall.column] === 1;
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
   * Returns how many steps `player` is from its goal on an otherwise empty board; null once it is out.
   * @param {number} player
   */
  distance(player) {
    const path = this.shortestPath(player);
    return path.length === 0 ? null : path.length - 1;
  }

  /**
   * Returns a shortest path of `player`, its own square first; empty once it is out or cut off.
   * @param {number} player
   * @returns {Square[]}
   */
  shortestPath(player) {
    const start = this.pawn(player);
    if (start === null) return [];
    const { size } = this;
    const cameFrom = new Int16Array(size * size).fill(-1);
    let here = start.row * size + start.column;
    cameFrom[here] = here;
    const queue = [here];
    for (let index = 0; index < queue.length; index++) {
      here = queue[index];
      const square = { column: here % size, row: Math.floor(here / size) };
      if (this.isGoal(player, square)) return tracedBack(cameFrom, here, size);
      for (const next of this.neighbours(square)) {
        const number = next.row * size + next.column;
        if (cameFrom[number] < 0) {
          cameFrom[number] = here;
          queue.push(number);
        }
      }
    }
    return [];
  }

  /**
   * Returns the squares next to `square` with no wall between.
   * @param {Square} square
   */
  neighbours(square) {
    const found = [];
    for (const [columns, rows] of DIRECTIONS) {
      const next = { column: square.column + columns, row: square.row + rows };
      if (this.isSquare(next) && this.wallBetween(square, next) === null) found.push(next);
    }
    return found;
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

  // What may be played.

  /** The steps that the player to move may make. @returns {Step[]} */
  get legalSteps() {
    if (this.turn === 0) return [];
    return this.targets(this.turn, this.jumps).map((square) => ({ kind: "step", ...square }));
  }

  /** The walls that the player to move may place. @returns {Wall[]} */
  get legalWalls() {
    return this.turn === 0 || this.wallsLeft[this.turn - 1] === 0 ? [] : this.wallsThatFit();
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
   * Returns why the player to move may not play `move`; null when it may.
   * @param {Move} move
   * @returns {Reason | null}
   */
  whyIllegal(move) {
    if (this.turn === 0) return { kind: "game_over" };
    return move.kind === "step" ? this.whyNoStep(move) : this.whyNoWall(move);
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

  // How it is done.

  /**
   * @private
   * @param {Move} move a legal one
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
      next.put(move);
      next.wallsLeft[player - 1] -= 1;
    }
    const { order } = this;
    next.passOn(order[(order.indexOf(player) + 1) % order.length]);
    return next;
  }

  /** @private */
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
   * @private
   * @param {Wall} wall
   */
  put(wall) {
    const placed = wall.orientation === "h" ? this.horizontal : this.vertical;
    placed[wall.row * (this.size - 1) + wall.column] = 1;
  }

  /**
   * Decides whether the game is over and, if not, who moves when it would be the turn of `turn`.
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
   * Gives the turn to the first player from `turn` on that has a legal move.
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
    if (this.targets(player, this.jumps).length > 0) return true;
    return this.wallsLeft[player - 1] > 0 && this.wallsThatFit().length > 0;
  }

  /**
   * @private
   * @param {number} player
   * @param {Jumps} jumps
   * @returns {Square[]} where the pawn of `player` may step
   */
  targets(player, jumps) {
    const here = this.pawn(player);
    if (here === null) return [];
    const near = this.neighbours(here);
    const free = near.filter((square) => this.playerOn(square) === null);
    const blocked = near.filter((square) => this.playerOn(square) !== null);
    if (blocked.length === 0) return free;
    const found = jumps === "official" ? this.officialJumps(here, blocked) : this.classroomJumps(here, blocked);
    const all = [...free, ...found];
    return all.filter((square, index) => all.findIndex((other) => isSameSquare(square, other)) === index);
  }

  /**
   * @private
   * @param {Square} here
   * @param {Square[]} blocked squares of the pawns beside it
   */
  officialJumps(here, blocked) {
    return blocked.flatMap((other) => {
      const beyond = this.neighbours(other).filter((square) => this.playerOn(square) === null);
      const straight = { column: 2 * other.column - here.column, row: 2 * other.row - here.row };
      const behind = beyond.filter((square) => isSameSquare(square, straight));
      return behind.length > 0 ? behind : beyond;
    });
  }

  /**
   * @private
   * @param {Square} here
   * @param {Square[]} blocked squares of the pawns beside it
   */
  classroomJumps(here, blocked) {
    const jumped = [here];
    const waiting = blocked.slice();
    const found = [];
    for (let other = waiting.pop(); other !== undefined; other = waiting.pop()) {
      const seen = other;
      if (!isSameSquare(other, here) && jumped.some((square) => isSameSquare(square, seen))) continue;
      jumped.push(other);
      for (const square of this.neighbours(other)) {
        if (this.playerOn(square) === null) found.push(square);
        else if (!jumped.some((earlier) => isSameSquare(earlier, square))) waiting.push(square);
      }
    }
    return found;
  }

  /**
   * @private
   * @param {Square} to
   * @returns {Reason | null}
   */
  whyNoStep(to) {
    const square = { column: to.column, row: to.row };
    const here = /** @type {Square} */ (this.pawn(this.turn));
    if (!this.isSquare(square)) {
      const last = this.size - 1;
      return { kind: "off_board", squares: [square, { column: 0, row: 0 }, { column: last, row: last }] };
    }
    const other = this.playerOn(square);
    if (other !== null) {
      return { kind: other === this.turn ? "same_square" : "occupied", squares: [square], player: other };
    }
    const isAmong = (/** @type {Square[]} */ squares) => squares.some((target) => isSameSquare(target, square));
    if (isAmong(this.targets(this.turn, this.jumps))) return null;
    if (this.jumps === "official" && isAmong(this.targets(this.turn, "classroom"))) {
      return { kind: "only_classroom", squares: [here, square] };
    }
    if (Math.abs(square.column - here.column) + Math.abs(square.row - here.row) === 1) {
      const wall = /** @type {Wall} */ (this.wallBetween(here, square));
      return { kind: "wall_in_the_way", squares: [here, square], walls: [wall] };
    }
    return { kind: "not_reachable", squares: [here, square] };
  }

  /**
   * @private
   * @param {Wall} wall
   * @returns {Reason | null}
   */
  whyNoWall(wall) {
    const reason = this.whyWallDoesNotFit(wall);
    if (reason?.kind === "off_board") return reason;
    if (this.wallsLeft[this.turn - 1] === 0) return { kind: "no_walls_left", player: this.turn };
    if (reason !== null) return reason;
    const next = this.copy();
    next.put(wall);
    const cutOff = this.alive.find((player) => next.shortestPath(player).length === 0);
    return cutOff === undefined ? null : { kind: "no_path", walls: [wall], player: cutOff };
  }

  /**
   * @private
   * @param {Wall} wall
   * @returns {Reason | null} paths are not looked at
   */
  whyWallDoesNotFit(wall) {
    if (!this.isAnchor(wall.column, wall.row)) {
      const last = this.size - 2;
      /** @type {Wall[]} */
      const ends = [
        { kind: "wall", column: 0, row: 0, orientation: "h" },
        { kind: "wall", column: last, row: last, orientation: "v" },
      ];
      return { kind: "off_board", walls: [wall, ...ends] };
    }
    /** @type {Wall} */
    const across = { ...wall, orientation: wall.orientation === "h" ? "v" : "h" };
    if (this.hasWall(across)) return { kind: "cross", walls: [wall, across] };
    for (const offset of [0, -1, 1]) {
      const beside =
        wall.orientation === "h" ? { ...wall, column: wall.column + offset } : { ...wall, row: wall.row + offset };
      if (this.hasWall(beside)) return { kind: "overlap", walls: [wall, beside] };
    }
    return null;
  }

  /**
   * @private
   * @returns {Wall[]} the walls that fit and leave everybody a path
   */
  wallsThatFit() {
    const paths = this.alive.map((player) => this.shortestPath(player));
    const found = [];
    const next = this.copy();
    for (const orientation of /** @type {Orientation[]} */ (["h", "v"])) {
      const placed = orientation === "h" ? next.horizontal : next.vertical;
      for (let anchor = 0; anchor < placed.length; anchor++) {
        /** @type {Wall} */
        const wall = { kind: "wall", ...this.anchorSquare(anchor), orientation };
        if (this.whyWallDoesNotFit(wall) !== null) continue;
        // Only a wall that cuts the path that is known can leave a player without one.
        placed[anchor] = 1;
        const isOpen = this.alive.every(
          (player, index) => !cutsPath(wall, paths[index]) || next.shortestPath(player).length > 0,
        );
        placed[anchor] = 0;
        if (isOpen) found.push(wall);
      }
    }
    return found;
  }

  /** @private @param {Square} square */
  isSquare(square) {
    return this.isWithin(square.column, this.size) && this.isWithin(square.row, this.size);
  }

  /** @private @param {number} column @param {number} row */
  isAnchor(column, row) {
    return this.isWithin(column, this.size - 1) && this.isWithin(row, this.size - 1);
  }

  /** @private @param {number} number @param {number} end */
  isWithin(number, end) {
    return number >= 0 && number < end;
  }

  /** @private @param {number} anchor */
  anchorSquare(anchor) {
    return { column: anchor % (this.size - 1), row: Math.floor(anchor / (this.size - 1)) };
  }

  /** @private @param {Uint8Array} placed @param {Orientation} orientation @returns {Wall[]} */
  wallsIn(placed, orientation) {
    /** @type {Wall[]} */
    const found = [];
    placed.forEach((isThere, anchor) => {
      if (isThere) found.push({ kind: "wall", ...this.anchorSquare(anchor), orientation });
    });
    return found;
  }

  /** @private @param {Uint8Array} placed */
  anchorNames(placed) {
    return this.wallsIn(placed, "h").map(squareName).join("");
  }

  /** @private @param {string} field @param {Orientation} orientation */
  setWalls(field, orientation) {
    const names = field.match(/[a-y][1-9][0-9]?/gi) ?? [];
    if (names.join("") !== field.replace(/\s/g, "")) throw new RangeError("no list of wall anchors");
    for (const name of names) {
      /** @type {Wall} */
      const wall = { kind: "wall", ...readSquare(name, this.size), orientation };
      if (this.whyWallDoesNotFit(wall) !== null) throw new RangeError(`the wall at ${name} does not fit`);
      this.put(wall);
    }
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

/**
 * @param {Square} first
 * @param {Square} second
 */
export function isSameSquare(first, second) {
  return first.column === second.column && first.row === second.row;
}

/**
 * Returns a square in standard notation, which position lines use.
 * @param {Square} square
 */
export function squareName(square) {
  return `${FILES[square.column]}${square.row + 1}`;
}

/**
 * Returns the square that `name` says in standard notation.
 * @param {string} name
 * @param {number} size
 * @throws {RangeError} no such square
 */
export function readSquare(name, size) {
  const match = /^([a-y])([1-9][0-9]?)$/i.exec(name);
  const column = match === null ? size : FILES.indexOf(match[1].toLowerCase());
  const row = match === null ? size : Number(match[2]) - 1;
  if (column >= size || row >= size) throw new RangeError(`${name} is not a square of this board`);
  return { column, row };
}

/**
 * @param {Wall} wall
 * @param {Square[]} path
 */
function cutsPath(wall, path) {
  return path.some((there, index) => {
    if (index === 0) return false;
    const here = path[index - 1];
    const column = Math.min(here.column, there.column) - wall.column;
    const row = Math.min(here.row, there.row) - wall.row;
    if (here.column === there.column) return wall.orientation === "h" && row === 0 && (column === 0 || column === 1);
    return wall.orientation === "v" && column === 0 && (row === 0 || row === 1);
  });
}

/**
 * @param {Int16Array} cameFrom
 * @param {number} end
 * @param {number} size
 */
function tracedBack(cameFrom, end, size) {
  const path = [];
  let here = end;
  for (;;) {
    path.push({ column: here % size, row: Math.floor(here / size) });
    if (cameFrom[here] === here) return path.reverse();
    here = cameFrom[here];
  }
}

/** @param {string} word */
function readNumber(word) {
  if (!/^[0-9]{1,4}$/.test(word)) throw new RangeError(`${word} is not a number`);
  return Number(word);
}
