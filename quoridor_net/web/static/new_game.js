// The page for starting a game against the engine.

import { element, refill } from "./dom.js";
import { defaultWalls } from "./moves.js";
import { post } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./router.js").Page} Page */

const LEVELS = 10;
const SIZES = [5, 7, 9, 11];

/** @type {Record<string, string[]>} */
const CHOICES_OF_GAME = {
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
  const chosen = { level: "4", side: "random", players: "2", size: "9", jumps: "official", walls: "", ...Object.fromEntries(usual) };
  const level = element("output", {}, chosen.level);
  const walls = element("input", { type: "number", name: "walls", min: 0, max: 99, value: chosen.walls });
  const failure = element("p", { class: "failure", role: "alert", hidden: true });
  const start = element("button", { type: "submit", class: "primary" }, text("new.start"));
  const form = element(
    "form",
    { class: "card new-game" },
    element("h1", {}, text("new.title")),
    element(
      "label",
      { class: "level" },
      element("span", {}, text("new.level"), " ", level),
      element("input", {
        type: "range",
        name: "level",
        min: 1,
        max: LEVELS,
        value: chosen.level,
        // Needed because the label belongs to its first control, the output of the level.
        "aria-label": text("new.level"),
        on: { input: (/** @type {Event} */ event) => (level.value = /** @type {HTMLInputElement} */ (event.target).value) },
      }),
      element("span", { class: "level-ends", "aria-hidden": "true" }, element("span", {}, text("new.weakest")), element("span", {}, text("new.strongest"))),
    ),
    drawGameChoice("side", chosen.side),
    element(
      "details",
      { open: chosen.players !== "2" || chosen.size !== "9" || chosen.jumps !== "official" || chosen.walls !== "" },
      element("summary", {}, text("new.more")),
      drawGameChoice("players", chosen.players),
      drawGameChoice("size", chosen.size),
      element("label", { class: "field" }, element("span", {}, text("new.walls")), walls),
      drawGameChoice("jumps", chosen.jumps),
    ),
    failure,
    element("div", { class: "actions" }, start),
  );
  const showWalls = () => {
    const { players, size } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
    walls.placeholder = String(defaultWalls(Number(size), Number(players)));
  };
  form.addEventListener("change", showWalls);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
    start.disabled = true;
    failure.hidden = true;
    try {
      const begun = await post("play", {
        level: Number(values.level),
        side: values.side,
        size: Number(values.size),
        walls: values.walls === "" ? null : Number(values.walls),
        players: Number(values.players),
        jumps: values.jumps,
      });
      location.hash = `#/seat/${encodeURIComponent(begun.token)}`;
    } catch (error) {
      refill(failure, error instanceof Error ? error.message : String(error));
      failure.hidden = false;
    } finally {
      start.disabled = false;
    }
  });
  showWalls();
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
        element("span", {}, name === "size" ? `${value} × ${value}` : name === "players" ? value : text(`new.${name}.${value}`)),
      ),
    ),
  );
}
