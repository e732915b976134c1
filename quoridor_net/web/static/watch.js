// The page of a running or finished game.

import { analysisPage } from "./analysis.js";
import { element, refill } from "./dom.js";
import { GameView } from "./game_view.js";
import { notify, notifyNext } from "./notice.js";
import { followPly } from "./permalink.js";
import { saveButton } from "./saving.js";
import { followBoard, followGame, loadGame } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {import("./source.js").Site} Site */

/**
 * Returns the page of game `number`, with its analysis if the game is finished and the site has an engine.
 * @param {{ number: string, ply?: string, site: Site }} parameters
 * @returns {Promise<Page>}
 */
export async function gamePage({ number, ply, site }) {
  if (!site.analysis) return watchPage({ number, ply });
  const events = await loadGame(Number(number)).catch(() => []);
  return events.at(-1)?.event === "game_ended" ? analysisPage({ number, ply, site, events }) : watchPage({ number, ply });
}

/**
 * Returns the page of game `number`, or of a board with one game after another.
 * @param {{ number?: string, ply?: string, board?: string }} parameters
 * @returns {Page}
 */
export function watchPage({ number, ply, board = "1" }) {
  const view = new GameView({ isLive: true });
  let isRecorded = false;
  let shown = Number(number ?? board);
  /** Whether the page has shown the game before its end. */
  let isFollowed = false;
  view.controls.element.append(
    saveButton(view, () => (view.game.isGone ? null : shown)),
    view.live,
  );
  /** Leads the reader to the next game at the board, or offers it to one who looks at this game. @param {number} next */
  const leadTo = (next) => {
    const place = `#/games/${next}`;
    if (isFollowed && view.isAtEnd) {
      notifyNext(text("game.next_begun"));
      location.hash = place;
    } else refill(view.actions, element("a", { class: "button", href: place }, text("game.next")));
  };
  const follow = number === undefined ? followBoard : followGame;
  const connection = follow(shown, {
    onState: (state) => view.showState(state),
    onMessage: (message) => {
      if (message.game) shown = message.game;
      else if (message.next) {
        // A board shows the next game by itself.
        if (number !== undefined) leadTo(message.next);
      } else if (message.reset) {
        // A program that was started again may have another game with this number.
        const [before] = view.game.events;
        const [start] = message.reset;
        if (number !== undefined && before && start && String(before.names) !== String(start.names)) notify(text("game.another"), "news");
        view.reset(message.reset, { thinking: message.thinking });
        if (number !== undefined && view.game.result !== null && !isRecorded) {
          isRecorded = true;
          followPly(view, number, ply);
        }
      } else view.add([message].flat());
      isFollowed ||= view.game.result === null;
    },
  });
  return {
    title: "",
    node: view.element,
    close: () => {
      connection.close();
      view.close();
    },
  };
}
