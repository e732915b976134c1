// Small boards that follow running games.

import { Board } from "./board.js";
import { drawPawnIcon } from "./board_shapes.js";
import { element } from "./dom.js";
import { sayName } from "./names.js";
import { parseLanMove } from "./notation.js";
import { Position } from "./rules.js";
import { onSettings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./standing.js").RunningGame} RunningGame */

export class RunningBoards {
  /** @param {number} most maximum number of boards */
  constructor(most) {
    this.most = most;
    /** @type {Map<number, { board: Board, ply: HTMLElement, element: HTMLElement }>} */
    this.cards = new Map();
    this.element = element("div", { class: "running-boards" });
    this.close = onSettings(() => {
      for (const { board } of this.cards.values()) board.refresh();
    });
  }

  /**
   * Shows games of the list, starting at index `from`; the boards of games that are still shown keep their places.
   * @param {RunningGame[]} games
   * @param {number} [from]
   */
  show(games, from = 0) {
    const shown = games.slice(from, from + this.most);
    const numbers = new Set(shown.map((game) => game.number));
    for (const [number, card] of this.cards) {
      if (numbers.has(number)) continue;
      card.element.remove();
      this.cards.delete(number);
    }
    for (const game of shown) {
      const card = this.cards.get(game.number) ?? this.add(game);
      card.ply.textContent = text("running.ply", { ply: game.ply });
      const last = game.move === null ? null : parseLanMove(game.move);
      const position = Position.fromLine(game.position, game.jumps, (_, index) => game.owners[index]);
      card.board.show(position, { last });
    }
    // Number of columns, if there is room for all boards side by side.
    this.element.style.setProperty("--boards", String(shown.length));
  }

  /** @private @param {RunningGame} game */
  add(game) {
    const board = new Board({ isSmall: true });
    const ply = element("span", { class: "running-ply" });
    const names = game.names.map((name, index) =>
      element("span", { class: `running-name pawn-${index + 1}` }, drawPawnIcon(index + 1), element("span", {}, sayName(name))),
    );
    const card = {
      board,
      ply,
      element: element(
        "a",
        { class: "card running-game", href: `#/games/${game.number}` },
        element("span", { class: "running-names" }, ...names),
        board.element,
        element("span", { class: "running-foot" }, element("span", {}, text("running.number", { number: game.number })), ply),
      ),
    };
    this.cards.set(game.number, card);
    this.element.append(card.element);
    return card;
  }
}
