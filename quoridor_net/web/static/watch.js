// The page of a running or finished game.

import { GameView } from "./game_view.js";
import { followGame } from "./source.js";

/** @typedef {import("./router.js").Page} Page */

/**
 * Returns the page of game `number`.
 * @param {{ number?: string }} parameters
 * @returns {Page}
 */
export function watchPage({ number = "1" }) {
  const view = new GameView({ isLive: true });
  view.controls.element.append(view.live);
  const connection = followGame(Number(number), {
    onState: (state) => view.showState(state),
    onMessage: (message) => {
      if (message.reset) view.reset(message.reset, { thinking: message.thinking });
      else view.add([message].flat());
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
