// The buttons of a seat: during a game, after it, and for a move that waits.

import { arrange, button, element, iconButton, settle } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./game_view.js").GameView} GameView */
/** @typedef {import("./pair.js").Pair} Pair */
/** @typedef {import("./pair.js").Subject} Subject */
/**
 * The state on the page that decides about the buttons.
 * @typedef {object} Chances
 * @property {number} number of the game
 * @property {number | null} before number of the game before; null for the first one
 * @property {import("./play.js").Seated} seated
 * @property {boolean} isSeated whether the server has accepted the reader's link
 * @property {Pair | null} pair the other person; null in a game without one
 * @property {boolean} isOn whether the reader takes part in a running game
 * @property {boolean} isMine whether the reader is to move
 * @property {boolean} isSending whether a move is on its way
 * @property {{ isPlanned: boolean } | null} draft the move that waits
 */

export class SeatButtons {
  /**
   * @param {GameView} view
   * @param {object} parts
   * @param {(message: object) => void} parts.send
   * @param {() => void} parts.resign
   * @param {() => void} parts.confirm
   * @param {() => void} parts.drop
   * @param {boolean} parts.canStart whether this site can start other games
   * @param {boolean} parts.canAnalyse whether this site analyses games
   */
  constructor(view, { send, resign, confirm, drop, canStart, canAnalyse }) {
    this.view = view;
    this.canStart = canStart;
    this.canAnalyse = canAnalyse;
    /** Whether the reader plays another person. */
    this.isPair = false;
    const offer = (/** @type {Subject} */ subject) => send({ offer: subject });
    this.undo = button(text("play.undo"), () => (this.isPair ? offer("takeback") : send({ undo: true })));
    this.hint = button(text("play.hint"), () => send({ hint: true }));
    this.draw = button(text("play.draw"), () => offer("draw"));
    this.resign = button(text("play.resign"), resign);
    this.confirm = iconButton("accept", text("play.confirm"), confirm, { class: "primary" });
    this.drop = iconButton("close", text("play.reject"), drop);
    this.again = button(text("play.rematch"), () => (this.isPair ? offer("rematch") : send({ rematch: true })), { class: "primary" });
    this.analyse = element("a", { class: "button" }, text("play.analyse"));
    this.next = element("a", { class: "button", href: "#/" }, text("play.new"));
    /** The link to the game before, which the page shows apart. */
    this.before = element("a", { hidden: true }, text("play.before"));
    this.draftAnswers = element("span", { class: "draft-answers" }, this.drop, this.confirm);
    this.duringGame = element("div", { class: "actions" });
    this.afterGame = element("div", { class: "actions is-absent" });
    view.actions.append(element("div", { class: "phases" }, this.duringGame, this.afterGame));
  }

  /** @param {Chances} chances */
  show(chances) {
    const { pair, seated, isSeated, number, before } = chances;
    const { game } = this.view;
    this.isPair = pair !== null;
    this.enable(chances);
    // The analysis opens where the reader is.
    this.analyse.href = `#/games/${number}/${this.view.count}`;
    this.before.href = `#/games/${before}`;
    this.before.hidden = before === null;
    this.showDraft(chances.draft);
    // The buttons keep their places during a game, disabled or not. Those after the game are in the same place.
    const isEnded = game.result !== null || game.isGone;
    const { duringGame, afterGame } = this;
    if (isEnded !== duringGame.classList.contains("is-absent")) settle(isEnded ? afterGame : duringGame);
    afterGame.classList.toggle("is-absent", !isEnded);
    duringGame.classList.toggle("is-absent", isEnded);
    const { surface } = this.view.board;
    arrange(
      duringGame,
      surface,
      (this.isPair || seated.can_undo) && this.undo,
      !this.isPair && seated.can_hint && this.hint,
      this.isPair && this.draw,
      isSeated && this.resign,
      isSeated && this.draftAnswers,
    );
    arrange(
      afterGame,
      surface,
      !game.isGone && (this.isPair || seated.can_rematch) && this.again,
      !game.isGone && this.canAnalyse && this.analyse,
      this.canStart && this.next,
    );
  }

  /** Moves the focus to the button that confirms a move. */
  focusConfirm() {
    this.confirm.focus({ preventScroll: true });
  }

  /** @private @param {Chances} chances */
  enable({ pair, seated, isOn, isMine, isSending }) {
    // Not while a move is on its way, because an offer ends with the next move.
    const canOffer = (/** @type {Subject} */ subject) => pair !== null && !isSending && pair.offers[subject] === undefined && !pair.declined.includes(subject);
    const hasMoved = this.view.game.plies.some((ply) => ply.player === seated.player);
    this.undo.disabled = !isOn || !hasMoved || (pair === null ? !isMine : !canOffer("takeback"));
    this.hint.disabled = !isMine;
    this.draw.disabled = !isOn || !pair?.can_draw || !canOffer("draw");
    this.resign.disabled = !isOn;
    this.again.disabled = pair !== null && !canOffer("rematch");
  }

  /** @private @param {{ isPlanned: boolean } | null} draft */
  showDraft(draft) {
    // Only beside the picture of the move.
    const canConfirm = draft !== null && !draft.isPlanned && this.view.isAtEnd;
    this.confirm.classList.toggle("is-absent", !canConfirm);
    this.drop.classList.toggle("is-absent", draft === null);
    this.confirm.disabled = !canConfirm;
    this.drop.disabled = draft === null;
    const label = text(draft?.isPlanned ? "play.unplan" : "play.reject");
    this.drop.title = label;
    this.drop.ariaLabel = label;
  }
}
