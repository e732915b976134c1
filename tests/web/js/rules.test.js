// Node counts confirmed by independent programs (tests/data/perft.json), and reasons for illegal moves.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defaultWalls, isSameMove } from "../../../quoridor_net/web/static/moves.js";
import { Position } from "../../../quoridor_net/web/static/rules.js";

const { vectors } = JSON.parse(readFileSync(new URL("../../data/perft.json", import.meta.url), "utf8"));
const MOST_NODES = 25_000;

for (const { id, position, perft } of vectors) {
  test(`perft of ${id}`, () => {
    const start = Position.fromLine(position);
    const depths = perft.filter((/** @type {number} */ count) => count <= MOST_NODES);
    assert.ok(depths.length > 0);
    depths.forEach((/** @type {number} */ count, /** @type {number} */ index) => {
      assert.equal(start.perft(index + 1), count);
    });
  });
}

test("a new game has the start position of position lines", () => {
  assert.equal(Position.start().toLine(), " /  / e1 e9 / 10 10 / 1");
  assert.equal(Position.start({ players: 4 }).toLine(), " /  / e1 e9 a5 i5 / 5 5 5 5 / 1");
  assert.equal(Position.start({ size: 5 }).toLine(), " /  / c1 c5 / 3 3 / 1 / 5");
});

test("smaller boards have fewer walls", () => {
  assert.deepEqual([3, 5, 9].map((size) => defaultWalls(size, 2)), [0, 3, 10]);
  assert.equal(defaultWalls(9, 4), 5);
});

test("the turn order of four is clockwise", () => {
  let position = Position.start({ players: 4 });
  const turns = [];
  for (let ply = 0; ply < 5; ply++) {
    turns.push(position.turn);
    position = position.play(position.legalSteps[0]);
  }
  assert.deepEqual(turns, [1, 4, 2, 3, 1]);
});

test("classroom jumps cross several pawns", () => {
  const line = " /  / e4 e6 a5 e5 / 5 5 5 5 / 1";
  const at = (/** @type {Position} */ position) => position.legalSteps.map(({ column, row }) => `${column},${row}`);
  const official = at(Position.fromLine(line));
  const classroom = at(Position.fromLine(line, "classroom"));
  assert.ok(!official.includes("4,6"));
  assert.ok(classroom.includes("4,6"));
  assert.ok(official.every((square) => classroom.includes(square)));
});

test("every kind of illegal move has its reason", () => {
  const kind = (/** @type {string} */ line, /** @type {import("../../../quoridor_net/web/static/moves.js").Move} */ move) =>
    Position.fromLine(line).whyIllegal(move)?.kind ?? null;
  const step = (/** @type {number} */ column, /** @type {number} */ row) =>
    /** @type {const} */ ({ kind: "step", column, row });
  const wall = (/** @type {number} */ column, /** @type {number} */ row, /** @type {"h" | "v"} */ orientation) =>
    /** @type {const} */ ({ kind: "wall", column, row, orientation });
  const start = " /  / e1 e9 / 10 10 / 1";
  const walled = "e1 /  / e1 e9 / 9 0 / 1";
  assert.equal(kind(start, step(4, 1)), null);
  assert.equal(kind(start, step(4, 9)), "off_board");
  assert.equal(kind(start, step(4, 0)), "same_square");
  assert.equal(kind(start, step(4, 8)), "occupied");
  assert.equal(kind(start, step(4, 2)), "not_reachable");
  assert.equal(kind(walled, step(4, 1)), "wall_in_the_way");
  assert.equal(kind(walled, wall(4, 0, "v")), "cross");
  assert.equal(kind(walled, wall(5, 0, "h")), "overlap");
  assert.equal(kind(walled, wall(8, 0, "h")), "off_board");
  assert.equal(kind("e1 /  / e1 e9 / 9 0 / 2", wall(0, 0, "h")), "no_walls_left");
  assert.equal(kind("e1 / d1 / e1 e9 / 8 9 / 1", wall(5, 0, "v")), "no_path");
  assert.equal(kind(" /  / e9 a5 / 0 0 / 0", step(4, 7)), "game_over");
  assert.equal(kind(" /  / e4 e5 / 5 5 / 1", step(3, 4)), "only_classroom");
});

test("impossible position lines are refused", () => {
  for (const line of ["", "a/b/c/d/e", "d4e4 /  / e1 e9 / 9 9 / 1", " /  / e1 e1 / 9 9 / 1", " /  / e1 e9 / 9 9 / 3"]) {
    assert.throws(() => Position.fromLine(line), RangeError);
  }
});

test("moves are compared by kind and place", () => {
  const wall = /** @type {const} */ ({ kind: "wall", column: 1, row: 2, orientation: "h" });
  assert.ok(isSameMove(wall, { ...wall }));
  assert.ok(!isSameMove(wall, { ...wall, orientation: "v" }));
  assert.ok(!isSameMove(wall, { kind: "step", column: 1, row: 2 }));
  assert.ok(isSameMove(null, null));
});
