// Names as people read them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../../../quoridor_net/web/static/game.js";
import { sayName } from "../../../quoridor_net/web/static/names.js";
import { setTexts } from "../../../quoridor_net/web/static/texts.js";

test("the engine is named in words, with its options", () => {
  setTexts({ "name.engine": "Engine", "name.level": "level {level}", "name.think": "{seconds} s per move" });
  assert.equal(sayName("engine"), "Engine");
  assert.equal(sayName("engine:level=3"), "Engine, level 3");
  assert.equal(sayName("engine:level=5,think=0.1"), "Engine, level 5, 0.1 s per move");
});

test("underscores are spaces, and other names stay as they are", () => {
  assert.equal(sayName("The_quick_team"), "The quick team");
  for (const name of ["ann:bot", "engine:mine", "engine:level=x", "engines", "<b>"]) assert.equal(sayName(name), name);
});

test("sentences about a game name its players in words", () => {
  setTexts({ "name.engine": "Engine", "name.level": "level {level}" });
  const names = ["engine:level=3", "the_$&_team"];
  const game = new Game([{ event: "game_started", names, jumps: "official", position: " /  / e1 e9 / 10 10 / 1" }]);
  const sentence = "engine:level=3 (player 1) wins: the_$&_team (player 2) resigned.";
  assert.equal(game.say({ sentence }), "Engine, level 3 (player 1) wins: the $& team (player 2) resigned.");
});
