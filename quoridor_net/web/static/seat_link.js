// The connection of a page to a seat.

import { followBoard } from "./source.js";

/** @typedef {import("./source.js").LiveState} LiveState */

export class SeatLink {
  /**
   * Connects to the seat with `token`, which starts with the number of its board.
   * @param {string} token
   * @param {object} listeners
   * @param {(message: any) => void} listeners.onMessage called with all messages of the board once the server has accepted the seat
   * @param {(state: LiveState) => void} listeners.onState
   */
  constructor(token, { onMessage, onState }) {
    this.token = token;
    this.onMessage = onMessage;
    this.onState = onState;
    /** Messages that wait until the server accepts the seat, because the board may be another's; null after that. @type {object[] | null} */
    this.early = [];
    this.live = followBoard(Number(token.split("-")[0]), {
      onState: (state) => this.enter(state),
      onMessage: (message) => this.take(message),
    });
  }

  /** Whether the server has accepted the seat on this connection. */
  get isAccepted() {
    return this.early === null;
  }

  /**
   * Sends a message, and returns whether there is a connection.
   * @param {object} message
   */
  send(message) {
    return this.live.send(message);
  }

  close() {
    this.live.close();
  }

  /** @private @param {LiveState} state */
  enter(state) {
    if (state === "lost" || state === "open") this.early = [];
    this.onState(state);
    // `live` is set by now, because a connection opens after the constructor has returned.
    if (state === "open") this.live.send({ sit: this.token });
  }

  /** @private @param {any} message */
  take(message) {
    if (message.code === "no_seat") {
      this.close();
      this.onState("missing");
    } else if (this.early === null || message.refused) this.onMessage(message);
    else if (message.seated) {
      const waiting = this.early;
      this.early = null;
      for (const each of [...waiting, message]) this.onMessage(each);
    } else this.early.push(message);
  }
}
