// Every text of the pages exists in every language and is used. tests/web/test_texts.py checks the sentences of
// the server.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { setTexts, text } from "../../../quoridor_net/web/static/texts.js";

const PAGES = new URL("../../../quoridor_net/web/static/", import.meta.url);

/** @type {(name: string) => Record<string, string>} */
const read = (name) => JSON.parse(readFileSync(new URL(`texts/${name}`, PAGES), "utf8"));
const languages = readdirSync(new URL("texts/", PAGES));
const english = read("en.json");

const code = readdirSync(PAGES)
  .filter((name) => name.endsWith(".js"))
  .map((name) => readFileSync(new URL(name, PAGES), "utf8"))
  .join("\n");
const literals = new Set([...code.matchAll(/"([a-z]+(?:\.\w+)+)"/g)].map((match) => match[1]));
const prefixes = [...code.matchAll(/`([a-z]+\.(?:\w+\.)*)\$\{/g)].map((match) => match[1]);

const isUsed = (/** @type {string} */ key) =>
  literals.has(key) ||
  (key.endsWith(".one") && literals.has(key.slice(0, -".one".length))) ||
  prefixes.some((prefix) => key.startsWith(prefix));

const placeholders = (/** @type {string} */ value) => (value.match(/\{\w+\}/g) ?? []).sort();

for (const language of languages) {
  test(`${language} has the texts of en.json, in the same order and with the same values`, () => {
    const texts = Object.entries(read(language)).filter(([key]) => key in english);
    assert.deepEqual(texts.map(([key]) => key), Object.keys(english));
    for (const [key, value] of texts) {
      assert.notEqual(value.trim(), "", key);
      assert.deepEqual(placeholders(value), placeholders(english[key]), key);
    }
  });
}

test("no text is missing", () => {
  const used = [...code.matchAll(/\btext\(\s*"([^"]+)"/g)].map((match) => match[1]);
  assert.ok(used.length > 50);
  assert.deepEqual(used.filter((key) => !(key in english)), []);
});

test("no text is unused", () => {
  assert.deepEqual(Object.keys(english).filter((key) => !isUsed(key)), []);
});

test("composed keys have texts", () => {
  assert.ok(prefixes.length > 5);
  // Some are sentences of the server, which have no English text in a file.
  const keys = Object.keys(read("de.json"));
  for (const prefix of prefixes) assert.ok(keys.some((key) => key.startsWith(prefix)), prefix);
});

test("texts have values and singular forms, and values stay text", () => {
  setTexts({ steps: "{count} steps", "steps.one": "{count} step", name: "<{name}>" });
  assert.equal(text("steps", { count: 2 }), "2 steps");
  assert.equal(text("steps", { count: 1 }), "1 step");
  assert.equal(text("name", { name: "{count} & $&" }), "<{count} & $&>");
});
