// The tables of a tournament: entrants, crosstable, games and facts.

import { element } from "./dom.js";
import { sayName } from "./names.js";
import { sayPhrase } from "./phrases.js";
import { formatPoints } from "./standing.js";
import { text } from "./texts.js";

/** @typedef {import("./standing.js").ListedGame} ListedGame */
/** @typedef {import("./standing.js").Row} Row */
/** @typedef {import("./standing.js").Standing} Standing */

/**
 * Returns one of the tables of entrants; null without rows.
 * @param {Standing} standing
 * @param {"standings" | "play" | "strength"} section
 * @param {object} [options]
 * @param {number} [options.from] index of the first shown row
 * @param {number} [options.count] maximum number of rows
 */
export function drawEntrants({ sheets, standings, done }, section, { from = 0, count } = {}) {
  const sheet = sheets[section];
  if (sheet === undefined || sheet.rows.length === 0) return null;
  const names = sheet.headings.map(({ phrase }) => `of-${phrase?.code.replace("column.", "") ?? ""}`);
  const head = element(
    "tr",
    {},
    element("th", { scope: "col", class: "number" }, text("table.rank")),
    element("th", { scope: "col" }, text("table.name")),
    ...sheet.headings.map(({ phrase, sentence }, index) => {
      const [heading, title = null] = sayPhrase(phrase, sentence).split(": ");
      return element("th", { scope: "col", class: `number minor ${names[index]}` }, element("abbr", { title }, heading));
    }),
  );
  const body = sheet.rows.slice(from, count && from + count).map((row) =>
    element(
      "tr",
      { class: row.place === 1 && done > 0 ? "leads" : null, "data-key": standings[row.at].name },
      element("td", { class: "number" }, String(row.place)),
      element("th", { scope: "row", class: "name" }, drawName(standings[row.at])),
      ...row.cells.map((cell, index) => element("td", { class: `number minor ${names[index]}` }, typeof cell === "string" ? cell : sayPhrase(cell, ""))),
    ),
  );
  return element("table", { class: `standings of-${section}` }, element("thead", {}, head), element("tbody", {}, ...body));
}

/**
 * Returns the list of facts about the tournament; null without any.
 * @param {Standing} standing
 */
export function drawFacts({ facts, standings }) {
  if (facts.length === 0) return null;
  return element("ul", { class: "facts" }, ...facts.map((fact) => element("li", {}, sayFact(fact, standings))));
}

/**
 * Returns a fact in the reader's language, with the names of entrants as people read them.
 * @param {import("./standing.js").Said} fact
 * @param {Row[]} standings
 */
export function sayFact({ phrase, sentence }, standings) {
  return standings.reduce((said, { name }) => said.replaceAll(name, () => sayName(name)), sayPhrase(phrase, sentence));
}

/**
 * Returns the scores of all entrants against each other, best first; null if there is no such table.
 * @param {Standing["crosstable"]} crosstable
 * @param {Row[]} standings of the same entrants, in the same order
 */
export function drawCrosstable(crosstable, standings) {
  if (crosstable === null || crosstable.names.length === 0) return null;
  const { names, cells } = crosstable;
  const numbers = names.map((name, index) =>
    element("th", { scope: "col", class: "number" }, element("abbr", { title: sayName(name) }, String(index + 1))),
  );
  const rows = names.map((name, index) =>
    element(
      "tr",
      { "data-key": name },
      element("td", { class: "number" }, String(index + 1)),
      element("th", { scope: "row", class: "name" }, standings[index]?.name === name ? drawName(standings[index]) : sayName(name)),
      ...cells[index].map((games, other) => drawCell(games, names[other])),
    ),
  );
  const rank = element("th", { scope: "col", class: "number" }, text("table.rank"));
  const head = element("tr", {}, rank, element("th", { scope: "col", class: "name" }, text("table.name")), ...numbers);
  return element("table", { class: "crosstable" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

/**
 * Returns the games as a table, with links to those that have started.
 * @param {ListedGame[]} games
 */
export function drawGames(games) {
  const keys = ["number", "round", "seats", "result", "termination", "plies"];
  const head = keys.map((key) =>
    element("th", { scope: "col", class: ["number", "round", "plies"].includes(key) ? `number of-${key}` : `of-${key}` }, text(`games.${key}`)),
  );
  const rows = games.map((game) =>
    element(
      "tr",
      { class: game.status, "data-key": game.number },
      element("td", { class: "number of-number" }, String(game.number)),
      element("td", { class: "number of-round" }, String(game.round)),
      element("td", { class: "of-seats" }, drawSeats(game)),
      element("td", { class: "result of-result" }, game.points === null ? "" : game.points.map(formatPoints).join(" : ")),
      element("td", { class: "of-termination" }, drawEnding(game)),
      element("td", { class: "number of-plies" }, game.status !== "finished" || game.plies === null ? "" : String(game.plies)),
    ),
  );
  return element("table", { class: "games" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

/**
 * Returns the scores of the openings; null without any.
 * @param {import("./standing.js").Opening[]} openings
 */
export function drawOpenings(openings) {
  if (openings.length === 0) return null;
  const keys = ["opening", "played", "first"];
  const head = keys.map((key, index) => element("th", { scope: "col", class: index > 0 ? "number" : null }, text(`openings.${key}`)));
  const rows = openings.map(({ opening, played, first }) =>
    element(
      "tr",
      { "data-key": opening },
      element("th", { scope: "row", class: "name" }, opening),
      element("td", { class: "number" }, String(played)),
      element("td", { class: "number" }, `${formatPoints(first)}/${played}`),
    ),
  );
  return element("table", { class: "standings of-openings" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

/**
 * Returns an entrant's name, with a remark if it has left.
 * @param {Row} row
 */
function drawName({ name, withdrawn, counted }) {
  return element("span", {}, sayName(name), withdrawn && element("span", { class: "left" }, ` (${text(counted ? "table.left" : "table.uncounted")})`));
}

/** @param {ListedGame} game */
function drawSeats(game) {
  const names = game.seats.flatMap((name, index) => [
    index > 0 && element("span", { class: "versus" }, " – "),
    element("span", { class: game.points !== null && game.points[index] === Math.max(...game.points) && new Set(game.points).size > 1 ? "winner" : null }, sayName(name)),
  ]);
  const hasBegun = game.status === "running" || game.status === "finished";
  return !hasBegun ? element("span", {}, ...names) : element("a", { href: `#/games/${game.number}` }, ...names);
}

/**
 * @param {number[] | null} games points of each
 * @param {string} opponent
 */
function drawCell(games, opponent) {
  if (games === null) return element("td", { class: "itself" });
  const total = games.reduce((sum, points) => sum + points, 0);
  const share = games.length === 0 ? null : total / games.length;
  const kind = share === null ? "" : share > 0.5 ? "ahead" : share < 0.5 ? "behind" : "";
  const each = games.map(formatPoints).join(" ");
  // Long matches show the total score only.
  const shown = games.length > 4 ? `${formatPoints(total)}/${games.length}` : games.length === 0 ? "·" : each;
  return element("td", { class: `cell ${kind}`, title: `${sayName(opponent)}: ${each}` }, shown);
}

/**
 * Returns how a game ended, or why it has no result.
 * @param {ListedGame} game
 */
function drawEnding({ termination, status, sentence, phrase, counted }) {
  if (termination !== null) return text(`termination.${termination}`) + (counted ? "" : ` · ${text("games.uncounted")}`);
  return text(`games.${status}`) + (sentence === null ? "" : ` · ${sayPhrase(phrase, sentence)}`);
}
