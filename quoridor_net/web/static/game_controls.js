// The buttons for stepping through a game, and the speed of automatic play.

import { element, iconButton } from "./dom.js";
import { changeSettings, settings } from "./settings.js";
import { text } from "./texts.js";

/** Time per move of automatic play by speed, in milliseconds. */
const SPEEDS = { slow: 2000, normal: 1000, fast: 350 };

/**
 * The actions of the buttons.
 * @typedef {object} Doing
 * @property {(plies: number) => void} step
 * @property {() => void} play
 * @property {() => void} pause
 * @property {() => void} turn turns the board
 * @property {() => void} setSpeed called when the reader selects another speed
 */

export class GameControls {
  /** @param {Doing} doing */
  constructor(doing) {
    /** @type {keyof typeof SPEEDS} */
    this.speed = "normal";
    this.buttons = {
      first: iconButton("first", text("game.first"), () => doing.step(-Infinity)),
      back: iconButton("back", text("game.back"), () => doing.step(-1)),
      play: iconButton("play", text("game.play"), doing.play),
      stop: iconButton("pause", text("game.pause"), doing.pause),
      forward: iconButton("forward", text("game.forward"), () => doing.step(1)),
      last: iconButton("last", text("game.last"), () => doing.step(Infinity)),
      paths: iconButton("paths", text("game.paths"), () => changeSettings({ paths: !settings().paths })),
      turn: iconButton("turn", text("game.turn"), doing.turn),
    };
    const choose = (/** @type {Event} */ event) => {
      this.speed = /** @type {keyof typeof SPEEDS} */ (/** @type {HTMLSelectElement} */ (event.target).value);
      doing.setSpeed();
    };
    const speeds = /** @type {(keyof typeof SPEEDS)[]} */ (Object.keys(SPEEDS));
    this.speeds = element(
      "select",
      { class: "speed", "aria-label": text("game.speed"), on: { change: choose } },
      ...speeds.map((speed) => element("option", { value: speed, selected: speed === this.speed }, text(`speed.${speed}`))),
    );
    const { first, back, play, stop, forward, last, paths, turn } = this.buttons;
    this.element = element("div", { class: "controls" }, first, back, play, stop, forward, last, this.speeds, paths, turn);
  }

  /** Time per move of automatic play, in milliseconds. */
  get pace() {
    return SPEEDS[this.speed];
  }

  /**
   * Moves the focus from a button that cannot be pressed any more to one that can.
   * @private
   * @param {Element | null} focused
   */
  keepFocus(focused) {
    const { first, back, play, stop, forward, last, turn } = this.buttons;
    const isUsable = (/** @type {HTMLButtonElement} */ button) => !button.hidden && !button.disabled;
    const pressed = Object.values(this.buttons).find((button) => button === focused);
    if (pressed === undefined || isUsable(pressed)) return;
    [play, stop, first, back, forward, last, turn].find(isUsable)?.focus({ preventScroll: true });
  }

  /** @param {{ isPlaying: boolean, canPlay: boolean, isAtStart: boolean, isAtEnd: boolean, isTurned: boolean }} state */
  show({ isPlaying, canPlay, isAtStart, isAtEnd, isTurned }) {
    const { buttons } = this;
    const focused = document.activeElement;
    buttons.first.disabled = buttons.back.disabled = isAtStart;
    buttons.forward.disabled = buttons.last.disabled = isAtEnd;
    // Only disabled during a live game, so that the buttons keep their places when it ends.
    buttons.play.disabled = !canPlay;
    for (const part of [buttons.play, buttons.first, buttons.last]) part.toggleAttribute("hidden", isPlaying);
    for (const part of [buttons.stop, this.speeds]) part.toggleAttribute("hidden", !isPlaying);
    buttons.paths.setAttribute("aria-pressed", String(settings().paths));
    buttons.turn.setAttribute("aria-pressed", String(isTurned));
    this.keepFocus(focused);
  }
}
