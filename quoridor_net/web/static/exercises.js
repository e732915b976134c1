// Exercises on a board: the introduction to the rules and the puzzles. They need no server.

import { Board } from "./board.js";
import { button, element, refill } from "./dom.js";
import { formatMove, parseStandardMove } from "./notation.js";
import { PUZZLES } from "./puzzle_list.js";
import { Position } from "./rules.js";
import { onSettings, settings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./router.js").Page} Page */
/**
 * A task on a board.
 * @typedef {object} Exercise
 * @property {string} position a position line
 * @property {(position: Position, move: Move) => boolean} isRight returns whether a legal move solves the task
 * @property {string[]} moves a solution, and the moves after it
 */

/** Time per move of a solution that plays itself, in milliseconds. */
const SOLUTION_PACE = 900;

/** The introduction: step, jump, wall, path, goal. @type {(Exercise & { topic: string })[]} */
export const RULES = [
  {
    topic: "step",
    position: " /  / c1 c5 / 3 3 / 1 / 5",
    isRight: (_, move) => move.kind === "step",
    moves: ["c2"],
  },
  {
    topic: "jump",
    position: " /  / c2 c3 / 3 3 / 1 / 5",
    isRight: (_, move) => move.kind === "step" && move.row === 3,
    moves: ["c4"],
  },
  {
    topic: "wall",
    position: " /  / b3 c4 / 3 3 / 1 / 5",
    isRight: (position, move) => move.kind === "wall" && lengthen(position, move) > 0,
    moves: ["c3h"],
  },
  {
    topic: "path",
    position: "b3d3 /  / c1 c4 / 3 1 / 1 / 5",
    isRight: (position, move) => move.kind === "wall" && lengthen(position, move) > 1,
    moves: ["a3v"],
  },
  {
    topic: "goal",
    position: "c4 / c3 / c4 e5 / 2 2 / 1 / 5",
    isRight: (position, move) => (position.play(move).distance(1) ?? 9) < (position.distance(1) ?? 0),
    moves: ["b4", "e4", "b5"],
  },
];

/**
 * Returns by how many steps a wall lengthens the opponent's path.
 * @param {Position} position
 * @param {Move} wall
 */
function lengthen(position, wall) {
  const opponent = 3 - position.turn;
  return (position.play(wall).distance(opponent) ?? 0) - (position.distance(opponent) ?? 0);
}

/**
 * Returns the page of a step of the introduction.
 * @param {{ number?: string }} parameters
 * @returns {Page}
 */
export function rulesPage({ number }) {
  const index = placeOf(number, RULES.length);
  const { topic } = RULES[index];
  return exercisePage({
    exercise: RULES[index],
    place: "learn",
    index,
    count: RULES.length,
    title: text("learn.title"),
    heading: text(`learn.${topic}`),
    task: text(`learn.${topic}.task`),
    right: () => text(`learn.${topic}.right`),
    wrong: () => text("learn.wrong"),
    after: index === RULES.length - 1 ? element("a", { class: "button primary", href: "#/puzzles" }, text("puzzle.title")) : null,
  });
}

/**
 * Returns the page of a puzzle.
 * @param {{ number?: string }} parameters
 * @returns {Page}
 */
export function puzzlePage({ number }) {
  const index = placeOf(number, PUZZLES.length);
  const { position, moves } = PUZZLES[index];
  const line = moves.split(" ");
  const { turn: player, wallsLeft } = Position.fromLine(position);
  const count = (line.length + 1) / 2;
  return exercisePage({
    exercise: { position, moves: line, isRight: (before, move) => formatMove(move, "standard", before.size) === line[0] },
    place: "puzzles",
    index,
    count: PUZZLES.length,
    title: text("puzzle.title"),
    heading: text("puzzle.number", { number: index + 1, all: PUZZLES.length }),
    task: `${text("puzzle.task", { player })} ${text("puzzle.walls", { first: wallsLeft[0], second: wallsLeft[1] })}`,
    right: (move) => text("puzzle.right", { move, count }),
    wrong: (move) => text("puzzle.wrong", { move }),
    after: null,
  });
}

/** @param {string | undefined} number @param {number} count */
function placeOf(number, count) {
  return Math.min(Math.max(Math.trunc(Number(number ?? 1)) || 1, 1), count) - 1;
}

/**
 * @param {object} parts
 * @param {Exercise} parts.exercise
 * @param {string} parts.place the address of the first exercise of its kind
 * @param {number} parts.index
 * @param {number} parts.count of exercises of this kind
 * @param {string} parts.title
 * @param {string} parts.heading
 * @param {string} parts.task
 * @param {(move: string) => string} parts.right says that a move is right
 * @param {(move: string) => string} parts.wrong says that a move is wrong
 * @param {HTMLElement | null} parts.after what follows the last exercise
 * @returns {Page}
 */
function exercisePage({ exercise, place, index, count, title, heading, task, right, wrong, after }) {
  const board = new Board({ hasSeats: true });
  const start = Position.fromLine(exercise.position);
  const moves = exercise.moves.map((move) => parseStandardMove(move, start.size));
  let position = start;
  let isSolved = false;
  /** @type {Move | null} */
  let last = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer = undefined;
  const said = element("p", { class: "exercise-answer", role: "status" });
  const actions = element("div", { class: "actions" });
  const show = () => {
    board.seats = isSolved ? [] : [start.turn];
    board.showsPaths = place === "learn" && index > 1;
    board.show(position, { last });
  };
  const play = (/** @type {Move} */ move) => {
    position = position.play(move);
    last = move;
    show();
  };
  const playOn = (/** @type {number} */ from) => {
    if (from >= moves.length) return;
    timer = setTimeout(() => {
      play(moves[from]);
      playOn(from + 1);
    }, SOLUTION_PACE);
  };
  const solve = (/** @type {Move} */ move, /** @type {string} */ sentence) => {
    isSolved = true;
    play(move);
    said.textContent = sentence;
    said.className = "exercise-answer good";
    // An own solution of an exercise may differ from the one that goes on.
    if (formatMove(move, "standard", start.size) === exercise.moves[0]) playOn(1);
    draw();
  };
  const write = (/** @type {Move} */ move) => formatMove(move, settings().notation, start.size);
  const again = () => {
    clearTimeout(timer);
    position = start;
    last = null;
    isSolved = false;
    said.textContent = "";
    show();
    draw();
  };
  const draw = () => {
    const hadFocus = actions.contains(document.activeElement);
    refill(
      actions,
      index > 0 && element("a", { class: "button", href: `#/${place}/${index}` }, text("exercise.back")),
      isSolved ? button(text("exercise.again"), again) : button(text("lesson.show"), () => solve(moves[0], right(write(moves[0])))),
      index + 1 < count
        ? element("a", { class: isSolved ? "button primary" : "button", href: `#/${place}/${index + 2}` }, text("exercise.next"))
        : after,
    );
    if (hadFocus) /** @type {HTMLElement | null} */ (actions.querySelector("button"))?.focus({ preventScroll: true });
  };
  board.onMove = (move) => {
    if (exercise.isRight(position, move)) {
      solve(move, right(write(move)));
      return;
    }
    said.textContent = wrong(write(move));
    said.className = "exercise-answer bad";
  };
  const stopSettings = onSettings(show);
  show();
  draw();
  return {
    title,
    node: element(
      "div",
      { class: "exercise" },
      element("div", { class: "exercise-board" }, board.element),
      element(
        "section",
        { class: "card" },
        element("p", { class: "exercise-place" }, `${title} · ${index + 1}/${count}`),
        element("h1", {}, heading),
        element("p", {}, task),
        said,
        actions,
      ),
    ),
    close: () => {
      clearTimeout(timer);
      stopSettings();
    },
  };
}
