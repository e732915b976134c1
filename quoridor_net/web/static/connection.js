// A WebSocket that notices a silent network, and reconnects by itself.

/** @typedef {"connecting" | "open" | "lost"} ConnectionState */

/** Delay before the first retry, and maximum delay between retries, in milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

/** Silence after which the server is asked for an answer, and time for its answer or a connection, in milliseconds. */
const SILENCE = 4000;
const ANSWER_TIME = 4000;

export class Connection {
  /**
   * @param {string} path relative to this site
   * @param {object} listeners
   * @param {(message: any) => void} listeners.onMessage
   * @param {(state: ConnectionState) => void} listeners.onState
   */
  constructor(path, { onMessage, onState }) {
    this.path = path;
    this.onMessage = onMessage;
    this.onState = onState;
    this.wait = FIRST_WAIT;
    this.isClosed = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** Ends the connection unless the server answers. @type {ReturnType<typeof setTimeout> | undefined} */
    this.watch = undefined;
    this.onNetwork = () => this.hurry();
    globalThis.addEventListener("online", this.onNetwork);
    onState("connecting");
    this.connect();
  }

  /**
   * Sends `message` if connected.
   * @param {object} message
   * @returns {boolean} whether it was sent
   */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    globalThis.removeEventListener("online", this.onNetwork);
    this.socket?.close();
  }

  /** @private */
  connect() {
    const address = new URL(this.path, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.socket = socket;
    const isCurrent = () => !this.isClosed && this.socket === socket;
    socket.addEventListener("open", () => {
      if (!isCurrent()) return;
      this.wait = FIRST_WAIT;
      this.hear();
      this.onState("open");
    });
    socket.addEventListener("message", ({ data }) => {
      if (!isCurrent()) return;
      this.hear();
      const message = JSON.parse(data);
      if (!message.pong) this.onMessage(message);
    });
    socket.addEventListener("close", () => {
      if (isCurrent()) this.lost();
    });
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.giveUp(), ANSWER_TIME);
  }

  /**
   * Notes a sign of life. After silence, asks for another, because a network that is gone reports nothing.
   * @private
   */
  hear() {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      this.send({ ping: true });
      this.watch = setTimeout(() => this.giveUp(), ANSWER_TIME);
    }, SILENCE);
  }

  /** @private */
  giveUp() {
    const { socket } = this;
    // A close over a dead network takes a minute, so do not wait for it.
    this.socket = null;
    socket?.close();
    this.lost();
  }

  /** @private */
  lost() {
    clearTimeout(this.watch);
    this.onState("lost");
    clearTimeout(this.timer);
    // Random delays, so that a whole class does not reconnect at the same moment.
    this.timer = setTimeout(() => this.connect(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** @private */
  hurry() {
    if (this.isClosed || (this.socket !== null && this.socket.readyState !== WebSocket.CLOSED)) return;
    clearTimeout(this.timer);
    this.connect();
  }
}
