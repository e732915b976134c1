// The page for a classroom projector: shows a tournament in large type, and turns its pages automatically.

import { element, iconButton, keepFocus, setText, update } from "./dom.js";
import { drawLeaderboard } from "./league.js";
import { sayName } from "./names.js";
import { drawRatings } from "./rating_plot.js";
import { RunningBoards } from "./running_boards.js";
import { followStanding } from "./standing.js";
import { text } from "./texts.js";
import { drawProgress } from "./tournament.js";
import { drawCrosstable, drawEntrants, drawFacts, drawGames, sayFact } from "./tournament_tables.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {import("./standing.js").Standing} Standing */

/** Duration of each leaf, in milliseconds. */
const LEAF_TIME = 12_000;

/** Maximum numbers of boards, of table rows and of crosstable entrants that can be read from the back of a room. */
const LEAF_BOARDS = 4;
const LEAF_ROWS = 12;
const CLOSING_ROWS = 7;
const MOST_CROSSED = 14;

/** Maximum number of crosstable entrants on a phone, and the minimum width of wider windows, in CSS pixels. */
const FEW_CROSSED = 8;
const WIDE = 640;

/** @typedef {{ key: string, draw: () => HTMLElement | null }} Leaf */

/** @returns {Page} */
export function projectorPage() {
  const projector = new Projector();
  return { title: text("nav.projector"), node: projector.element, close: () => projector.close() };
}

class Projector {
  constructor() {
    this.boards = new RunningBoards(LEAF_BOARDS);
    this.leaf = element("div", { class: "projector-leaf" });
    this.heading = element("h1", { tabindex: "-1" });
    this.dots = element("span", { class: "projector-dots", "aria-hidden": "true" });
    this.progress = element("div", { class: "tournament-progress" });
    this.live = element("span", { class: "live" });
    this.pause = iconButton("pause", text("projector.pause"), () => this.stop());
    this.play = iconButton("play", text("projector.play"), () => this.start());
    const controls = [
      iconButton("back", text("projector.back"), () => this.show(-1)),
      this.pause,
      this.play,
      iconButton("forward", text("projector.forward"), () => this.show(1)),
      iconButton("full", text("projector.full"), () => toggleFullScreen(this.element)),
    ];
    const foot = element("footer", { class: "projector-foot" }, this.progress, this.live, this.dots, element("span", { class: "controls" }, ...controls));
    this.element = element("div", { class: "projector" }, this.heading, this.leaf, foot);
    /** @type {Standing | null} */
    this.standing = null;
    this.index = 0;
    /** The leaf that is shown: its key, and its place among those with this key. */
    this.shown = "";
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.connection = followStanding({
      onChange: (standing, changed) => keepFocus(this.leaf, this.heading, () => this.update(standing, changed)),
      onState: (state) => {
        this.live.textContent = state === "lost" ? text("live.lost") : "";
        this.live.className = `live ${state === "lost" ? "lost" : ""}`;
      },
    });
    this.start();
  }

  close() {
    clearInterval(this.timer);
    this.connection.close();
    this.boards.close();
  }

  /** Starts turning pages automatically. */
  start() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.show(1), LEAF_TIME);
    this.pause.hidden = false;
    this.play.hidden = true;
  }

  stop() {
    clearInterval(this.timer);
    this.pause.hidden = true;
    this.play.hidden = false;
  }

  /**
   * @private
   * @param {Standing} standing
   * @param {Set<string>} changed
   */
  update(standing, changed) {
    // Everybody sees the winner first.
    if (standing.finished && this.standing?.finished === false) [this.shown, this.index] = ["", 0];
    this.standing = standing;
    if (changed.has("running")) this.boards.show(standing.running);
    update(this.progress, ...drawProgress(standing));
    // The boards already show a move, so the leaf need not fade in again.
    if (changed.size > 1 || !changed.has("running") || this.leaf.childElementCount === 0) this.show();
  }

  /**
   * Shows the same leaf again, though others may come and go before it, or another one.
   * @private
   * @param {number} [further] number of leaves from it to the other one
   */
  show(further = 0) {
    if (this.standing === null) return;
    const leaves = leavesOf(this.standing, this.boards);
    /** @type {Map<string, number>} */
    const parts = new Map();
    const names = leaves.map(({ key }) => {
      parts.set(key, (parts.get(key) ?? 0) + 1);
      return `${key} ${parts.get(key)}`;
    });
    const here = names.indexOf(this.shown);
    // A leaf that is gone makes place for the next one.
    this.index = ((here < 0 ? this.index : here) + further + leaves.length) % leaves.length;
    this.shown = names[this.index];
    const { key, draw } = leaves[this.index];
    setText(this.heading, `${this.standing.title} · ${text(key)}`);
    const drawing = draw();
    // Fewer rows get larger type.
    this.leaf.style.setProperty("--rows", String(drawing?.querySelectorAll("tr").length ?? 1));
    update(this.leaf, drawing);
    update(this.dots, ...leaves.map((_, place) => element("i", { class: place === this.index ? "here" : null })));
  }
}

/**
 * Returns the leaves to show now, at least one.
 * @param {Standing} standing
 * @param {RunningBoards} boards
 * @returns {Leaf[]}
 */
function leavesOf(standing, boards) {
  /** @type {Leaf[]} */
  const leaves = [];
  if (standing.finished && drawWinner(standing) !== null) leaves.push({ key: "projector.closing", draw: () => drawWinner(standing) });
  if (standing.running.length > 0) leaves.push({ key: "tournament.running", draw: () => boards.element });
  if (standing.signup?.open) leaves.push({ key: "nav.signup", draw: () => drawInvitation(standing) });
  const leaders = standing.league ?? [];
  for (const { from, count } of splitRows(leaders.length)) {
    leaves.push({ key: "league.title", draw: () => drawLeaderboard(leaders.slice(from, from + count)) });
  }
  const parts = splitRows(standing.standings.length);
  for (const part of parts) leaves.push({ key: "tournament.standings", draw: () => drawEntrants(standing, "standings", part) });
  const most = globalThis.innerWidth < WIDE ? FEW_CROSSED : MOST_CROSSED;
  if (standing.done > 0 && standing.crosstable !== null && standing.crosstable.names.length <= most) {
    leaves.push({ key: "tournament.crosstable", draw: () => drawCrosstable(standing.crosstable, standing.standings) });
  }
  if (standing.done > 0) {
    for (const part of parts) leaves.push({ key: "tournament.play", draw: () => drawEntrants(standing, "play", part) });
  }
  for (const part of splitRatings(standing.ratings ?? [])) {
    leaves.push({ key: "ratings.title", draw: () => drawRatings(part) });
  }
  if (drawFacts(standing) !== null) leaves.push({ key: "tournament.facts", draw: () => drawFacts(standing) });
  const next = standing.games.filter((game) => game.status === "planned").slice(0, LEAF_ROWS);
  if (next.length > 0) leaves.push({ key: "tournament.next", draw: () => drawGames(next) });
  const last = standing.games.filter((game) => game.status === "finished").slice(-LEAF_ROWS);
  if (last.length > 0) leaves.push({ key: "tournament.last", draw: () => drawGames(last.reverse()) });
  if (leaves.length === 0) leaves.push({ key: "tournament.waiting", draw: () => element("p", {}, text("tournament.waiting")) });
  return leaves;
}

/**
 * Returns the ratings, strongest first, in parts of about the same length that fit on a leaf; none with fewer than two.
 * @param {NonNullable<Standing["ratings"]>} ratings
 */
function splitRatings(ratings) {
  const known = ratings.filter(({ elo }) => elo.value !== null).sort((first, second) => Number(second.elo.value) - Number(first.elo.value));
  if (known.length < 2) return [];
  return splitRows(known.length).map(({ from, count }) => known.slice(from, from + count));
}

/**
 * Returns parts of about the same length that fit on a leaf. A last row alone would get letters too large for its columns.
 * @param {number} length number of rows
 */
function splitRows(length) {
  const leaves = Math.ceil(length / LEAF_ROWS);
  const count = Math.ceil(length / leaves);
  return Array.from({ length: leaves }, (_, index) => ({ from: index * count, count }));
}

/**
 * Returns the closing leaf: the winner, and the first rows of the final table; null before there is a winner.
 * @param {Standing} standing
 */
function drawWinner(standing) {
  const winner = standing.facts.find(({ phrase }) => phrase !== null && ["fact.won", "fact.shared"].includes(phrase.code));
  if (winner === undefined) return null;
  return element(
    "div",
    { class: "closing" },
    element("p", { class: "closing-winner" }, sayFact(winner, standing.standings)),
    drawEntrants(standing, "standings", { count: CLOSING_ROWS }),
  );
}

/** @param {Standing} standing */
function drawInvitation(standing) {
  const place = new URL("#/signup", location.href).href;
  return element(
    "div",
    { class: "invitation" },
    element("img", { class: "qr", src: "qr.svg", alt: text("signup.qr", { place }) }),
    element(
      "div",
      {},
      element("p", { class: "invitation-place" }, place.replace(/^https?:\/\//, "")),
      element("p", {}, text("signup.teams", { count: standing.signup?.teams.length ?? 0 })),
      element("ul", { class: "invitation-teams" }, ...(standing.signup?.teams ?? []).map(({ name }) => element("li", {}, sayName(name)))),
    ),
  );
}

/** @param {HTMLElement} node */
function toggleFullScreen(node) {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void node.requestFullscreen();
}
