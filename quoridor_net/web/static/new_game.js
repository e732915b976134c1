// The page for starting a game against the engine or a friend.

import { keepLevel, readLevel } from "./auto_level.js";
import { element, refill } from "./dom.js";
import { defaultWalls } from "./moves.js";
import { post } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./router.js").Page} Page */

const LEVELS = 10;
const SIZES = [5, 7, 9, 11];

/** No clock, then seconds and increments. */
const CLOCKS = ["", "60", "180+2", "300+3", "600+5", "1800+20"];

/** @type {Record<string, string[]>} */
const CHOICES_OF_GAME = {
  opponent: ["engine", "friend"],
  clock: CLOCKS,
  side: ["first", "second", "random"],
  players: ["2", "4"],
  size: SIZES.map(String),
  jumps: ["official", "classroom"],
};

/**
 * Returns the page, with the choices of `site.defaults` preselected.
 * @param {{ site: import("./source.js").Site }} parameters
 * @returns {Page}
 */
export function newGamePage({ site }) {
  const usual = Object.entries(site.defaults ?? {}).map(([name, value]) => [name, value === null ? "" : String(value)]);
  /** @type {Record<string, string>} */
  const chosen = { level: "4", side: "random", players: "2", size: "9", jumps: "official", walls: "", opponent: "engine", clock: "", auto_level: "false", ...Object.fromEntries(usual) };
  const kept = readLevel();
  const isAuto = chosen.auto_level === "true" || (kept?.isOn ?? false);
  const walls = element("input", { type: "number", name: "walls", min: 0, max: 99, value: chosen.walls });
  const failure = element("p", { class: "failure", role: "alert", hidden: true });
  const start = element("button", { type: "submit", class: "primary" }, text("new.start"));
  const level = element("output", {}, chosen.level);
  const slider = element("input", {
    type: "range",
    min: 1,
    max: LEVELS,
    value: chosen.level,
    // Needed because the label belongs to its first control, the output of the level.
    "aria-label": text("new.level"),
    on: { input: () => (level.value = slider.value) },
  });
  const follows = element("input", { type: "checkbox", checked: isAuto });
  const levels = element(
    "div",
    {},
    element(
      "label",
      { class: "level" },
      element("span", {}, text("new.level"), " ", level),
      slider,
      element("span", { class: "level-ends", "aria-hidden": "true" }, element("span", {}, text("new.weakest")), element("span", {}, text("new.strongest"))),
    ),
    element("label", { class: "switch" }, follows, element("span", {}, text("new.auto_level"))),
  );
  const followResults = () => {
    slider.disabled = follows.checked;
    if (follows.checked) level.value = slider.value = String(kept?.level ?? chosen.level);
  };
  follows.addEventListener("change", followResults);
  const players = drawGameChoice("players", chosen.players);
  const form = element(
    "form",
    { class: "card new-game" },
    element("h1", {}, text("new.title")),
    drawGameChoice("opponent", chosen.opponent),
    levels,
    drawGameChoice("side", chosen.side),
    drawGameChoice("clock", chosen.clock),
    element(
      "details",
      { open: chosen.players !== "2" || chosen.size !== "9" || chosen.jumps !== "official" || chosen.walls !== "" },
      element("summary", {}, text("new.more")),
      players,
      drawGameChoice("size", chosen.size),
      element("label", { class: "field" }, element("span", {}, text("new.walls")), walls),
      drawGameChoice("jumps", chosen.jumps),
    ),
    failure,
    element("div", { class: "actions" }, start),
  );
  const readForm = () => /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const showChoices = () => {
    const values = readForm();
    const isFriend = values.opponent === "friend";
    levels.hidden = players.hidden = isFriend;
    start.textContent = text(isFriend ? "new.invite" : "new.start");
    walls.placeholder = String(defaultWalls(Number(values.size), isFriend ? 2 : Number(values.players)));
  };
  form.addEventListener("change", showChoices);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = readForm();
    start.disabled = true;
    failure.hidden = true;
    const isAgainstEngine = values.opponent !== "friend";
    try {
      const begun = await post("play", {
        level: Number(slider.value),
        auto_level: isAgainstEngine && follows.checked,
        side: values.side,
        size: Number(values.size),
        walls: values.walls === "" ? null : Number(values.walls),
        players: isAgainstEngine ? Number(values.players) : 2,
        jumps: values.jumps,
        opponent: values.opponent,
        clock: values.clock === "" ? null : values.clock,
      });
      // Other games do not change the level, but the reader's choice.
      if (isAgainstEngine && (follows.checked || kept !== null)) {
        keepLevel({ level: follows.checked ? Number(slider.value) : (kept?.level ?? 0), isOn: follows.checked });
      }
      location.hash = `#/seat/${encodeURIComponent(begun.token)}`;
    } catch (error) {
      refill(failure, error instanceof Error ? error.message : String(error));
      failure.hidden = false;
    } finally {
      start.disabled = false;
    }
  });
  showChoices();
  followResults();
  return { title: text("new.title"), node: element("div", { class: "narrow" }, form) };
}

/** @param {string} name @param {string} now */
function drawGameChoice(name, now) {
  return element(
    "fieldset",
    { class: "choice" },
    element("legend", {}, text(`new.${name}`)),
    ...[...new Set([...CHOICES_OF_GAME[name], now])].map((value) =>
      element(
        "label",
        {},
        element("input", { type: "radio", name, value, checked: value === now }),
        element("span", {}, sayChoice(name, value)),
      ),
    ),
  );
}

/** @param {string} name @param {string} value */
function sayChoice(name, value) {
  if (name === "size") return `${value} × ${value}`;
  if (name === "players") return value;
  if (name === "clock") return value === "" ? text("new.clock.none") : sayClock(value);
  return text(`new.${name}.${value}`);
}

/**
 * Returns a clock as people write it: minutes, a plus sign and the increment in seconds.
 * @param {string} clock in seconds
 */
function sayClock(clock) {
  const [seconds, increment = "0"] = clock.split("+");
  return Number(seconds) % 60 === 0 ? `${Number(seconds) / 60} + ${increment}` : `${seconds} s + ${increment}`;
}
