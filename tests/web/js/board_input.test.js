// The moves that pointers and keys select, on turned and other boards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BoardCursor, MOUSE_REACH, moveAt, touchReach } from "../../../quoridor_net/web/static/board_input.js";
import { BoardPicture } from "../../../quoridor_net/web/static/board_picture.js";
import { BoardMeasure, MARGIN, PITCH, SQUARE } from "../../../quoridor_net/web/static/board_shapes.js";
import { formatMove } from "../../../quoridor_net/web/static/notation.js";
import { Position } from "../../../quoridor_net/web/static/rules.js";

const start = Position.start();
const upright = new BoardMeasure(9, new BoardPicture("lan", false));
const turned = new BoardMeasure(9, new BoardPicture("lan", true));
const standard = new BoardMeasure(9, new BoardPicture("standard", false));

/**
 * The move at a place in squares from the top left one, whose middle is at (0, 0).
 * @param {number} x
 * @param {number} y
 * @param {{ position?: Position, measure?: BoardMeasure, isTouch?: boolean }} [options]
 */
function at(x, y, { position = start, measure = upright, isTouch = false } = {}) {
  const point = { x: MARGIN + SQUARE / 2 + x * PITCH, y: MARGIN + SQUARE / 2 + y * PITCH };
  const move = moveAt(position, measure, point, isTouch ? touchReach(1) : MOUSE_REACH, isTouch);
  return move === null ? null : formatMove(move, "standard", 9);
}

test("the middle of a square is a step", () => {
  assert.equal(at(0, 0), "a1");
  assert.equal(at(4, 1), "e2");
  assert.equal(at(4, 1, { measure: turned }), "e8");
  assert.equal(at(3, 1, { measure: standard }), "d8");
});

test("a gap is a wall whose middle is near", () => {
  assert.equal(at(0.2, 0.5), "a1h");
  assert.equal(at(1.2, 0.5), "b1h");
  assert.equal(at(0.5, 0.2), "a1v");
  assert.equal(at(0.5, 3.8), "a4v");
  assert.equal(at(8, 0.5), "h1h");
  assert.equal(at(0.2, 0.5, { measure: turned }), "h8h");
  assert.equal(at(0.2, 0.5, { measure: standard }), "a8h");
});

test("if the nearer wall is illegal, the other wall in the same gap is selected", () => {
  const position = Position.fromLine("b1 /  / e1 e9 / 9 10 / 1");
  assert.equal(at(3.2, 0.5, { position }), "d1h");
  // c1h would overlap b1h.
  assert.equal(at(3.2, 0.5, { position: Position.fromLine("e1 /  / e1 e9 / 9 10 / 1") }), "c1h");
});

test("a finger is less precise than a mouse", () => {
  assert.equal(at(0.25, 0), "a1");
  assert.equal(at(0.25, 0, { isTouch: true }), "a1v");
});

test("a finger steps anywhere in a marked square, and sets walls from the gap and the other side", () => {
  for (const [x, y] of [[-0.38, 0.62], [0, 0.62], [0.38, 1.38], [0, 1.38], [-0.38, 1]]) {
    assert.equal(at(4 + x, y, { isTouch: true }), "e2");
  }
  assert.equal(at(4, 0.5, { isTouch: true }), "e1h");
  assert.equal(at(4, 0.38, { isTouch: true }), "e1h");
  assert.equal(at(4.5, 1, { isTouch: true }), "e2v");
  assert.equal(at(4.62, 1, { isTouch: true }), "e2v");
  assert.equal(at(4, 1.62, { isTouch: true }), "e2h");
});

test("a finger has at least 24 pixels across a gap on a small board", () => {
  assert.equal(touchReach(1), 13.5);
  assert.ok(Math.abs(touchReach(489 / 320) / (489 / 320) - 12) < 1e-9);
});

test("points outside of the board select nothing, and its edge no wall", () => {
  assert.equal(at(-0.7, 0), null);
  assert.equal(at(0, 8.7), null);
  assert.equal(at(-0.4, 0), "a1");
  assert.equal(at(8.4, 8), "i9");
});

test("the cursor goes over squares and gaps and stays on the board", () => {
  const cursor = new BoardCursor(9);
  cursor.goTo(upright, { column: 4, row: 0 });
  const places = [];
  for (const [columns, rows] of [
    [0, -1],
    [0, 1],
    [0, 1],
    [1, 0],
    [1, 0],
  ]) {
    cursor.go(columns, rows);
    places.push(formatMove(cursor.move(upright), "standard", 9));
  }
  assert.deepEqual(places, ["e1", "e1h", "e2", "e2v", "f2"]);
});

test("h and v select the wall under or next to the cursor", () => {
  const cursor = new BoardCursor(9);
  cursor.goTo(upright, { column: 4, row: 0 });
  cursor.lay(upright, "v");
  assert.equal(formatMove(cursor.move(upright), "standard", 9), "e1v");
  cursor.lay(upright, "h");
  assert.equal(formatMove(cursor.move(upright), "standard", 9), "e1h");
  cursor.goTo(upright, { column: 8, row: 8 });
  cursor.lay(upright, "h");
  assert.equal(formatMove(cursor.move(upright), "standard", 9), "h8h");
});

test("h and v select the wall with the name of the square in every picture", () => {
  for (const measure of [upright, turned, standard]) {
    const cursor = new BoardCursor(9);
    cursor.goTo(measure, { column: 4, row: 2 });
    cursor.lay(measure, "h");
    assert.equal(formatMove(cursor.move(measure), "standard", 9), "e3h");
  }
});

test("the cursor follows the picture: up is towards higher ranks in standard notation", () => {
  const cursor = new BoardCursor(9);
  cursor.goTo(standard, { column: 4, row: 0 });
  cursor.go(0, -2);
  assert.equal(formatMove(cursor.move(standard), "standard", 9), "e2");
});

test("the cursor follows a turned board", () => {
  const cursor = new BoardCursor(9);
  cursor.goTo(turned, { column: 4, row: 0 });
  cursor.go(0, -2);
  assert.equal(formatMove(cursor.move(turned), "standard", 9), "e2");
});
