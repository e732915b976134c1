// Games built from events: moves, moves taken back, passes and results.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../../../quoridor_net/web/static/game.js";
import { parseLanMove, parseStandardMove } from "../../../quoridor_net/web/static/notation.js";
import { formatClock } from "../../../quoridor_net/web/static/players_panel.js";

const START = " /  / e1 e9 / 10 10 / 1";
const started = { event: "game_started", names: ["ann", "bob"], size: 9, jumps: "official", position: START, move_time: 5 };
const first = { event: "move_made", player: 1, move: "(4, 1)", ply: 1, seconds: 2, position: " /  / e2 e9 / 10 10 / 2" };
const second = {
  event: "move_made",
  player: 2,
  move: "[(3, 1), h]",
  ply: 2,
  seconds: 3.5,
  position: "d2 /  / e2 e9 / 10 9 / 1",
};

test("moves, positions, clocks and owners of walls follow from events", () => {
  const game = new Game([started, first, second]);
  assert.equal(game.movesMade, 2);
  assert.equal(game.positionAt(1).toLine(), " /  / e2 e9 / 10 10 / 2");
  assert.deepEqual(game.lastMoveAt(1), { kind: "step", column: 4, row: 1 });
  assert.equal(game.secondsUsed(2, 2), 3.5);
  assert.equal(game.secondsUsed(2, 1), 0);
  const wall = /** @type {import("../../../quoridor_net/web/static/moves.js").Wall} */ (game.lastMoveAt(2));
  assert.equal(game.position.owner(wall), 2);
  assert.equal(game.moveTime, 5);
});

test("walls keep the players who placed them, if they are known", () => {
  const opened = new Game([{ ...started, position: "a1d2 / f6 / e1 e9 / 10 9 / 2", owners: [null, 2, 1] }]);
  opened.add({ ...second, move: "[(7, 3), h]", position: "a1d2h4 / f6 / e1 e9 / 10 8 / 1" });
  opened.add({ ...first, position: "a1d2h4 / f6 / e2 e9 / 10 8 / 2" });
  const { position } = opened;
  assert.deepEqual(position.walls.map((wall) => position.owner(wall)), [null, 2, 2, 1]);
  const tried = position.play(parseStandardMove("a7v", 9));
  assert.deepEqual(tried.walls.map((wall) => tried.owner(wall)), [null, 2, 2, 1, 2]);
});

test("a player thinks from a request until the next event", () => {
  const game = new Game([started]);
  game.add({ event: "move_requested", player: 1, ply: 0 }, 700);
  assert.deepEqual(game.thinking, { player: 1, since: 700, left: null });
  game.add(first);
  assert.equal(game.thinking, null);
});

test("the time left on a clock is known after every move", () => {
  const game = new Game([{ ...started, clocks: [[60, 2], null], first_move_time: 30 }]);
  assert.deepEqual([game.timeLeft(1, 0), game.timeLeft(2, 0), game.isFirst(1, 0)], [60, null, true]);
  game.add({ ...first, left: 58.5 });
  assert.deepEqual([game.timeLeft(1, 0), game.timeLeft(1, 1), game.isFirst(1, 1)], [60, 58.5, false]);
});

test("the clock of a move that is never made does not go back", () => {
  const timed = { ...started, clocks: [[60, 2], [60, 2]] };
  const asked = { event: "move_requested", player: 2, ply: 1, left: 60 };
  const out = { event: "player_out", player: 1, termination: "resigned", sentence: "", line: "", hint: "", ply: 1, position: " /  / - e9 / 0 10 / 0" };
  const ended = { event: "game_ended", winner: 2, termination: "resigned", sentence: "", plies: 1, line: "", names: [] };
  const game = new Game([timed, { ...first, left: 60 }, asked, { ...out, thought: 12.5 }, ended]);
  assert.deepEqual([game.timeLeft(2, 2), game.secondsUsed(2, 2)], [47.5, 12.5]);
  assert.deepEqual([game.timeLeft(1, 2), game.secondsUsed(1, 2)], [60, 2]);
  // The reader looks at the position before.
  assert.deepEqual([game.timeLeft(2, 1), game.secondsUsed(2, 1)], [60, 0]);
  const drawn = new Game([timed, asked, { ...ended, winner: null, thought: 3 }]);
  assert.deepEqual([drawn.timeLeft(2, 0), drawn.secondsUsed(2, 0)], [57, 3]);
  // Its own limit applies to a first move instead.
  const early = new Game([{ ...timed, first_move_time: 30 }, { ...asked, player: 1 }, { ...ended, thought: 3 }]);
  assert.deepEqual([early.timeLeft(1, 0), early.secondsUsed(1, 0)], [60, 3]);
});

test("a game has clocks if thinking times are known", () => {
  const untimed = { ...first, seconds: 0 };
  assert.equal(new Game([started, untimed]).isTimed, false);
  assert.equal(new Game([started, untimed, second]).isTimed, true);
  assert.equal(new Game([started, { event: "move_requested", player: 1, ply: 0 }]).isTimed, true);
});

test("moves taken back are removed", () => {
  const game = new Game([started, first, second]);
  game.add({ event: "moves_taken_back", player: 1, plies: 2, position: START });
  assert.equal(game.plies.length, 0);
  assert.equal(game.position.toLine(), START);
});

test("a player who is out keeps the reason and the refused move", () => {
  const out = {
    event: "player_out",
    player: 2,
    termination: "illegal_move",
    sentence: "played (4, 4)",
    line: "TESUJI (4, 4)",
    hint: "",
    move: "(4, 4)",
    position: " /  / e2 - / 10 0 / 0",
  };
  const game = new Game([started, first, out]);
  assert.equal(game.movesMade, 1);
  assert.equal(game.leaving(2, 2)?.out?.termination, "illegal_move");
  assert.equal(game.leaving(2, 1), null);
  assert.deepEqual(game.plies[1].out?.refused, { kind: "step", column: 4, row: 4 });
  assert.equal(game.position.winner, 1);
});

test("events of later versions change nothing", () => {
  const game = new Game([started, { event: "weather_changed" }, first]);
  game.add({ event: "turn_passed", player: 2 });
  assert.deepEqual(game.plies[0].passed, [2]);
});

test("a result without a start has names", () => {
  const game = new Game([{ event: "game_ended", winner: null, termination: "aborted", sentence: "", plies: 0, line: "", names: ["a", "b"] }]);
  assert.equal(game.name(2), "b");
  assert.equal(game.result?.termination, "aborted");
});

test("invalid moves are refused", () => {
  for (const text of ["", "(4,)", "[(1, 2), x]", "e2", "(100, 1)"]) assert.throws(() => parseLanMove(text), RangeError);
  for (const text of ["", "z1", "e10", "e2x", "(4, 1)"]) assert.throws(() => parseStandardMove(text, 9), RangeError);
});

test("clocks have minutes, seconds and tenths", () => {
  assert.equal(formatClock(0, false), "0:00");
  assert.equal(formatClock(7.96, true), "0:07.9");
  assert.equal(formatClock(754, false), "12:34");
  assert.equal(formatClock(3723.4, false), "1:02:03");
});

test("the last picture of a game keeps the pawn that resigned", () => {
  const out = { event: "player_out", player: 2, termination: "resigned", sentence: "", line: "", hint: "", position: " /  / e2 - / 10 0 / 0" };
  const ended = { event: "game_ended", winner: 1, termination: "resigned", sentence: "", plies: 1, names: ["ann", "bob"], line: "" };
  const game = new Game([started, first, out]);
  assert.equal(game.pictureAt(2).pawn(2), null);
  game.add(ended);
  assert.deepEqual(game.pictureAt(2).pawn(2), { column: 4, row: 8 });
  assert.deepEqual([game.pictureAt(2).isOver, game.pictureAt(2).winner], [true, 1]);
  assert.equal(game.pictureAt(1), game.positionAt(1));
});
