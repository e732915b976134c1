// The other person at the board: the invitation, the presence, and the offers of both.

import { arrange, button, element, settle } from "./dom.js";
import { copyLink } from "./notice.js";
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
    /** The offers that are shown, and the invitation, by subject and place. @type {Map<string, HTMLElement>} */
    this.parts = new Map();
    this.status = element("p", { class: "pair-status" });
    this.offers = element("div", { class: "offers" });
    this.element = element("div", { class: "pair", role: "status", hidden: true }, this.status, this.offers);
  }

  /**
   * @param {Pair | null} pair null for a game without another person
   * @param {number} game number of the game, for the link of spectators
   * @param {object} state
   * @param {boolean} state.isOver whether the game has ended
   * @param {boolean} state.isConnected whether the page knows who is there
   */
  show(pair, game, { isOver, isConnected }) {
    this.element.hidden = pair === null;
    if (pair === null) return;
    const { invitation, declined } = pair;
    /** @type {Map<string, HTMLElement>} */
    const parts = new Map();
    // Kept while nothing changes, so that a press on a button counts, and a selected link stays selected.
    const keep = (/** @type {string} */ key, /** @type {() => HTMLElement} */ draw) => parts.set(key, this.parts.get(key) ?? draw());
    if (invitation !== null) keep("invitation", () => this.drawInvitation(invitation, game));
    // The start and the end of a game also end offers, but the message that says so comes later.
    const isOpen = (/** @type {Subject} */ subject) => (subject === "rematch") === isOver;
    const offers = /** @type {[Subject, boolean][]} */ (Object.entries(pair.offers)).filter(([subject]) => isOpen(subject));
    for (const [place, [subject, isMine]] of offers.entries()) keep(`${place} ${subject} ${isMine}`, () => this.drawOffer(subject, isMine));
    this.parts = parts;
    arrange(this.offers, this.other, ...parts.values());
    const [subject] = pair.is_here ? declined.filter(isOpen) : [];
    const presence = invitation === null && isConnected ? sayPresence(pair.is_here, isOver) : "";
    this.sayStatus(subject === undefined ? presence : `offer.${subject}.declined`);
  }

  /** Says whether the other person is there, or declined an offer. @private @param {string} key of the text; empty for none */
  sayStatus(key) {
    if (this.status.dataset.key === key) return;
    this.status.dataset.key = key;
    this.status.className = key === "pair.here" ? "pair-status" : "pair-status is-news";
    this.status.textContent = key === "" ? "" : text(key);
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
    const answers = element(
      "div",
      { class: "actions" },
      button(text("pair.accept"), answer("accept"), { class: "primary" }),
      button(text("pair.decline"), answer("decline")),
    );
    settle(answers);
    return element("div", { class: "offer is-question" }, element("p", {}, text(`offer.${subject}.theirs`)), answers);
  }
}

/** @param {boolean} isHere @param {boolean} isOver */
function sayPresence(isHere, isOver) {
  if (isHere) return "pair.here";
  return isOver ? "pair.left" : "pair.away";
}

/** @param {string} host */
function isLocal(host) {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
