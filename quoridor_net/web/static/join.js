// The page of an invitation: takes the other seat of a game, or shows the game if somebody else has taken it.

import { element, refill } from "./dom.js";
import { findOwnSeat, keyOf } from "./invitations.js";
import { notifyNext } from "./notice.js";
import { RefusedError, post } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./router.js").Page} Page */

/** Status of the response to an invitation that is not valid. */
const NOT_FOUND = 404;

/**
 * Returns the page of the invitation with `token`.
 * @param {Record<string, string>} parameters
 * @returns {Page}
 */
export function joinPage({ token }) {
  const status = element("p", { role: "status" });
  const actions = element("div", { class: "actions" });
  const card = element("div", { class: "card" }, element("h1", {}, text("join.title")), status, actions);
  let isClosed = false;
  const join = async () => {
    status.className = "";
    status.textContent = text("join.joining");
    refill(actions);
    try {
      const joined = await post("join", { invitation: token, key: keyOf(token) });
      if (isClosed) return;
      if (joined.token === null) notifyNext(text("join.taken"));
      // In place of this page, so that a reload and the way back lead to the seat.
      location.replace(joined.token === null ? `#/games/${joined.game}` : `#/seat/${encodeURIComponent(joined.token)}`);
    } catch (error) {
      status.className = "failure";
      status.textContent = error instanceof Error ? error.message : String(error);
      // An invitation that is not valid will not be valid later.
      const isFinal = error instanceof RefusedError && error.status === NOT_FOUND;
      const again = element("button", { type: "button", on: { click: () => void join() } }, text("join.again"));
      refill(actions, isFinal ? element("a", { class: "button", href: "#/" }, text("play.new")) : again);
    }
  };
  const seat = findOwnSeat(token);
  if (seat === null) void join();
  else {
    // The seat is for the friend, unless the reader asks for it.
    status.textContent = text("join.own");
    const back = element("a", { class: "button primary", href: `#/seat/${encodeURIComponent(seat)}` }, text("join.back"));
    refill(actions, back, element("button", { type: "button", on: { click: () => void join() } }, text("join.both")));
  }
  return {
    title: text("join.title"),
    node: element("div", { class: "narrow" }, card),
    close: () => {
      isClosed = true;
    },
  };
}
