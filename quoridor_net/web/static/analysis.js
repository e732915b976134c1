// The page of an analysed game: score graph, marked mistakes, the engine's lines, a board to try moves.

import { drawPawnIcon } from "./board_shapes.js";
import { button, element, iconButton, keepFocus, refill } from "./dom.js";
import { drawChance } from "./engine_lines.js";
import { MistakeLesson, findMistake } from "./mistakes.js";
import { formatMove, parseStandardMove } from "./notation.js";
import { followPly } from "./permalink.js";
import { sayPhrase } from "./phrases.js";
import { recordPage } from "./replay.js";
import { ScoreGraph } from "./score_graph.js";
import { settings } from "./settings.js";
import { followGameAnalysis, loadGame } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {import("./score_graph.js").PlyAnalysis} PlyAnalysis */
/** @typedef {import("./source.js").Site} Site */

/** Maximum number of shown moves of a line. */
const LINE_SHOWN = 6;

/** Minimum loss of winning chance for which the page shows a better move. */
const LEAST_LOSS = 0.02;

/** The usual symbols for mistakes, written after a move. @type {Record<string, string>} */
const SYMBOLS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * Returns the page of the analysis of a game.
 * @param {{ number?: string, ply?: string, site: Site, events?: import("./game.js").GameEvent[] }} parameters
 * @returns {Promise<Page>}
 */
export async function analysisPage({ number = "1", ply: first, site, events }) {
  const page = recordPage(site, number);
  const { view } = page;
  const graph = new ScoreGraph((count) => view.goTo(count));
  const comment = element("div", { class: "card comment", role: "status" });
  const progress = element("p", { class: "analysis-progress", role: "status" });
  const accuracy = element("div", { class: "accuracy" });
  const meaning = element("small", {}, text("accuracy.meaning"));
  const lesson = new MistakeLesson(view, { lines: () => page.lines?.found ?? [], onChange: () => showLesson() });
  const goToMistake = (/** @type {1 | -1} */ direction) => {
    const found = findMistake(plies, view.count, direction);
    if (found !== null) view.goTo(found);
  };
  const back = iconButton("mistake_back", text("mistake.back"), () => goToMistake(-1));
  const forward = iconButton("mistake_forward", text("mistake.forward"), () => goToMistake(1));
  const lessons = element("span", { class: "lessons" });
  const tools = element("div", { class: "actions mistake-tools" }, back, forward, lessons);
  view.element.classList.add("analysed");
  view.verdict.element.before(lesson.element, comment);
  refill(view.foot, element("section", { class: "card analysis" }, graph.element, element("div", { class: "analysis-facts" }, accuracy, element("div", { class: "analysis-note" }, meaning, progress)), tools));

  /** @type {PlyAnalysis[]} */
  let plies = [];
  let isDone = false;
  /** Why the server analyses nothing now; empty if it does. */
  let obstacle = "";
  const showPlies = () => {
    graph.show(view.game.plies.length, view.game.start.players, plies);
    view.moves.mark(marksOf(plies));
    // A player who is out has a ply, but no move.
    const done = plies.filter(({ move }) => move !== null).length;
    progress.textContent = isDone ? "" : obstacle || text("analysis.progress", { done, all: view.game.movesMade });
    meaning.style.visibility = isDone ? "visible" : "hidden";
    const drawLesson = (/** @type {number} */ player) => {
      const mistakes = plies.filter((ply) => ply.player === player && ply.mark !== null && ply.best.length > 0);
      const whose = text("lesson.whose", { name: view.nameOf(player) });
      const start = () => {
        lesson.start(mistakes);
        // On a phone, the button is below the board, where the answer is given.
        view.board.surface.scrollIntoView({ block: "nearest" });
      };
      return element(
        "button",
        { type: "button", title: whose, disabled: !isDone || mistakes.length === 0, on: { click: start } },
        drawPawnIcon(player),
        text("lesson.start", { count: mistakes.length }),
        element("span", { class: "visually-hidden" }, ` ${whose}`),
      );
    };
    refill(lessons, ...view.game.start.order.map(drawLesson));
    view.showAll();
    showPly();
  };
  const showAccuracy = (/** @type {(number | null)[]} */ accuracies) =>
    refill(accuracy, ...drawAccuracy(accuracies, (player) => view.nameOf(player)));
  const showLesson = () => {
    const isOn = lesson.mistake !== null;
    view.element.classList.toggle("is-lesson", isOn);
    page.lines?.element.toggleAttribute("hidden", lesson.isAsking);
    tools.hidden = isOn;
    view.board.onMove = (move) => (isOn ? lesson.attempt(move) : view.tryMoves([move]));
    view.showAll();
    showPly();
  };
  view.findBest = () => {
    if (lesson.isAsking) return null;
    if (page.lines?.best) return page.lines.best;
    const known = view.variation.length > 0 ? undefined : plies.find((ply) => ply.ply === view.count + 1)?.best[0];
    return known === undefined ? null : parseStandardMove(known.moves[0], view.game.start.size);
  };
  /** The subject of the comment. @type {{ ply: PlyAnalysis | null, notation: string }} */
  let shown = { ply: null, notation: "" };
  const showPly = () => {
    const ply = plies.find((found) => found.ply === view.count) ?? null;
    graph.select(view.count, view.sayPly(view.count));
    const before = view.game.positionAt(Math.max(view.count - 1, 0));
    const tryBest = (/** @type {import("./moves.js").Move[]} */ moves) => {
      view.goTo(view.count - 1);
      view.tryMoves(moves);
    };
    back.disabled = findMistake(plies, view.count, -1) === null;
    forward.disabled = findMistake(plies, view.count, 1) === null;
    comment.hidden = lesson.mistake !== null;
    const commented = view.variation.length > 0 ? null : ply;
    const { notation } = settings();
    if (commented === shown.ply && notation === shown.notation) return;
    shown = { ply: commented, notation };
    keepFocus(comment, view.board.surface, () => refill(comment, ...(commented === null ? [] : drawComment(commented, before.size, tryBest))));
  };
  view.onShow = showPly;

  const type = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {Element | null} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || target?.closest("input, select, textarea, dialog")) return;
    if (event.key === "m") goToMistake(1);
    else if (event.key === "M") goToMistake(-1);
  };
  document.addEventListener("keydown", type);
  page.open(events ?? (await loadGame(Number(number))));
  followPly(view, number, first);
  // This keeps room for the results, so that the lines below do not move when they come.
  showAccuracy(Array(view.game.start.players).fill(null));
  showPlies();
  const live = followGameAnalysis(Number(number), {
    onState: (state) => {
      if (state !== "missing") return;
      obstacle = `${text("game.gone")} ${text("game.gone_why")}`;
      showPlies();
    },
    onMessage: (message) => {
      obstacle = message.refused ? sayPhrase(message.phrase, message.refused) : "";
      if (message.reset) plies = message.reset;
      else if (message.accuracy) {
        isDone = true;
        showAccuracy(message.accuracy);
        // Nothing follows.
        live.close();
      } else if (!message.refused) plies = [...plies, ...[message].flat()];
      showPlies();
    },
  });
  return {
    ...page,
    title: text("nav.analysis"),
    close: () => {
      document.removeEventListener("keydown", type);
      live.close();
      page.close?.();
    },
  };
}

/** @param {PlyAnalysis[]} plies */
function marksOf(plies) {
  /** @type {Map<number, { kind: string, label: string }>} */
  const marks = new Map();
  for (const { ply, mark } of plies) {
    if (mark !== null) marks.set(ply, { kind: `marked ${mark}`, label: text(`mark.${mark}`) });
  }
  return marks;
}

/**
 * Returns the comment on a ply: its value, and a better line if there was one.
 * @param {PlyAnalysis} ply
 * @param {number} size
 * @param {(moves: import("./moves.js").Move[]) => void} tryBest
 */
function drawComment(ply, size, tryBest) {
  if (ply.move === null || ply.chance === null) return [];
  const { notation } = settings();
  const written = formatMove(parseStandardMove(ply.move, size), notation, size);
  const best = ply.best[0];
  const isBest = best === undefined || best.moves[0] === ply.move;
  const isWorse = best !== undefined && !isBest && (ply.loss ?? 0) >= LEAST_LOSS;
  const said = element(
    "p",
    {},
    element("strong", {}, `${written}${ply.mark === null ? "" : SYMBOLS[ply.mark]}`),
    " ",
    ply.mark === null ? (isBest ? text("comment.best") : "") : text(`mark.${ply.mark}`),
    ply.mark !== null && ply.loss !== null && ` ${text("comment.loss", { count: Math.round(100 * ply.loss) })}`,
    " ",
    drawChance(ply.chance),
  );
  if (!isWorse) return [said];
  const moves = best.moves.map((move) => parseStandardMove(move, size));
  const line = moves
    .slice(0, LINE_SHOWN)
    .map((move, index) => button(formatMove(move, notation, size), () => tryBest(moves.slice(0, index + 1)), { class: "ply" }));
  return [said, element("p", { class: "comment-line" }, element("span", {}, text("comment.better")), drawChance(best.chance), ...line)];
}

/**
 * @param {(number | null)[]} accuracies by player number
 * @param {(player: number) => string} nameOf
 */
function drawAccuracy(accuracies, nameOf) {
  const found = accuracies.map((accuracy, index) =>
    element(
      "span",
      { class: `accuracy-of pawn-${index + 1}` },
      drawPawnIcon(index + 1),
      element("span", { class: "accuracy-name" }, nameOf(index + 1)),
      element("strong", {}, accuracy === null ? "–" : `${Math.round(accuracy)} %`),
    ),
  );
  return [element("span", { class: "accuracy-title" }, text("accuracy.title")), ...found];
}
