// The introduction and the puzzles can be solved, and not by every move.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES } from "../../../quoridor_net/web/static/exercises.js";
import { parseStandardMove } from "../../../quoridor_net/web/static/notation.js";
import { PUZZLES } from "../../../quoridor_net/web/static/puzzle_list.js";
import { Position } from "../../../quoridor_net/web/static/rules.js";

/** @type {(position: Position, moves: string[]) => Position} */
const playAll = (position, moves) => moves.reduce((before, move) => before.play(parseStandardMove(move, before.size)), position);

for (const { topic, position, isRight, moves } of RULES) {
  test(`the step about the ${topic} has right and wrong moves, and its solution is right`, () => {
    const start = Position.fromLine(position);
    const right = start.legalMoves.filter((move) => isRight(start, move));
    assert.ok(right.length > 0 && right.length < start.legalMoves.length);
    assert.ok(isRight(start, parseStandardMove(moves[0], start.size)));
    playAll(start, moves);
  });
}

test("a wall that closes the last path is refused in the step about paths", () => {
  const path = RULES.find(({ topic }) => topic === "path");
  assert.equal(Position.fromLine(path?.position ?? "").whyIllegal(parseStandardMove("a4v", 5))?.kind, "no_path");
});

test("every puzzle is played out to the win of the player to move", () => {
  assert.equal(PUZZLES.length, 20);
  for (const { position, moves } of PUZZLES) {
    const start = Position.fromLine(position);
    assert.equal(playAll(start, moves.split(" ")).winner, start.turn, position);
  }
});
