// The legal moves of a position, and the reasons why others are illegal.

import { isSameSquare } from "./moves.js";
import { neighbours } from "./paths.js";

/** @typedef {import("./moves.js").Jumps} Jumps */
/** @typedef {import("./moves.js").Orientation} Orientation */
/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./moves.js").Wall} Wall */
/** @typedef {import("./rules.js").Position} Position */
/**
 * The reason why a move is illegal; the kinds are those of Python's `Illegality`.
 * @typedef {object} Reason
 * @property {"game_over" | "off_board" | "same_square" | "occupied" | "not_reachable" | "wall_in_the_way"
 *   | "only_classroom" | "no_walls_left" | "overlap" | "cross" | "no_path"} kind
 * @property {Square[]} [squares]
 * @property {Wall[]} [walls]
 * @property {number} [player]
 */

/**
 * Returns the squares that a player's pawn may step to, regardless of whose turn it is.
 * @param {Position} position
 * @param {number} player
 * @param {Jumps} jumps
 * @returns {Square[]}
 */
export function targets(position, player, jumps) {
  const here = position.pawn(player);
  if (here === null) return [];
  const near = neighbours(position, here);
  const free = near.filter((square) => position.playerOn(square) === null);
  const blocked = near.filter((square) => position.playerOn(square) !== null);
  if (blocked.length === 0) return free;
  const found = jumps === "official" ? officialJumps(position, here, blocked) : classroomJumps(position, here, blocked);
  const all = [...free, ...found];
  return all.filter((square, index) => all.findIndex((other) => isSameSquare(square, other)) === index);
}

/**
 * @param {Position} position
 * @param {Square} here
 * @param {Square[]} blocked squares of the pawns beside it
 */
function officialJumps(position, here, blocked) {
  return blocked.flatMap((other) => {
    const beyond = neighbours(position, other).filter((square) => position.playerOn(square) === null);
    const straight = { column: 2 * other.column - here.column, row: 2 * other.row - here.row };
    const behind = beyond.filter((square) => isSameSquare(square, straight));
    return behind.length > 0 ? behind : beyond;
  });
}

/**
 * @param {Position} position
 * @param {Square} here
 * @param {Square[]} blocked squares of the pawns beside it
 */
function classroomJumps(position, here, blocked) {
  const jumped = [here];
  const waiting = blocked.slice();
  const found = [];
  for (let other = waiting.pop(); other !== undefined; other = waiting.pop()) {
    const seen = other;
    if (!isSameSquare(other, here) && jumped.some((square) => isSameSquare(square, seen))) continue;
    jumped.push(other);
    for (const square of neighbours(position, other)) {
      if (position.playerOn(square) === null) found.push(square);
      else if (!jumped.some((earlier) => isSameSquare(earlier, square))) waiting.push(square);
    }
  }
  return found;
}

/**
 * Returns why the player to move may not step to a square; null if it may.
 * @param {Position} position
 * @param {Square} to
 * @returns {Reason | null}
 */
export function whyNoStep(position, to) {
  const square = { column: to.column, row: to.row };
  const here = /** @type {Square} */ (position.pawn(position.turn));
  if (!position.isSquare(square)) {
    const last = position.size - 1;
    return { kind: "off_board", squares: [square, { column: 0, row: 0 }, { column: last, row: last }] };
  }
  const other = position.playerOn(square);
  if (other !== null) {
    return { kind: other === position.turn ? "same_square" : "occupied", squares: [square], player: other };
  }
  const isAmong = (/** @type {Square[]} */ squares) => squares.some((target) => isSameSquare(target, square));
  if (isAmong(targets(position, position.turn, position.jumps))) return null;
  if (position.jumps === "official" && isAmong(targets(position, position.turn, "classroom"))) {
    return { kind: "only_classroom", squares: [here, square] };
  }
  if (Math.abs(square.column - here.column) + Math.abs(square.row - here.row) === 1) {
    const wall = /** @type {Wall} */ (position.wallBetween(here, square));
    return { kind: "wall_in_the_way", squares: [here, square], walls: [wall] };
  }
  return { kind: "not_reachable", squares: [here, square] };
}

/**
 * Returns why the player to move may not place a wall; null if it may.
 * @param {Position} position
 * @param {Wall} wall
 * @returns {Reason | null}
 */
export function whyNoWall(position, wall) {
  const reason = whyWallDoesNotFit(position, wall);
  if (reason?.kind === "off_board") return reason;
  if (position.wallsLeft[position.turn - 1] === 0) return { kind: "no_walls_left", player: position.turn };
  if (reason !== null) return reason;
  const next = position.copy();
  next.put(wall, position.turn);
  const cutOff = position.alive.find((player) => next.shortestPath(player).length === 0);
  return cutOff === undefined ? null : { kind: "no_path", walls: [wall], player: cutOff };
}

/**
 * Returns why a wall does not fit among the others; null if it does. Does not check paths.
 * @param {Position} position
 * @param {Wall} wall
 * @returns {Reason | null}
 */
export function whyWallDoesNotFit(position, wall) {
  if (!position.isAnchor(wall.column, wall.row)) {
    const last = position.size - 2;
    /** @type {Wall[]} */
    const ends = [
      { kind: "wall", column: 0, row: 0, orientation: "h" },
      { kind: "wall", column: last, row: last, orientation: "v" },
    ];
    return { kind: "off_board", walls: [wall, ...ends] };
  }
  /** @type {Wall} */
  const across = { ...wall, orientation: wall.orientation === "h" ? "v" : "h" };
  if (position.hasWall(across)) return { kind: "cross", walls: [wall, across] };
  for (const offset of [0, -1, 1]) {
    const beside =
      wall.orientation === "h" ? { ...wall, column: wall.column + offset } : { ...wall, row: wall.row + offset };
    if (position.hasWall(beside)) return { kind: "overlap", walls: [wall, beside] };
  }
  return null;
}

/**
 * Returns the walls that fit and leave every player a path.
 * @param {Position} position
 * @returns {Wall[]}
 */
export function wallsThatFit(position) {
  const paths = position.alive.map((player) => position.shortestPath(player));
  const found = [];
  const next = position.copy();
  for (const orientation of /** @type {Orientation[]} */ (["h", "v"])) {
    const placed = orientation === "h" ? next.horizontal : next.vertical;
    for (let anchor = 0; anchor < placed.length; anchor++) {
      /** @type {Wall} */
      const wall = { kind: "wall", ...position.anchorSquare(anchor), orientation };
      if (whyWallDoesNotFit(position, wall) !== null) continue;
      // Only a wall that cuts a player's known path can leave it without any.
      placed[anchor] = 1;
      const isOpen = position.alive.every(
        (player, index) => !cutsPath(wall, paths[index]) || next.shortestPath(player).length > 0,
      );
      placed[anchor] = 0;
      if (isOpen) found.push(wall);
    }
  }
  return found;
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
