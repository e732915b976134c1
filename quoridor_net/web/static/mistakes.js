// Going from mistake to mistake in an analysed game, and learning from them: the reader looks for better moves.

import { button, element, keepFocus, refill } from "./dom.js";
import { isSameMove } from "./moves.js";
import { formatMove, parseStandardMove } from "./notation.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./engine_lines.js").EngineLine} EngineLine */
/** @typedef {import("./game_view.js").GameView} GameView */
/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./score_graph.js").PlyAnalysis} PlyAnalysis */

/** Maximum loss of winning chance of a move that counts as found: a larger one would be marked. */
const MOST_LOSS = 0.05;

/**
 * Returns the number of the next ply with a mark after ply `count`, or before it; null if there is none.
 * @param {PlyAnalysis[]} plies
 * @param {number} count
 * @param {1 | -1} direction
 */
export function findMistake(plies, count, direction) {
  const marked = plies.filter(({ mark }) => mark !== null).map(({ ply }) => ply);
  return (direction > 0 ? marked.find((ply) => ply > count) : marked.findLast((ply) => ply < count)) ?? null;
}

/**
 * Returns whether `move` is about as good as the best move.
 * @param {Move} move
 * @param {{ moves: string[], chance: number }[]} lines the known lines of the position, in any order
 * @param {number} size
 */
export function isAsGood(move, lines, size) {
  const best = Math.max(...lines.map(({ chance }) => chance));
  return lines.some(({ moves, chance }) => chance > best - MOST_LOSS && isSameMove(parseStandardMove(moves[0], size), move));
}

/** The dialogue about one player's mistakes, one after another. */
export class MistakeLesson {
  /**
   * @param {GameView} view
   * @param {object} parts
   * @param {() => EngineLine[]} parts.lines returns the engine's lines for the shown position so far
   * @param {() => void} parts.onChange called when a lesson starts, goes on or ends
   */
  constructor(view, { lines, onChange }) {
    this.view = view;
    this.lines = lines;
    this.onChange = onChange;
    /** @type {PlyAnalysis[]} */
    this.mistakes = [];
    /** The place in `mistakes`; -1 without a lesson. */
    this.index = -1;
    /** Whether the answer is known: found by the reader, or shown. */
    this.isSolved = false;
    this.element = element("div", { class: "card lesson", role: "status", hidden: true });
  }

  /** Whether the reader is looking for a move, so that the page must not show the best one. */
  get isAsking() {
    return this.mistake !== null && !this.isSolved;
  }

  /** The mistake that the lesson is about; null without a lesson. */
  get mistake() {
    return this.mistakes[this.index] ?? null;
  }

  /** @param {PlyAnalysis[]} mistakes of one player */
  start(mistakes) {
    this.mistakes = mistakes;
    this.ask(0);
    // The answer is given there.
    this.view.board.surface.focus({ preventScroll: true });
  }

  stop() {
    this.index = -1;
    keepFocus(this.element, this.view.board.surface, () => (this.element.hidden = true));
    this.onChange();
  }

  /**
   * Takes a move of the reader.
   * @param {Move} move
   */
  attempt(move) {
    const { mistake, view } = this;
    if (mistake === null) return;
    const { size } = view.position;
    // The reader may have stepped away from the position.
    if (view.count !== mistake.ply - 1 || view.variation.length > 0) {
      view.tryMoves([move]);
      return;
    }
    const isSame = isSameMove(move, mistake.move === null ? null : parseStandardMove(mistake.move, size));
    // Chances of two searches cannot be compared with each other.
    const isGood = !isSame && [mistake.best, this.lines()].some((lines) => isAsGood(move, lines, size));
    const written = formatMove(move, settings().notation, size);
    if (isGood) {
      this.isSolved = true;
      view.tryMoves([move]);
      this.say(text("lesson.right", { move: written }));
      this.onChange();
    } else {
      this.say(text(isSame ? "lesson.same" : "lesson.wrong", { move: written }));
    }
  }

  /** @private @param {number} index */
  ask(index) {
    this.index = index;
    this.isSolved = false;
    const { mistake, view } = this;
    if (mistake === null) {
      this.stop();
      return;
    }
    view.goTo(mistake.ply - 1);
    const move = mistake.move === null ? "" : formatMove(parseStandardMove(mistake.move, view.position.size), settings().notation, view.position.size);
    this.say(text("lesson.ask", { name: view.nameOf(mistake.player), move, mark: text(`mark.${mistake.mark}`) }));
    this.onChange();
  }

  /** @private */
  answer() {
    const { mistake, view } = this;
    if (mistake === null) return;
    const { size } = view.position;
    this.isSolved = true;
    view.goTo(mistake.ply - 1);
    const move = parseStandardMove(mistake.best[0].moves[0], size);
    view.tryMoves([move]);
    this.say(text("lesson.answer", { move: formatMove(move, settings().notation, size) }));
    this.onChange();
  }

  /** @private @param {string} sentence */
  say(sentence) {
    const isLast = this.index === this.mistakes.length - 1;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = false;
    refill(
      this.element,
      element("p", {}, element("strong", {}, text("lesson.number", { number: this.index + 1, all: this.mistakes.length })), " ", sentence),
      element(
        "div",
        { class: "actions" },
        !this.isSolved && button(text("lesson.show"), () => this.answer()),
        !isLast && button(text("lesson.next"), () => this.ask(this.index + 1), this.isSolved ? { class: "primary" } : {}),
        button(text("lesson.end"), () => this.stop()),
      ),
    );
    if (hadFocus) this.element.querySelector("button")?.focus({ preventScroll: true });
  }
}
