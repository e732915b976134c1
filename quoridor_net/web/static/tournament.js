// The page of a tournament: progress, running games, tables, and all games.

import { button, element, keepFocus, update } from "./dom.js";
import { drawLeaderboard } from "./league.js";
import { sayPhrase } from "./phrases.js";
import { drawRatings } from "./rating_plot.js";
import { RunningBoards } from "./running_boards.js";
import { loadMoreGames } from "./source.js";
import { followStanding } from "./standing.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";
import { drawCrosstable, drawEntrants, drawFacts, drawGames, drawOpenings } from "./tournament_tables.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {import("./standing.js").ListedGame} ListedGame */
/** @typedef {import("./standing.js").Standing} Standing */

/** Maximum number of boards on the page. */
const MOST_BOARDS = 12;

/** Number of games of a league that are shown at first. */
const FIRST_GAMES = 30;

/** Number of games to load when the reader wants to see more. */
const MORE_GAMES = 200;

/** @returns {Page} */
export function tournamentPage() {
  const view = new TournamentView();
  return { title: "", node: view.element, close: () => view.close() };
}

class TournamentView {
  constructor() {
    this.title = element("div", {});
    this.progress = element("div", { class: "tournament-progress" });
    this.boards = new RunningBoards(MOST_BOARDS);
    this.running = drawSection("tournament.running", this.boards.element);
    this.league = drawSection("league.title");
    this.standings = drawSection("tournament.standings");
    this.crosstable = drawSection("tournament.crosstable");
    this.play = drawSection("tournament.play");
    this.ratings = drawSection("ratings.title");
    this.openings = drawSection("tournament.openings");
    this.facts = drawSection("tournament.facts");
    this.games = drawSection("tournament.games");
    this.live = element("span", { class: "live" });
    const head = element("section", { class: "tournament-head" }, this.title, this.progress, this.live);
    const tables = [this.league, this.standings, this.crosstable, this.play, this.ratings, this.openings, this.facts].map(({ section }) => section);
    this.element = element(
      "div",
      { class: "tournament" },
      head,
      this.running.section,
      element("div", { class: "tournament-tables" }, ...tables),
      this.games.section,
    );
    /** Earlier games that the reader loaded. @type {Map<number, ListedGame>} */
    this.more = new Map();
    /** Maximum number of games shown. */
    this.most = Infinity;
    /** @type {Standing | null} */
    this.standing = null;
    this.connection = followStanding({
      onChange: (standing, changed) => keepFocus(this.element, /** @type {HTMLElement} */ (this.element.parentElement), () => this.show(standing, changed)),
      onState: (state) => this.showState(state),
    });
  }

  close() {
    this.connection.close();
    this.boards.close();
  }

  /** @private @param {import("./source.js").LiveState} state */
  showState(state) {
    const isKnown = state === "lost" || state === "connecting";
    this.live.textContent = state === "recorded" ? "" : text(isKnown ? `live.${state}` : "live.open");
    this.live.className = `live ${state}`;
  }

  /**
   * @private
   * @param {Standing} standing
   * @param {Set<string>} changed
   */
  show(standing, changed) {
    this.standing = standing;
    this.showHead(standing);
    if (changed.has("running")) {
      this.boards.show(standing.running);
      this.running.section.hidden = standing.running.length === 0;
    }
    if (changed.has("league")) fillTable(this.league, drawLeaderboard(standing.league));
    if (changed.has("standings")) fillTable(this.standings, drawEntrants(standing, "standings"));
    if (changed.has("standings")) fillTable(this.play, standing.done > 0 && drawEntrants(standing, "play"));
    if (changed.has("crosstable")) fillTable(this.crosstable, drawCrosstable(standing.crosstable, standing.standings));
    if (changed.has("ratings") || this.ratings.body.childElementCount === 0) fillTable(this.ratings, drawStrengths(standing));
    if (changed.has("openings")) fillTable(this.openings, drawOpenings(standing.openings ?? []));
    if (changed.has("facts")) fillTable(this.facts, drawFacts(standing));
    if (changed.has("games")) this.showGames(standing);
  }

  /** @private @param {Standing} standing */
  showHead(standing) {
    const isGathering = (standing.signup?.open ?? false) && !standing.signup?.started;
    const progress = isGathering ? [element("a", { class: "button primary", href: "#/signup" }, text("nav.signup"))] : drawProgress(standing);
    update(this.title, element("h1", {}, standing.title), standing.format !== "" && element("p", { class: "format" }, text(`format.${standing.format}`)));
    update(this.progress, ...progress);
  }

  /** @private @param {Standing} standing */
  showGames(standing) {
    const all = new Map(this.more);
    for (const game of standing.games) all.set(game.number, game);
    const games = [...all.values()].sort((first, second) => first.number - second.number);
    if (isLeague(standing)) {
      // The last games are the most interesting.
      games.reverse();
      if (this.most === Infinity) this.most = FIRST_GAMES;
    }
    const isAll = Math.min(games.length, this.most) >= standing.total;
    const more = !isAll && button(text("games.more"), () => this.loadMore(), { class: "more" });
    fillTable(this.games, games.length > 0 && drawGames(games.slice(0, this.most)), more);
  }

  /** @private */
  async loadMore() {
    const known = new Set([...this.more.keys(), ...(this.standing?.games ?? []).map((game) => game.number)]);
    let [offset, limit] = [0, MORE_GAMES];
    if (this.most === Infinity) {
      // The nearest games that are missing before the last ones, so that no hole is left; later ones at the end.
      const last = Math.max(...known);
      let before = last;
      while (known.has(before)) before -= 1;
      offset = before > 0 ? Math.max(0, before - MORE_GAMES) : last;
      if (before > 0) limit = before - offset;
    } else {
      this.most += MORE_GAMES;
      const oldest = Math.min(...known);
      offset = Math.max(0, oldest - 1 - MORE_GAMES);
      limit = oldest - 1 - offset;
    }
    for (const game of await loadMoreGames(offset, limit)) this.more.set(game.number, game);
    keepFocus(this.element, /** @type {HTMLElement} */ (this.element.parentElement), () => this.standing && this.showGames(this.standing));
  }
}

/**
 * Returns the ratings of the entrants as a plot and a table.
 * @param {Standing} standing
 */
function drawStrengths(standing) {
  const plot = drawRatings(standing.ratings ?? []);
  return plot && element("div", {}, plot, drawEntrants(standing, "strength"));
}

/**
 * Returns the progress of a tournament.
 * @param {Standing} standing
 */
export function drawProgress({ format, finished, stopping, awaited, done, total, per_minute: pace, expected_end: end }) {
  if (awaited) return [element("span", { role: "status" }, sayPhrase(awaited.phrase, awaited.sentence))];
  if (total === 0) return [element("span", {}, text("tournament.waiting"))];
  const isEndless = isLeague({ format });
  const facts = [isEndless ? text("league.done", { count: done }) : text("tournament.done", { done, total })];
  if (finished) facts.push(text("tournament.finished"));
  else if (stopping) facts.push(text("tournament.stopping"));
  if (!finished && pace !== null) facts.push(text("tournament.pace", { pace: (pace >= 10 ? Math.round(pace) : pace).toLocaleString(settings().language) }));
  if (!finished && end !== null && !isEndless) facts.push(text("tournament.end", { time: formatTime(end) }));
  return [
    !isEndless && element("progress", { max: total, value: done, "aria-label": text("tournament.progress") }),
    element("span", { class: "progress-facts" }, ...facts.map((fact) => element("span", {}, fact))),
  ];
}

/** @param {Pick<Standing, "format">} standing */
function isLeague({ format }) {
  return format === "league";
}

/** @param {string} moment ISO 8601 */
function formatTime(moment) {
  const when = new Date(moment);
  const isToday = when.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const parts = { hour: "2-digit", minute: "2-digit", ...(isToday ? {} : { weekday: "short" }) };
  const { language } = settings();
  return when.toLocaleTimeString(navigator.language.startsWith(language) ? navigator.language : language, parts);
}

/**
 * @param {string} key key of its heading
 * @param {...HTMLElement} children
 */
function drawSection(key, ...children) {
  const body = element("div", { class: "section-body", tabindex: "0", role: "group", "aria-label": text(key) }, ...children);
  return { body, section: element("section", { hidden: true }, element("h2", {}, text(key)), body) };
}

/**
 * @param {{ section: HTMLElement, body: HTMLElement }} section
 * @param {HTMLElement | null | false} table
 * @param {HTMLElement | false} [more]
 */
function fillTable({ section, body }, table, more = false) {
  section.hidden = !table;
  update(body, table, table && more);
}
