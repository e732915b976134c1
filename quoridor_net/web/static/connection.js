// A WebSocket that comes back by itself.

/** @typedef {"connecting" | "open" | "lost"} ConnectionState */

/** Milliseconds until the first new try, and at most between two. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

export class Connection {
  /**
   * @param {string} path of this site
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
   * Sends `message` if there is a connection.
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
    // Spread out, so that a class does not come back all at once after its server was away.
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
