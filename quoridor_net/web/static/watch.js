// The page of a running or finished game.

import { analysisPage } from "./analysis.js";
import { GameView } from "./game_view.js";
import { followPly } from "./permalink.js";
import { saveButton } from "./saving.js";
import { followGame, loadGame } from "./source.js";

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
 * Returns the page of game `number`.
 * @param {{ number?: string, ply?: string }} parameters without a number, the only game, whose address stays
 * @returns {Page}
 */
export function watchPage({ number, ply }) {
  const view = new GameView({ isLive: true });
  let isRecorded = false;
  view.controls.element.append(saveButton(view, number ?? 1), view.live);
  const connection = followGame(Number(number ?? 1), {
    onState: (state) => view.showState(state),
    onMessage: (message) => {
      if (message.reset) {
        view.reset(message.reset, { thinking: message.thinking });
        if (number !== undefined && view.game.result !== null && !isRecorded) {
          isRecorded = true;
          followPly(view, number, ply);
        }
      } else view.add([message].flat());
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
