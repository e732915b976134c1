// Compares the rules with those of another implementation. Standard input has a line with the texts, then one
// position per line as a JSON object.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { formatMove, parseLanMove, parseStandardMove } from "../../../quoridor_net/web/static/notation.js";
import { explain } from "../../../quoridor_net/web/static/reasons.js";
import { Position } from "../../../quoridor_net/web/static/rules.js";
import { setTexts } from "../../../quoridor_net/web/static/texts.js";

/**
 * @typedef {object} Vector
 * @property {string} line
 * @property {import("../../../quoridor_net/web/static/moves.js").Jumps} jumps
 * @property {number} turn
 * @property {number | null} winner
 * @property {string[]} legal in the 2016 notation, sorted
 * @property {(number | null)[]} distances
 * @property {[string, string][]} illegal moves, and why
 * @property {[string, string, string, string] | null} played in the 2016, standard and Athens notations; the line after it
 */

const [texts, ...lines] = readFileSync(0, "utf8").trim().split("\n");
setTexts(JSON.parse(texts));
for (const line of lines) {
  /** @type {Vector} */
  const vector = JSON.parse(line);
  const position = Position.fromLine(vector.line, vector.jumps);
  const { size } = position;
  assert.equal(position.toLine(), vector.line);
  assert.equal(position.turn, vector.turn, vector.line);
  assert.equal(position.winner, vector.winner, vector.line);
  const legal = position.legalMoves.map((move) => formatMove(move, "lan", size)).sort();
  assert.deepEqual(legal, vector.legal, vector.line);
  assert.deepEqual([...position.order].sort().map((player) => position.distance(player)), vector.distances, vector.line);
  for (const [move, why] of vector.illegal) {
    const reason = position.whyIllegal(parseLanMove(move));
    assert.ok(reason !== null, `${move} in ${vector.line}`);
    assert.equal(explain(reason, "standard", size), why, `${move} in ${vector.line}`);
  }
  if (vector.played === null) continue;
  const [lan, standard, athens, after] = vector.played;
  const move = parseLanMove(lan);
  assert.deepEqual(parseStandardMove(standard, size), move);
  assert.equal(formatMove(move, "lan", size), lan);
  assert.equal(formatMove(move, "standard", size), standard);
  assert.equal(formatMove(move, "athens", size), athens);
  assert.equal(position.play(move).toLine(), after, `${lan} in ${vector.line}`);
}
process.stdout.write(`${lines.length}\n`);
