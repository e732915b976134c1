// The page for signing up teams, and for confirming them with the lecturer's link.

import { arrange, button, element, keepFocus, refill, setText } from "./dom.js";
import { sayName } from "./names.js";
import { confirmFirst, notify } from "./notice.js";
import { loadTeams, post } from "./source.js";
import { followStanding } from "./standing.js";
import { text } from "./texts.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {import("./standing.js").Team} Team */

/**
 * @param {{ token?: string }} parameters the token of the lecturer's link; teams have none
 * @returns {Page}
 */
export function signupPage({ token }) {
  const page = new SignupPage(token ?? null);
  return { title: text("nav.signup"), node: page.element, close: () => page.connection.close() };
}

class SignupPage {
  /** @param {string | null} token */
  constructor(token) {
    this.token = token;
    /** Whether the server has said who has signed up. */
    this.isKnown = false;
    /** Whether the token is the lecturer's. */
    this.isLecturer = false;
    this.teams = element("ul", { class: "teams" });
    this.count = element("p", { class: "teams-count" });
    this.closed = element("p", { class: "card", role: "status", hidden: true });
    this.form = drawForm();
    this.confirmAll = button(text("signup.confirm_all"), () => this.confirmEverybody());
    /** The names of the teams that wait for confirmation. @type {string[]} */
    this.waiting = [];
    /** The teams that are shown, by name. @type {Map<string, ReturnType<SignupPage["drawTeam"]>>} */
    this.rows = new Map();
    this.closeQuestion = () => {};
    const ask = () => {
      this.closeQuestion = confirmFirst(text("signup.start_question"), text("signup.start"), () => this.act("start", {}));
    };
    this.begin = button(text("signup.start"), ask, { class: "primary" });
    const place = new URL("#/signup", location.href).href;
    this.lecturer = element(
      "section",
      { class: "card" },
      element("h1", {}, text("signup.lecturer")),
      element("p", {}, text("signup.explain")),
      element("figure", { class: "signup-code" }, element("img", { class: "qr", src: "qr.svg", alt: text("signup.qr", { place }) }), element("figcaption", {}, place)),
    );
    const acts = token !== null && element("div", { class: "actions" }, this.confirmAll, this.begin);
    this.heading = element("h2", { tabindex: "-1" }, text("signup.list"));
    this.list = element("section", { class: "card", hidden: true }, this.heading, this.count, this.teams, acts);
    this.form.hidden = true;
    this.element = element(
      "div",
      { class: "signup" },
      token === null ? this.form : this.lecturer,
      this.closed,
      this.list,
    );
    this.connection = followStanding({
      onChange: (standing, changed) => {
        if (changed.has("signup")) void this.show(standing.signup ?? null);
      },
      onState: (state) => this.showState(state),
    });
  }

  /** Says that the server does not answer, until something is known. @private @param {import("./source.js").LiveState} state */
  showState(state) {
    if (this.isKnown || state !== "lost") return;
    this.closed.hidden = false;
    this.closed.textContent = text("live.lost");
  }

  /** @private @param {import("./standing.js").Signup | null} signup */
  async show(signup) {
    const isOpen = signup?.open ?? false;
    this.isKnown = true;
    this.closed.hidden = isOpen;
    const home = element("a", { href: "#/" }, text("nav.tournament"));
    if (!isOpen) refill(this.closed, text(signup === null ? "signup.none" : "signup.closed"), " ", home);
    if (!isOpen || signup?.started) this.closeQuestion();
    this.form.hidden = !isOpen;
    this.list.hidden = signup === null;
    this.lecturer.hidden = signup === null;
    let teams = signup?.teams ?? [];
    if (this.token !== null && isOpen) {
      try {
        teams = await loadTeams(this.token);
        this.isLecturer = true;
      } catch (error) {
        refill(this.lecturer, element("p", { class: "failure", role: "alert" }, messageOf(error)));
      }
    }
    this.waiting = teams.filter((team) => !team.confirmed && !team.fixed).map((team) => team.name);
    this.begin.hidden = !isOpen || !this.isLecturer || (signup?.started ?? false);
    setText(this.count, text("signup.teams", { count: teams.length }));
    keepFocus(this.list, this.heading, () => {
      this.confirmAll.hidden = !isOpen || !this.isLecturer || this.waiting.length < 2;
      this.showTeams(teams, isOpen);
    });
  }

  /** @private @param {Team[]} teams @param {boolean} isOpen */
  showTeams(teams, isOpen) {
    this.rows = new Map(teams.map((team) => [team.name, this.rows.get(team.name) ?? this.drawTeam(team)]));
    for (const team of teams) this.rows.get(team.name)?.show(team, this.isLecturer && isOpen && !team.fixed);
    arrange(this.teams, this.heading, ...[...this.rows.values()].map((row) => row.element));
  }

  /**
   * Returns the row of a team, which stays while the team is in the list.
   * @private
   * @param {Team} team
   */
  drawTeam({ name }) {
    const said = { name: sayName(name) };
    const state = element("span", { class: "team-state" });
    const confirm = button(text("signup.confirm"), () => this.act("signup/confirm", { name }), { "aria-label": text("signup.confirm_name", said) });
    const remove = button(text("signup.remove"), () => this.act("signup/remove", { name }), { class: "danger", "aria-label": text("signup.remove_name", said) });
    const shownName = element("strong", {}, said.name);
    const address = element("code", {});
    const fate = element("div", { class: "team-fate" });
    const row = element("li", {});
    const show = (/** @type {Team} */ team, /** @type {boolean} */ canAct) => {
      row.className = team.confirmed ? "confirmed" : "";
      setText(address, team.address ?? "");
      setText(state, text(team.confirmed ? "signup.confirmed" : "signup.waits"));
      arrange(fate, this.heading, state, canAct && !team.confirmed && confirm, canAct && remove);
      arrange(row, this.heading, shownName, team.address !== null && address, fate);
    };
    return { element: row, show };
  }

  /** @private */
  async confirmEverybody() {
    for (const name of this.waiting) await this.act("signup/confirm", { name });
  }

  /**
   * @private
   * @param {string} path
   * @param {object} message
   */
  async act(path, message) {
    try {
      await post(path, message, { Authorization: `Bearer ${this.token}` });
      if (path === "start") location.hash = "#/";
    } catch (error) {
      notify(messageOf(error));
    }
  }
}

function drawForm() {
  const name = element("input", { type: "text", name: "name", required: true, maxlength: 40, autocomplete: "off" });
  const address = element("input", { type: "text", name: "address", required: true, maxlength: 200, autocomplete: "off", spellcheck: "false", placeholder: text("signup.address_example") });
  const send = element("button", { type: "submit", class: "primary" }, text("signup.send"));
  const answer = element("p", { class: "signup-answer", role: "status", hidden: true });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    send.disabled = true;
    answer.hidden = false;
    answer.className = "signup-answer";
    answer.textContent = text("signup.trying");
    try {
      const given = { name: name.value.trim(), address: address.value.trim() };
      const { name: called } = await post("signup", given);
      answer.className = "signup-answer good";
      answer.textContent = text("signup.done", { name: sayName(called) });
    } catch (error) {
      answer.className = "signup-answer failure";
      answer.textContent = messageOf(error);
    }
    send.disabled = false;
  };
  return element(
    "form",
    { class: "card signup-form", on: { submit } },
    element("h1", {}, text("signup.title")),
    element("label", {}, element("span", {}, text("signup.name")), name),
    element("label", {}, element("span", {}, text("signup.address")), address),
    element("p", { class: "hint" }, text("signup.address_hint")),
    element("div", { class: "actions" }, send),
    answer,
  );
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
