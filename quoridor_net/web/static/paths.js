// Shortest paths of pawns to their goals, ignoring other pawns.

/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./rules.js").Position} Position */

/** The four directions of a step, as columns and rows. */
const DIRECTIONS = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
];

/**
 * Returns a shortest path of `player`, starting with its own square; empty if it is out or cut off.
 * @param {Position} position
 * @param {number} player
 * @returns {Square[]}
 */
export function shortestPath(position, player) {
  const start = position.pawn(player);
  if (start === null) return [];
  const { size } = position;
  const cameFrom = new Int16Array(size * size).fill(-1);
  let here = start.row * size + start.column;
  cameFrom[here] = here;
  const queue = [here];
  for (let index = 0; index < queue.length; index++) {
    here = queue[index];
    const square = { column: here % size, row: Math.floor(here / size) };
    if (position.isGoal(player, square)) return traceBack(cameFrom, here, size);
    for (const next of neighbours(position, square)) {
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
 * Returns the squares next to `square` that no wall separates from it.
 * @param {Position} position
 * @param {Square} square
 */
export function neighbours(position, square) {
  const found = [];
  for (const [columns, rows] of DIRECTIONS) {
    const next = { column: square.column + columns, row: square.row + rows };
    if (position.isSquare(next) && position.wallBetween(square, next) === null) found.push(next);
  }
  return found;
}

/**
 * @param {Int16Array} cameFrom
 * @param {number} end
 * @param {number} size
 */
function traceBack(cameFrom, end, size) {
  const path = [];
  let here = end;
  for (;;) {
    path.push({ column: here % size, row: Math.floor(here / size) });
    if (cameFrom[here] === here) return path.reverse();
    here = cameFrom[here];
  }
}
