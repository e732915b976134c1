// Checks that a report can join all modules into one script: plain imports and exports, unique names, no cycles.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const PAGES = new URL("../../../quoridor_net/web/static/", import.meta.url);

/** @type {Map<string, string>} */
const modules = new Map(
  readdirSync(PAGES)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(new URL(name, PAGES), "utf8")]),
);

/** @type {(code: string) => { names: string[], from: string }[]} */
const importsOf = (code) =>
  [...code.matchAll(/^import \{ ([\w, ]+) \} from "\.\/(\w+\.js)";$/gm)].map(([, names, from]) => ({
    names: names.split(", "),
    from,
  }));

/** @type {(code: string) => string[]} */
const namesOf = (code) =>
  [...code.matchAll(/^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)/gm)].map((match) => match[1]);

/** @type {(code: string) => Set<string>} */
const exportsOf = (code) =>
  new Set([...code.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)].map((match) => match[1]));

test("every import is one line of names, and every export stands where it is declared", () => {
  for (const [name, code] of modules) {
    assert.equal((code.match(/^import\b/gm) ?? []).length, importsOf(code).length, name);
    assert.equal((code.match(/^export\b/gm) ?? []).length, exportsOf(code).size, name);
    assert.doesNotMatch(code, /\bimport\.meta\b|^await\b|\bimport\((?!")/m, name);
  }
});

test("no text has several lines, because the joined script has no indentation", () => {
  for (const [name, code] of modules) {
    for (const line of code.split("\n")) assert.equal(line.split("`").length % 2, 1, `${name}: ${line}`);
  }
});

test("imports name existing exports", () => {
  for (const [name, code] of modules) {
    for (const { names, from } of importsOf(code)) {
      const found = exportsOf(modules.get(from) ?? "");
      for (const imported of names) assert.ok(found.has(imported), `${imported} in ${name}`);
    }
  }
});

test("no two modules share a top-level name", () => {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const [name, code] of modules) {
    for (const declared of namesOf(code)) {
      assert.equal(owners.get(declared), undefined, `${declared} in ${name}`);
      owners.set(declared, name);
    }
  }
});

test("no module imports itself through others", () => {
  /** @type {(name: string, way: string[]) => void} */
  const visit = (name, way) => {
    assert.ok(!way.includes(name), [...way, name].join(" -> "));
    for (const { from } of importsOf(modules.get(name) ?? "")) visit(from, [...way, name]);
  };
  visit("main.js", []);
});
