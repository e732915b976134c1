// The page of a seat. The holder of its link plays there, in one game after another.

import { keepLevel } from "./auto_level.js";
import { element, iconButton, settle } from "./dom.js";
import { GameView } from "./game_view.js";
import { keepOwnSeat } from "./invitations.js";
import { keepPlan, loadPlan, onPlan } from "./kept_plan.js";
import { isSameMove } from "./moves.js";
import { formatMove, parseLanMove } from "./notation.js";
import { confirmFirst, notify, showLink } from "./notice.js";
import { PairPanel } from "./pair.js";
import { sayPhrase } from "./phrases.js";
import { saveButton } from "./saving.js";
import { SeatButtons } from "./seat_buttons.js";
import { SeatLink } from "./seat_link.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./router.js").Page} Page */
/**
 * The abilities of the holder of a seat.
 * @typedef {object} Seated
 * @property {number | null} player
 * @property {boolean} can_undo
 * @property {boolean} can_hint
 * @property {boolean} can_rematch
 * @property {Record<"won" | "drawn" | "lost", number> | null} next_levels the level of the next game by the reader's result, if it follows the results
 */

/**
 * Returns the page of the seat with `token`, which starts with the number of the game.
 * @param {object} parameters
 * @param {string} parameters.token
 * @param {boolean} parameters.canStart whether this site can start other games
 * @param {boolean} parameters.canAnalyse whether this site analyses games
 * @param {string} parameters.url address of this site on other machines
 * @returns {Page}
 */
export function playPage({ token, canStart, canAnalyse, url }) {
  /** The number of the game. */
  let number = 0;
  /** The number of the game before. @type {number | null} */
  let before = null;
  const view = new GameView({ isLive: true, hasSeats: true });
  /** @type {Seated} */
  let seated = { player: null, can_undo: false, can_hint: false, can_rematch: false, next_levels: null };
  /** Whether the server has accepted the reader's link. */
  let isSeated = false;
  /** Whether this page has shown the running game, so that its result counts. */
  let isFollowed = false;
  const nextLevel = element("p", { class: "next-level", role: "status", hidden: true });
  /** The other person; null in a game without one. @type {import("./pair.js").Pair | null} */
  let pair = null;
  const panel = new PairPanel({ send: (message) => send(message), url, other: view.board.surface });
  view.verdict.element.after(nextLevel);
  view.actions.after(panel.element);
  /** The move that the server has not confirmed, and the number of moves before it. @type {{ move: Move, ply: number } | null} */
  let pending = null;

  /** A move that waits: for the reader's turn if it is planned, otherwise for confirmation. @type {{ move: Move, ply: number, isPlanned: boolean } | null} */
  let draft = null;

  /** Whether the reader is to move. */
  let isMine = false;

  /** Prepares the view and the buttons. */
  const prepare = () => {
    const { game } = view;
    const isOver = game.result !== null;
    const isOn = game.hasStarted && !isOver && !game.isGone && seated.player !== null;
    if (game.isGone) pair = null;
    if (isOn) isFollowed = true;
    showNextLevel(isOn);
    if (pending !== null && (!isOn || game.movesMade !== pending.ply)) pending = null;
    if (draft === null || draft.isPlanned) draft = isOn ? findPlan() : null;
    useDraft(isOn);
    isMine = isOn && game.position.turn === seated.player && pending === null;
    view.draft = draft === null ? null : { move: draft.move, player: seated.player ?? 0 };
    view.planner = isOn && view.isAtEnd ? (seated.player ?? 0) : 0;
    const invites = pair !== null && pair.invitation !== null;
    if (view.element.classList.contains("invites") && !invites) settle(view.element, () => show());
    view.element.classList.toggle("invites", invites);
    view.seats = isOn && view.isAtEnd && !view.element.inert && seated.player !== null ? [seated.player] : [];
    view.pending = pending?.move ?? null;
    panel.show(pair, number, { isOver, isConnected: link.isAccepted });
    buttons.show({ number, before, seated, isSeated, pair, isOn, isMine, isSending: pending !== null, draft });
    // A dialog must not outlive the game that it is about.
    if (!isOn) closeQuestion();
  };

  const buttons = new SeatButtons(view, {
    send: (message) => send(message),
    resign: () => resign(),
    confirm: () => confirmDraft(),
    drop: () => dropDraft(),
    canStart,
    canAnalyse,
  });
  view.side.after(buttons.before);
  view.actions.append(saveButton(view, () => (view.game.hasStarted && !view.game.isGone ? number : null)));
  view.controls.element.append(
    iconButton("link", text("play.share"), () => showLink(text("pair.watch"), panel.addressOf(`games/${number}`))),
    view.live,
  );

  /** Writes a note for the reader below the board. */
  const tell = () => {
    view.board.tell(findNote());
    document.title = isMine ? text("play.title_turn") : text("play.title");
  };
  const findNote = () => {
    if (draft !== null && (draft.isPlanned || view.isAtEnd)) return sayDraft(draft);
    if (isMine && view.isAtEnd) return text("play.your_turn");
    if (pending !== null) return text("play.sending");
    // On a phone, the verdict is below the screen.
    return view.isAtEnd ? view.verdict.headline : "";
  };
  const show = () => {
    prepare();
    view.showAll();
    tell();
  };
  /** Shows and keeps the level of the next game once the result is known. @param {boolean} isOn */
  const showNextLevel = (isOn) => {
    const { result } = view.game;
    if (isOn) nextLevel.hidden = true;
    if (result === null || seated.next_levels === null || !isFollowed) return;
    isFollowed = false;
    const { won, drawn, lost } = seated.next_levels;
    const level = result.winner === null ? drawn : result.winner === seated.player ? won : lost;
    keepLevel({ level, isOn: true });
    const direction = level > drawn ? "up" : level < drawn ? "down" : "same";
    nextLevel.textContent = text(`new.next.${direction}`, { level });
    nextLevel.hidden = false;
  };
  let closeQuestion = () => {};
  const resign = () => {
    closeQuestion = confirmFirst(text("play.resign_question"), text("play.resign"), () => send({ resign: true }));
  };
  let forgetLoss = () => {};
  /** Whether a wish was sent since the last message of the server. Moves are sent again. */
  let isUnanswered = false;
  /** Sends a wish, or says that it cannot be sent. @param {object} message */
  const send = (message) => {
    isUnanswered = link.send(message);
    if (!isUnanswered) notify(text("play.unsent"));
  };

  /** Returns the plan of all pages at this seat. Another page may know moves that this one does not know yet. */
  const findPlan = () => {
    const plan = loadPlan(token, number);
    return plan === null || view.game.movesMade < plan.ply ? null : { ...plan, isPlanned: true };
  };
  const plan = (/** @type {import("./kept_plan.js").Plan | null} */ made) => keepPlan(token, number, made, view.game.start.size);
  /** Sends a planned move once it is the reader's turn, and drops one that waits for its confirmation after another move. @param {boolean} isOn */
  const useDraft = (isOn) => {
    if (draft === null) return;
    const { game } = view;
    const { move, ply, isPlanned } = draft;
    if (!isPlanned && (!isOn || game.movesMade !== ply)) draft = null;
    else if (isPlanned && game.thinking?.player === seated.player) {
      plan(null);
      draft = null;
      // Another page at this seat may send it, too, which the server ignores.
      if (game.position.isLegal(move)) submit(move);
      else notify(text("play.unplanned", { move: formatMove(move, settings().notation, game.start.size) }), "news");
    }
  };
  const confirmDraft = () => {
    if (draft !== null) submit(draft.move);
    draft = null;
    show();
  };
  const dropDraft = () => {
    if (draft?.isPlanned) plan(null);
    draft = null;
    show();
  };
  /** @param {{ move: Move, isPlanned: boolean }} waiting */
  const sayDraft = ({ move, isPlanned }) =>
    text(isPlanned ? "play.planned" : "play.to_confirm", { move: formatMove(move, settings().notation, view.game.start.size) });
  view.onChange = prepare;
  view.onShow = tell;
  // Without a connection this does nothing; after a reconnection it may repeat the move, which the server ignores.
  const sendPending = () => {
    if (pending !== null) link.send({ move: formatMove(pending.move, "lan", view.game.start.size), ply: pending.ply });
  };
  /** @param {Move} move */
  const submit = (move) => {
    pending = { move, ply: view.game.movesMade };
    sendPending();
  };
  view.board.onMove = (move) => {
    const isPlanned = view.game.position.turn !== seated.player;
    const isSame = isSameMove(move, draft?.move ?? null);
    const ply = view.game.movesMade;
    if (isPlanned) plan(isSame ? null : { move, ply });
    else if (settings().confirm && !isSame) draft = { move, ply, isPlanned };
    else {
      draft = null;
      submit(move);
    }
    show();
    if (draft === null || isPlanned) return;
    // So that Enter confirms a move made by keyboard. The board forgets its note without the focus.
    buttons.focusConfirm();
    view.board.tell(sayDraft(draft));
  };
  const receive = (/** @type {any} */ message) => {
    isUnanswered = false;
    if (message.game) ({ game: number, before } = message);
    else if (message.reset) view.reset(message.reset, { thinking: message.thinking });
    else if (message.seated) {
      view.near = message.seated.player ?? view.near;
      seated = message.seated;
      isSeated = true;
      // The page shows the game as it is now.
      forgetLoss();
      view.reader = seated.player ?? 0;
      // People at a move server play under its name; in games started here they have none.
      view.self = canStart ? (seated.player ?? 0) : 0;
      show();
      sendPending();
    } else if (message.pair) {
      pair = message.pair;
      if (message.pair.invitation !== null) keepOwnSeat(message.pair.invitation, token);
      show();
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
    } else if (!message.next) {
      const events = [message].flat();
      if (events.some(({ event }) => event === "moves_taken_back")) plan(null);
      view.add(events);
    }
  };
  const link = new SeatLink(token, {
    onMessage: receive,
    onState: (state) => {
      view.showState(state);
      if (state !== "lost") return;
      if (isUnanswered) forgetLoss = notify(text("play.unanswered"));
      isUnanswered = false;
      show();
    },
  });
  const stopPlans = onPlan(() => show());
  return {
    title: text("play.title"),
    node: view.element,
    close: () => {
      closeQuestion();
      stopPlans();
      link.close();
      view.close();
    },
  };
}
