// The page of a seat. The holder of its link plays there, in one game after another.

import { drawIcon, element, refillKeepingFocus } from "./dom.js";
import { GameView } from "./game_view.js";
import { formatMove, parseLanMove } from "./notation.js";
import { confirmFirst, notify } from "./notice.js";
import { sayPhrase } from "./phrases.js";
import { settings } from "./settings.js";
import { followGame } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./router.js").Page} Page */
/**
 * The abilities of the holder of a seat.
 * @typedef {{ player: number | null, can_undo: boolean, can_hint: boolean, can_rematch: boolean }} Seated
 */

/**
 * Returns the page of the seat with `token`, which starts with the number of the game.
 * @param {{ token: string, canStart: boolean }} parameters `canStart`: whether this site can start other games
 * @returns {Page}
 */
export function playPage({ token, canStart }) {
  const number = Number(token.split("-")[0]);
  const view = new GameView({ isLive: true, hasSeats: true });
  /** @type {Seated} */
  let seated = { player: null, can_undo: false, can_hint: false, can_rematch: false };
  /** The move that the server has not confirmed, and the number of moves before it. @type {{ move: Move, ply: number } | null} */
  let pending = null;

  const show = () => {
    const { game } = view;
    const isOver = game.result !== null;
    const isOn = game.hasStarted && !isOver && seated.player !== null;
    if (pending !== null && (!isOn || game.movesMade !== pending.ply)) pending = null;
    const isMine = isOn && game.position.turn === seated.player && pending === null;
    view.seats = isOn && view.isAtEnd && seated.player !== null ? [seated.player] : [];
    view.pending = pending?.move ?? null;
    const hasMoved = game.plies.some((ply) => ply.player === seated.player);
    refillKeepingFocus(
      view.actions,
      view.board.surface,
      isOn && seated.can_undo && action("undo", text("play.undo"), () => live.send({ undo: true }), !isMine || !hasMoved),
      isOn && seated.can_hint && action("hint", text("play.hint"), () => live.send({ hint: true }), !isMine),
      isOn && action("flag", text("play.resign"), resign, false),
      isOver && seated.can_rematch && action("again", text("play.rematch"), () => live.send({ rematch: true }), false, "primary"),
      isOver && element("a", { class: "button", href: `#/games/${number}` }, text("play.analyse")),
      isOver && canStart && element("a", { class: "button", href: "#/" }, text("play.new")),
      game.hasStarted && saveLink(number),
    );
    view.showAll();
    if (isMine && view.isAtEnd) view.board.tell(text("play.your_turn"));
    else if (pending !== null) view.board.tell(text("play.sending"));
    // On a phone, the verdict is below the screen.
    else if (isOver && view.isAtEnd) view.board.tell(view.verdict.headline);
    document.title = isMine ? text("play.title_turn") : text("play.title");
  };
  const resign = () => confirmFirst(text("play.resign_question"), text("play.resign"), () => live.send({ resign: true }));

  view.onShow = show;
  // Without a connection this does nothing; after a reconnection it may repeat the move, which the server ignores.
  const sendPending = () => {
    if (pending !== null) live.send({ move: formatMove(pending.move, "lan", view.game.start.size), ply: pending.ply });
  };
  view.board.onMove = (move) => {
    pending = { move, ply: view.game.movesMade };
    sendPending();
    show();
  };
  view.controls.element.append(view.live);
  const live = followGame(number, {
    onState: (state) => {
      view.showState(state);
      // `live` is set by now, because a connection opens after this function has returned.
      if (state === "open") live.send({ sit: token });
    },
    onMessage: (message) => {
      if (message.reset) view.reset(message.reset, { thinking: message.thinking });
      else if (message.seated) {
        view.near = message.seated.player ?? view.near;
        seated = message.seated;
        // People at a move server play under its name; in games started here they have none.
        view.self = canStart ? (seated.player ?? 0) : 0;
        show();
        sendPending();
      } else if (message.hint) {
        if (message.hint.ply === view.game.movesMade && view.isAtEnd) {
          view.hint = parseLanMove(message.hint.move);
          show();
          view.board.tell(text("play.hinted", { move: formatMove(view.hint, settings().notation, view.game.start.size) }));
        }
      } else if (message.refused) {
        pending = null;
        show();
        notify(sayPhrase(message.phrase, message.refused, view.game.start.size));
      } else view.add([message].flat());
    },
  });
  return {
    title: text("play.title"),
    node: view.element,
    close: () => {
      live.close();
      view.close();
    },
  };
}

/** @param {number} number */
function saveLink(number) {
  const label = text("play.save");
  return element(
    "a",
    { class: "button icon", href: `games/${number}/replay.txt`, download: `quoridor-${number}.qtp`, "aria-label": label, title: label },
    drawIcon("save"),
  );
}

/**
 * @param {string} icon
 * @param {string} label
 * @param {() => void} act
 * @param {boolean} isDisabled
 * @param {string} [kind]
 */
function action(icon, label, act, isDisabled, kind = "") {
  return element(
    "button",
    { type: "button", class: kind, disabled: isDisabled, on: { click: act } },
    drawIcon(icon),
    label,
  );
}
