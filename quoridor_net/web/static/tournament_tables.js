// The tables of a tournament: standings, crosstable, games.

import { element } from "./dom.js";
import { formatPoints } from "./standing.js";
import { text } from "./texts.js";

/** @typedef {import("./standing.js").ListedGame} ListedGame */
/** @typedef {import("./standing.js").Row} Row */
/** @typedef {import("./standing.js").Standing} Standing */

/** Columns behind name and points; those in `RARE_COLUMNS` are shown only where they tell something. */
const TABLE_COLUMNS = /** @type {const} */ (["played", "won", "drawn", "lost", "forfeited", "byes", "buchholz", "sonneborn_berger", "head_to_head"]);
const RARE_COLUMNS = new Set(["drawn", "forfeited", "byes", "head_to_head"]);
const POINTS_COLUMNS = new Set(["buchholz", "sonneborn_berger", "head_to_head"]);

/**
 * Returns the standings.
 * @param {Row[]} rows
 * @param {object} [options]
 * @param {number} [options.from] index of the first row that is shown
 * @param {number} [options.count] how many are shown
 */
export function drawStandings(rows, { from = 0, count = rows.length } = {}) {
  const columns = TABLE_COLUMNS.filter(
    (name) => rows.some((row) => row[name] !== undefined) && (!RARE_COLUMNS.has(name) || rows.some((row) => row[name] !== 0)),
  );
  const head = element(
    "tr",
    {},
    element("th", { scope: "col", class: "number" }, text("table.rank")),
    element("th", { scope: "col" }, text("table.name")),
    element("th", { scope: "col", class: "number" }, text("table.points")),
    ...columns.map((name) =>
      element("th", { scope: "col", class: "number minor" }, element("abbr", { title: text(`table.${name}.long`) }, text(`table.${name}`))),
    ),
  );
  const body = rows.slice(from, from + count).map((row) =>
    element(
      "tr",
      { class: row.rank === 1 ? "leads" : null },
      element("td", { class: "number" }, String(row.rank)),
      element("th", { scope: "row", class: "name" }, drawName(row)),
      element("td", { class: "number points" }, formatPoints(row.points)),
      ...columns.map((name) => element("td", { class: "number minor" }, formatCell(name, row[name] ?? 0))),
    ),
  );
  return element("table", { class: "standings" }, element("thead", {}, head), element("tbody", {}, ...body));
}

/**
 * Returns who scored what against whom, best first; null where there is no such table.
 * @param {Standing["crosstable"]} crosstable
 * @param {Row[]} standings of the same entrants, in the same order
 */
export function drawCrosstable(crosstable, standings) {
  if (crosstable === null || crosstable.names.length === 0) return null;
  const { names, cells } = crosstable;
  const numbers = names.map((name, index) =>
    element("th", { scope: "col", class: "number" }, element("abbr", { title: name }, String(index + 1))),
  );
  const rows = names.map((name, index) =>
    element(
      "tr",
      {},
      element("td", { class: "number" }, String(index + 1)),
      element("th", { scope: "row", class: "name" }, standings[index]?.name === name ? drawName(standings[index]) : name),
      ...cells[index].map((games, other) => drawCell(games, names[other])),
    ),
  );
  const head = element("tr", {}, element("th", { scope: "col" }), element("th", { scope: "col" }, text("table.name")), ...numbers);
  return element("table", { class: "crosstable" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

/**
 * Returns the games as a table; each that has begun leads to its page.
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
      { class: game.status },
      element("td", { class: "number of-number" }, String(game.number)),
      element("td", { class: "number of-round" }, String(game.round)),
      element("td", { class: "of-seats" }, drawSeats(game)),
      element("td", { class: "result of-result" }, game.points === null ? "" : game.points.map(formatPoints).join(" : ")),
      element("td", { class: "of-termination" }, game.termination === null ? text(`games.${game.status}`) : text(`termination.${game.termination}`)),
      element("td", { class: "number of-plies" }, game.status !== "finished" || game.plies === null ? "" : String(game.plies)),
    ),
  );
  return element("table", { class: "games" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

/**
 * Returns a name, with a remark if the entrant has left.
 * @param {Row} row
 */
function drawName({ name, left, counted }) {
  return element("span", {}, name, left && element("span", { class: "left" }, ` (${text(counted ? "table.left" : "table.uncounted")})`));
}

/** @param {ListedGame} game */
function drawSeats(game) {
  const names = game.seats.flatMap((name, index) => [
    index > 0 && element("span", { class: "versus" }, " – "),
    element("span", { class: game.points !== null && game.points[index] === Math.max(...game.points) && new Set(game.points).size > 1 ? "winner" : null }, name),
  ]);
  return game.status === "planned" ? element("span", {}, ...names) : element("a", { href: `#/games/${game.number}` }, ...names);
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
  // Long matches are told by their score.
  const shown = games.length > 4 ? `${formatPoints(total)}/${games.length}` : games.length === 0 ? "·" : each;
  return element("td", { class: `cell ${kind}`, title: `${opponent}: ${each}` }, shown);
}

/**
 * @param {string} name
 * @param {number} value
 */
function formatCell(name, value) {
  if (!POINTS_COLUMNS.has(name)) return String(value);
  // Sums of squares and products need no more than two digits.
  return Number.isInteger(2 * value) ? formatPoints(value) : value.toFixed(2);
}
