// Small boards that follow running games.

import { Board } from "./board.js";
import { drawPawnIcon } from "./board_shapes.js";
import { element, setText, update } from "./dom.js";
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
    /** By number, with the game that each shows as JSON. @type {Map<number, { board: Board, ply: HTMLElement, element: HTMLElement, game: string }>} */
    this.cards = new Map();
    this.element = element("div", { class: "running-boards", "data-key": "boards" });
    this.close = onSettings(() => {
      for (const { board } of this.cards.values()) board.refresh();
    });
  }

  /**
   * Shows the first games of the list.
   * @param {RunningGame[]} games
   */
  show(games) {
    const shown = games.slice(0, this.most);
    const { cards } = this;
    this.cards = new Map();
    for (const game of shown) {
      const card = cards.get(game.number) ?? this.draw(game);
      this.cards.set(game.number, card);
      if (card.game === JSON.stringify(game)) continue;
      card.game = JSON.stringify(game);
      setText(card.ply, text("running.ply", { ply: game.ply }));
      const last = game.move === null ? null : parseLanMove(game.move);
      const position = Position.fromLine(game.position, game.jumps, (_, index) => game.owners[index]);
      card.board.show(position, { last });
    }
    update(this.element, ...[...this.cards.values()].map((card) => card.element));
    // Number of columns, if there is room for all boards side by side.
    this.element.style.setProperty("--boards", String(shown.length));
  }

  /** @private @param {RunningGame} game */
  draw(game) {
    const board = new Board({ isSmall: true });
    const ply = element("span", { class: "running-ply" });
    const names = game.names.map((name, index) =>
      element("span", { class: `running-name pawn-${index + 1}` }, drawPawnIcon(index + 1), element("span", {}, sayName(name))),
    );
    return {
      game: "",
      board,
      ply,
      element: element(
        "a",
        { class: "card running-game", href: `#/games/${game.number}`, "data-key": game.number },
        element("span", { class: "running-names" }, ...names),
        board.element,
        element("span", { class: "running-foot" }, element("span", {}, text("running.number", { number: game.number })), ply),
      ),
    };
  }
}
