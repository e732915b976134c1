// The leaderboard of a league, and the page of an entrant.

import { element, svgElement } from "./dom.js";
import { sayName } from "./names.js";
import { sayPhrase } from "./phrases.js";
import { formatNumber, settings } from "./settings.js";
import { loadEntrant } from "./source.js";
import { formatPoints } from "./standing.js";
import { text } from "./texts.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {import("./standing.js").Leader} Leader */
/**
 * The record of an entrant.
 * @typedef {object} Entrant
 * @property {Leader} entrant
 * @property {string[]} times of the points of its history, ISO 8601
 * @property {{ version: string, time: string, first_game: number, elo: number | null }[]} versions
 * @property {{ number: number, name: string, elo: number, won: number, drawn: number, lost: number }[]} opponents
 * @property {{ number: number, time: string, opponent: string, seat: number, points: number, termination: string, plies: number }[]} games
 * @property {{ termination: string, count: number, fault: boolean, game: number, sentence: string, phrase: import("./phrases.js").Phrase | null, line: string, hint: string, hint_phrase: import("./phrases.js").Phrase | null, lines: string[] }[]} losses
 * @property {string} check command
 */

/** Size of a sparkline, in its own units. */
const [SPARK_WIDTH, SPARK_HEIGHT] = [96, 24];

/** Size of the plot of a rating over time, and its margins. */
const [HISTORY_WIDTH, HISTORY_HEIGHT, HISTORY_LEFT, HISTORY_BOTTOM] = [640, 220, 68, 26];

/** Minimum height of a plot of ratings, in Elo. */
const LEAST_RANGE = 100;

/**
 * Returns the leaderboard; null before it is known.
 * @param {Leader[] | null | undefined} leaders
 */
export function drawLeaderboard(leaders) {
  if (!leaders || leaders.length === 0) return null;
  const hasLevels = leaders.some(({ level }) => level !== null);
  const keys = ["rank", "name", hasLevels && "level", "elo", "day", "history", "played", "won", "lost", "forfeited"].filter((key) => key !== false);
  const head = keys.map((key) =>
    element("th", { scope: "col", class: `of-${key}${key === "name" ? "" : " number"}` }, key === "rank" || key === "name" ? text(`table.${key}`) : text(`league.${key}`)),
  );
  const rows = leaders.map((leader) => element("tr", { class: leader.presence === "here" ? null : leader.presence, "data-key": leader.number }, ...keys.map((key) => drawLeaderCell(leader, key))));
  return element("table", { class: "standings leaderboard" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

/**
 * @param {Leader} leader
 * @param {string} key
 */
function drawLeaderCell(leader, key) {
  switch (key) {
    case "rank":
      return element("td", { class: "number" }, leader.rank === null ? "" : String(leader.rank));
    case "name":
      return element("th", { scope: "row", class: "name" }, element("a", { href: `#/entrants/${leader.number}` }, sayName(leader.name)), drawRemark(leader));
    case "level":
      return element("td", { class: "number of-level" }, formatLevel(leader));
    case "elo":
      return element("td", { class: "number of-elo" }, formatElo(leader));
    case "day":
      return element("td", { class: `number of-day ${(leader.movement ?? 0) > 0 ? "up" : "down"}` }, formatMovement(leader.movement));
    case "history":
      return element("td", { class: "of-history" }, drawSparkline(leader.history));
    default:
      return element("td", { class: `number minor of-${key}` }, String(leader[/** @type {"played"} */ (key)]));
  }
}

/** @param {Leader} leader */
function drawRemark({ version, reference, presence, reason, phrase }) {
  return element(
    "span",
    { class: "remarks" },
    version !== "" && element("span", { class: "version" }, version),
    reference && element("span", { class: "reference" }, text("league.reference")),
    presence !== "here" && element("span", { class: "absence", title: reason === "" ? null : sayPhrase(phrase, reason) }, text(`league.${presence}`)),
  );
}

/** @param {Leader} leader */
function formatLevel({ level, reference }) {
  if (level === null) return "";
  const value = formatNumber(level.value, 1);
  return reference ? value : `${value} ± ${formatNumber(level.error, 1)}`;
}

/** @param {Leader} leader */
function formatElo({ elo, reference }) {
  const value = String(Math.round(elo.value ?? 0));
  return reference ? value : `${value} ± ${Math.round(((elo.high ?? 0) - (elo.low ?? 0)) / 2)}`;
}

/** @param {number | null} movement */
function formatMovement(movement) {
  if (movement === null || movement === 0) return "";
  return movement > 0 ? `▲ ${movement}` : `▼ ${-movement}`;
}

/**
 * Returns a small plot of past ratings, oldest first; null with fewer than two.
 * @param {(number | null)[]} history
 */
function drawSparkline(history) {
  const known = history.flatMap((elo, index) => (elo === null ? [] : [{ elo, index }]));
  if (known.length < 2) return null;
  const values = known.map(({ elo }) => elo);
  const middle = (Math.max(...values) + Math.min(...values)) / 2;
  const range = Math.max(Math.max(...values) - Math.min(...values), LEAST_RANGE);
  const points = known.map(({ elo, index }) => {
    const x = 2 + (index / (history.length - 1)) * (SPARK_WIDTH - 4);
    const y = SPARK_HEIGHT / 2 - ((elo - middle) / range) * (SPARK_HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const label = text("league.from_to", { from: values[0], to: values[values.length - 1] });
  return svgElement(
    "svg",
    { viewBox: `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`, class: "sparkline", role: "img", "aria-label": label },
    svgElement("title", {}, label),
    svgElement("polyline", { points: points.join(" ") }),
  );
}

/**
 * @param {Record<string, string>} parameters
 * @returns {Promise<Page>}
 */
export async function entrantPage({ number }) {
  const record = await loadEntrant(number);
  return { title: sayName(record.entrant.name), node: drawEntrant(record) };
}

/** @param {Entrant} record */
function drawEntrant({ entrant, times, versions, opponents, games, losses, check }) {
  const sections = [
    ["league.history", drawHistory(entrant.history, times, versions)],
    ["league.losses", drawLosses(losses, check)],
    ["league.opponents", drawOpponents(opponents)],
    ["league.games", drawLastGames(games)],
  ];
  return element(
    "div",
    { class: "tournament entrant" },
    element(
      "section",
      { class: "tournament-head" },
      element("div", {}, element("h1", {}, sayName(entrant.name), " ", drawRemark(entrant)), element("p", { class: "format" }, describe(entrant))),
      element("a", { class: "button", href: "#/" }, text("league.title")),
    ),
    entrant.presence === "away" && element("p", { class: "card failure" }, text("league.away_since", { time: formatMoment(entrant.since ?? ""), reason: sayPhrase(entrant.phrase, entrant.reason) })),
    ...sections.map(([key, body]) => body && element("section", {}, element("h2", {}, text(String(key))), element("div", { class: "section-body", tabindex: "0", role: "group", "aria-label": text(String(key)) }, /** @type {HTMLElement} */ (body)))),
  );
}

/** @param {Leader} entrant */
function describe(entrant) {
  const facts = [];
  if (entrant.rank !== null) facts.push(text("league.place", { place: entrant.rank }));
  if (entrant.level !== null) facts.push(text(entrant.reference ? "league.is_level" : "league.plays_like", { level: formatLevel(entrant) }));
  facts.push(`${formatElo(entrant)} Elo`, text("league.record", { count: entrant.played, won: entrant.won, lost: entrant.lost }));
  return facts.join(" · ");
}

/**
 * Returns the plot of a rating over time; null with fewer than two points.
 * @param {(number | null)[]} history
 * @param {string[]} times
 * @param {Entrant["versions"]} versions
 */
function drawHistory(history, times, versions) {
  const known = history.flatMap((elo, index) => (elo === null ? [] : [{ elo, at: Date.parse(times[index]) }]));
  if (known.length < 2) return null;
  const values = known.map(({ elo }) => elo);
  const range = Math.max(...values) - Math.min(...values);
  const step = range > 400 ? 200 : range > 150 ? 100 : 50;
  const low = Math.floor((Math.min(...values) - 10) / step) * step;
  const high = Math.ceil((Math.max(...values) + 10) / step) * step;
  const [first, last] = [known[0].at, known[known.length - 1].at];
  const place = (/** @type {number} */ at) => HISTORY_LEFT + ((at - first) / Math.max(last - first, 1)) * (HISTORY_WIDTH - HISTORY_LEFT - 12);
  const height = (/** @type {number} */ elo) => 14 + ((high - elo) / (high - low)) * (HISTORY_HEIGHT - HISTORY_BOTTOM - 22);
  const lines = [];
  for (let value = low; value <= high; value += step) {
    lines.push(
      svgElement("line", { x1: HISTORY_LEFT, x2: HISTORY_WIDTH - 12, y1: height(value), y2: height(value), class: "plot-line" }),
      svgElement("text", { x: HISTORY_LEFT - 8, y: height(value) + 4, class: "plot-name" }, String(value)),
    );
  }
  for (const { version, time } of versions) {
    const at = Date.parse(time);
    if (at < first || at > last) continue;
    lines.push(
      svgElement("line", { x1: place(at), x2: place(at), y1: 8, y2: HISTORY_HEIGHT - HISTORY_BOTTOM, class: "plot-zero" }),
      svgElement("text", { x: place(at) + 5, y: 18, class: "plot-version" }, version),
    );
  }
  const ends = [
    svgElement("text", { x: HISTORY_LEFT, y: HISTORY_HEIGHT - 6, class: "plot-version" }, formatMoment(first)),
    svgElement("text", { x: HISTORY_WIDTH - 12, y: HISTORY_HEIGHT - 6, class: "plot-name" }, formatMoment(last)),
  ];
  const points = known.map(({ elo, at }) => `${place(at).toFixed(1)},${height(elo).toFixed(1)}`).join(" ");
  const dots = known.map(({ elo, at }) => svgElement("circle", { cx: place(at), cy: height(elo), r: 3.5, class: "plot-value" }, svgElement("title", {}, `${elo}`)));
  const label = text("league.from_to", { from: values[0], to: values[values.length - 1] });
  return element(
    "figure",
    { class: "rating-plot history-plot" },
    svgElement(
      "svg",
      { viewBox: `0 0 ${HISTORY_WIDTH} ${HISTORY_HEIGHT}`, role: "img", "aria-label": label },
      ...lines,
      ...ends,
      svgElement("polyline", { points, class: "plot-history" }),
      ...dots,
    ),
  );
}

/**
 * Returns why games were lost; null without losses.
 * @param {Entrant["losses"]} losses
 * @param {string} check
 */
function drawLosses(losses, check) {
  if (losses.length === 0) return null;
  const hasFaults = losses.some(({ fault }) => fault);
  return element(
    "div",
    { class: "losses" },
    ...losses.map((loss) =>
      element(
        "article",
        { class: `card loss ${loss.fault ? "fault" : ""}` },
        element("h3", {}, text(`termination.${loss.termination}`), " ", element("span", { class: "count" }, text("league.times", { count: loss.count }))),
        loss.fault && element("p", {}, text("league.last_time"), " ", sayPhrase(loss.phrase, loss.sentence), loss.line !== "" && element("span", {}, ": ", element("code", {}, loss.line))),
        loss.fault && loss.hint !== "" && element("p", { class: "hint" }, sayPhrase(loss.hint_phrase, loss.hint)),
        loss.lines.length > 0 && element("details", {}, element("summary", {}, text("league.lines")), element("pre", { tabindex: "0" }, loss.lines.join("\n"))),
        element("a", { href: `#/games/${loss.game}` }, text("league.game", { number: loss.game })),
      ),
    ),
    hasFaults && check !== "" && element("p", { class: "check" }, text("league.check"), " ", element("code", {}, check)),
  );
}

/** @param {Entrant["opponents"]} opponents */
function drawOpponents(opponents) {
  if (opponents.length === 0) return null;
  const keys = ["won", "drawn", "lost"];
  const head = [
    element("th", { scope: "col" }, text("league.opponent")),
    ...["elo", ...keys, "score"].map((key) => element("th", { scope: "col", class: `number of-${key}` }, text(`league.${key}`))),
  ];
  const rows = opponents.map((opponent) => {
    const games = opponent.won + opponent.drawn + opponent.lost;
    const share = (opponent.won + opponent.drawn / 2) / games;
    return element(
      "tr",
      {},
      element("th", { scope: "row", class: "name" }, element("a", { href: `#/entrants/${opponent.number}` }, sayName(opponent.name))),
      element("td", { class: "number of-elo" }, String(opponent.elo)),
      ...keys.map((key) => element("td", { class: `number of-${key}` }, String(opponent[/** @type {"won" | "drawn" | "lost"} */ (key)]))),
      element("td", { class: "number" }, `${Math.round(100 * share)} %`),
    );
  });
  return element("table", { class: "standings" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

/** @param {Entrant["games"]} games */
function drawLastGames(games) {
  if (games.length === 0) return null;
  const head = ["time", "opponent", "points", "termination", "plies"].map((key) => element("th", { scope: "col", class: `of-${key}${key === "plies" ? " number" : ""}` }, text(`league.${key}`)));
  const rows = games.map((game) =>
    element(
      "tr",
      {},
      element("td", { class: "of-time" }, formatMoment(game.time)),
      element("td", {}, element("a", { href: `#/games/${game.number}` }, sayName(game.opponent))),
      element("td", { class: "result of-points" }, formatPoints(game.points)),
      element("td", { class: "of-termination" }, text(`termination.${game.termination}`)),
      element("td", { class: "number of-plies" }, String(game.plies)),
    ),
  );
  return element("table", { class: "games" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

/** @param {string | number} moment ISO 8601, or milliseconds */
function formatMoment(moment) {
  const { language } = settings();
  const region = navigator.language.startsWith(language) ? navigator.language : language;
  return new Date(moment).toLocaleString(region, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}
