// The connection to the server notices a silent network and connects again.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Connection } from "../../../quoridor_net/web/static/connection.js";

/** A WebSocket without a network. */
class FakeSocket extends EventTarget {
  static CLOSED = 3;
  static OPEN = 1;
  /** @type {FakeSocket[]} */
  static all = [];

  constructor() {
    super();
    this.readyState = 0;
    /** @type {object[]} */
    this.sent = [];
    FakeSocket.all.push(this);
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  // Over a dead network, closing does not end.
  close() {
    this.readyState = 2;
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  /** @param {object} message */
  receive(message) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}

/** @type {string[]} */
let states;
/** @type {object[]} */
let messages;
/** @type {Connection} */
let connection;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, {
    WebSocket: FakeSocket,
    location: new URL("http://localhost/"),
    addEventListener: () => {},
    removeEventListener: () => {},
  });
  FakeSocket.all = [];
  states = [];
  messages = [];
  connection = new Connection("live", { onMessage: (message) => messages.push(message), onState: (state) => states.push(state) });
});

afterEach(() => {
  connection.close();
  mock.timers.reset();
});

/**
 * Lets time pass in small steps, because a mocked timer that is set by another one starts at the end of a step.
 * @param {number} milliseconds
 */
function pass(milliseconds) {
  for (let left = milliseconds; left > 0; left -= 100) mock.timers.tick(Math.min(left, 100));
}

test("a silent server is asked for a sign of life, which is no message", () => {
  const [socket] = FakeSocket.all;
  socket.open();
  pass(4000);
  assert.deepEqual(socket.sent, [{ ping: true }]);
  socket.receive({ pong: true });
  pass(7000);
  assert.deepEqual(states, ["connecting", "open"]);
  assert.deepEqual(messages, []);
});

test("a server that sends events is not asked", () => {
  const [socket] = FakeSocket.all;
  socket.open();
  for (let second = 0; second < 20; second++) {
    socket.receive({ event: second });
    pass(1000);
  }
  assert.deepEqual(socket.sent, []);
  assert.equal(messages.length, 20);
});

test("a network that goes silent is noticed within 10 seconds, and another connection is tried", () => {
  const [socket] = FakeSocket.all;
  socket.open();
  pass(9999);
  assert.deepEqual(states.slice(0, 3), ["connecting", "open", "lost"]);
  assert.equal(FakeSocket.all.length, 2);
});

test("a connection that is never made is given up", () => {
  pass(4000);
  assert.deepEqual(states, ["connecting", "lost"]);
  pass(375);
  assert.equal(FakeSocket.all.length, 2);
});

test("messages of a connection that was given up are ignored", () => {
  const [socket] = FakeSocket.all;
  socket.open();
  pass(9000);
  socket.receive({ event: 1 });
  socket.dispatchEvent(new Event("close"));
  assert.deepEqual(messages, []);
  assert.deepEqual(states, ["connecting", "open", "lost"]);
});

test("nothing is sent and nothing tried after the page closed it", () => {
  const [socket] = FakeSocket.all;
  socket.open();
  connection.close();
  pass(60_000);
  assert.deepEqual(socket.sent, []);
  assert.equal(FakeSocket.all.length, 1);
});
