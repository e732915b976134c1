// A WebSocket that reconnects by itself.

/** @typedef {"connecting" | "open" | "lost"} ConnectionState */

/** Delay before the first retry, and maximum delay between retries, in milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

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
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      if (!this.isClosed) this.onState("open");
    });
    socket.addEventListener("message", ({ data }) => {
      if (!this.isClosed) this.onMessage(JSON.parse(data));
    });
    socket.addEventListener("close", () => this.lost());
  }

  /** @private */
  lost() {
    if (this.isClosed) return;
    this.onState("lost");
    // Random delays, so that a whole class does not reconnect at the same moment.
    this.timer = setTimeout(() => this.connect(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** @private */
  hurry() {
    if (this.isClosed || this.socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.connect();
  }
}
