// The other person at the board: the invitation, the presence, and the offers of both.

import { button, drawIcon, element, refillKeepingFocus } from "./dom.js";
import { copyLink, notify } from "./notice.js";
import { text } from "./texts.js";

/** @typedef {"takeback" | "draw" | "rematch"} Subject */
/**
 * What the server tells about the other person.
 * @typedef {object} Pair
 * @property {string | null} invitation the end of the link that invites the friend; null once it is accepted
 * @property {boolean} is_here whether the other person has the page open
 * @property {Partial<Record<Subject, boolean>>} offers open offers, and whether they are the reader's own
 * @property {Subject[]} declined offers of the reader that the other person declined since the last move
 * @property {boolean} can_draw whether the position has occurred before
 */

export class PairPanel {
  /**
   * @param {object} parts
   * @param {(message: object) => void} parts.send
   * @param {string} parts.url address of this site on other machines
   * @param {HTMLElement} parts.other element that gets the focus of a button that goes
   */
  constructor({ send, url, other }) {
    this.send = send;
    this.url = isLocal(location.hostname) ? url : location.href;
    this.other = other;
    this.shown = "";
    /** The open offers of the other person. @type {Set<Subject>} */
    this.asked = new Set();
    this.element = element("div", { class: "pair", role: "status" });
  }

  /**
   * @param {Pair | null} pair null for a game without another person
   * @param {number} game number of the game, for the link of spectators
   * @param {boolean} isOver
   */
  show(pair, game, isOver) {
    // Redrawn only on changes, so that screen readers do not repeat it and a selected link stays selected.
    const shown = JSON.stringify([pair, isOver, text("pair.accept")]);
    if (shown === this.shown) return;
    this.shown = shown;
    const offers = /** @type {[Subject, boolean][]} */ (Object.entries(pair?.offers ?? {}));
    refillKeepingFocus(
      this.element,
      this.other,
      pair !== null && pair.invitation !== null && this.drawInvitation(pair.invitation, game),
      pair !== null && pair.invitation === null && !pair.is_here && element("p", { class: "pair-away" }, text(isOver ? "pair.left" : "pair.away")),
      ...offers.map(([subject, isMine]) => this.drawOffer(subject, isMine)),
      ...(pair?.declined ?? []).map((subject) => element("p", { class: "pair-away" }, text(`offer.${subject}.declined`))),
    );
    const asked = new Set(offers.filter(([, isMine]) => !isMine).map(([subject]) => subject));
    // On a small screen, the offer may be below the window. In it, the notice would cover it.
    const isHidden = asked.size > 0 && this.element.getBoundingClientRect().bottom > globalThis.innerHeight;
    for (const subject of asked) if (isHidden && !this.asked.has(subject)) notify(text(`offer.${subject}.theirs`), "news");
    this.asked = asked;
  }

  /**
   * Returns the whole address of a page of this site.
   * @param {string} place the part after `#/`
   */
  addressOf(place) {
    const address = new URL(this.url);
    address.hash = `/${place}`;
    return address.href;
  }

  /** @private @param {string} invitation @param {number} game */
  drawInvitation(invitation, game) {
    return element(
      "div",
      { class: "card pair-link" },
      element("h2", {}, text("join.title")),
      element("p", {}, text("pair.invite")),
      element("div", { class: "field" }, ...copyLink(text("pair.link"), this.addressOf(`join/${invitation}`))),
      element("p", { class: "hint" }, text(isLocal(new URL(this.url).hostname) ? "pair.local" : "pair.keep_open")),
      element(
        "details",
        {},
        element("summary", {}, text("pair.watch")),
        element("div", { class: "field" }, ...copyLink(text("pair.watch"), this.addressOf(`games/${game}`))),
      ),
    );
  }

  /** @private @param {Subject} subject @param {boolean} isMine */
  drawOffer(subject, isMine) {
    const answer = (/** @type {"accept" | "decline"} */ verb) => () => this.send({ [verb]: subject });
    if (isMine) {
      return element("div", { class: "offer" }, element("p", {}, text(`offer.${subject}.mine`)), button(text("offer.withdraw"), answer("decline")));
    }
    return element(
      "div",
      { class: "offer is-question" },
      element("p", {}, text(`offer.${subject}.theirs`)),
      element(
        "div",
        { class: "actions" },
        element("button", { type: "button", class: "primary", on: { click: answer("accept") } }, drawIcon("accept"), text("pair.accept")),
        element("button", { type: "button", on: { click: answer("decline") } }, drawIcon("close"), text("pair.decline")),
      ),
    );
  }
}

/** @param {string} host */
function isLocal(host) {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
