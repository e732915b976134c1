// The next mistake, and moves that count as found.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findMistake, isAsGood } from "../../../quoridor_net/web/static/mistakes.js";
import { parseStandardMove } from "../../../quoridor_net/web/static/notation.js";

/** @type {(ply: number, mark: "mistake" | "blunder" | null) => import("../../../quoridor_net/web/static/score_graph.js").PlyAnalysis} */
const analysed = (ply, mark) => ({ ply, player: 1, move: "e2", score: 0, chance: 0.5, best: [], loss: 0, mark });

test("the next and the previous mistake are found from any ply", () => {
  const plies = [analysed(1, null), analysed(2, "mistake"), analysed(3, null), analysed(4, "blunder")];
  assert.equal(findMistake(plies, 0, 1), 2);
  assert.equal(findMistake(plies, 2, 1), 4);
  assert.equal(findMistake(plies, 4, 1), null);
  assert.equal(findMistake(plies, 4, -1), 2);
  assert.equal(findMistake(plies, 2, -1), null);
});

test("a move counts as found unless a loss as large would be marked", () => {
  const lines = [
    { moves: ["e2", "e8"], chance: 0.6 },
    { moves: ["e3h"], chance: 0.56 },
    { moves: ["d1"], chance: 0.54 },
  ];
  const found = ["e2", "e3h", "d1", "f1"].filter((move) => isAsGood(parseStandardMove(move, 9), lines, 9));
  assert.deepEqual(found, ["e2", "e3h"]);
});
