// A plot of the ratings of entrants, with confidence intervals.

import { svgElement, element } from "./dom.js";
import { sayName } from "./names.js";
import { text } from "./texts.js";

/** @typedef {import("./standing.js").Interval} Interval */

/** Lengths in units of the drawing: height of a row, height of the scale, margin to the right. */
const PLOT_ROW = 26;
const PLOT_FOOT = 26;
const PLOT_MARGIN = 24;

/** Elo between lines of the scale; the plot uses the first value that gives few enough lines. */
const PLOT_STEPS = [10, 20, 50, 100, 200, 500, 1000];

/**
 * The layout of a plot, with widths in units of the drawing.
 * @typedef {object} PlotRoom
 * @property {string} name CSS class
 * @property {number} scale width of the scale
 * @property {number} names width of the names
 * @property {number} letters maximum length of a name
 * @property {number} steps maximum number of steps of the scale
 */

/** @type {PlotRoom} */
const PLOT_WIDE = { name: "plot-wide", scale: 420, names: 170, letters: 20, steps: 10 };
/** On a phone. @type {PlotRoom} */
const PLOT_NARROW = { name: "plot-narrow", scale: 180, names: 110, letters: 12, steps: 4 };

/**
 * Returns the plot with its caption, strongest first; null with fewer than two ratings.
 * @param {{ name: string, elo: Interval }[]} ratings
 */
export function drawRatings(ratings) {
  const known = ratings.filter(({ elo }) => elo.value !== null).map(({ name, elo }) => ({ name: sayName(name), elo }));
  if (known.length < 2) return null;
  known.sort((first, second) => Number(second.elo.value) - Number(first.elo.value));
  return element(
    "figure",
    { class: "rating-plot" },
    ...[PLOT_WIDE, PLOT_NARROW].map((room) => drawPlot(known, room)),
    element("figcaption", {}, text("ratings.caption")),
  );
}

/**
 * @param {{ name: string, elo: Interval }[]} known
 * @param {PlotRoom} room
 */
function drawPlot(known, room) {
  const values = known.flatMap(({ elo }) => [elo.low, elo.value, elo.high].filter((value) => value !== null));
  const step = PLOT_STEPS.find((each) => (Math.max(...values) - Math.min(...values)) / each <= room.steps) ?? PLOT_STEPS[PLOT_STEPS.length - 1];
  const low = Math.floor(Math.min(...values) / step) * step;
  const high = Math.max(Math.ceil(Math.max(...values) / step) * step, low + step);
  const place = (/** @type {number} */ value) => room.names + ((value - low) / (high - low)) * room.scale;
  const height = known.length * PLOT_ROW;
  const lines = [];
  for (let value = low; value <= high; value += step) {
    const x = place(value);
    lines.push(
      svgElement("line", { x1: x, x2: x, y1: 0, y2: height, class: value === 0 ? "plot-zero" : "plot-line" }),
      svgElement("text", { x, y: height + 17, class: "plot-scale" }, value > 0 ? `+${value}` : String(value)),
    );
  }
  const rows = known.map(({ name, elo }, index) => {
    const y = (index + 0.5) * PLOT_ROW;
    const [left, right] = [place(elo.low ?? low), place(elo.high ?? high)];
    const arrows = [elo.low === null && `M${left - 2} ${y}l7-5v10z`, elo.high === null && `M${right + 2} ${y}l-7-5v10z`];
    return svgElement(
      "g",
      {},
      svgElement("title", {}, text("ratings.row", { name, elo: String(elo.value), low: String(elo.low ?? "–∞"), high: String(elo.high ?? "∞") })),
      svgElement("text", { x: room.names - 14, y: y + 4.5, class: "plot-name" }, name.length > room.letters ? `${name.slice(0, room.letters - 1)}…` : name),
      svgElement("line", { x1: left, x2: right, y1: y, y2: y, class: "plot-interval" }),
      ...arrows.map((arrow) => arrow && svgElement("path", { d: arrow, class: "plot-open" })),
      svgElement("circle", { cx: place(Number(elo.value)), cy: y, r: 5, class: "plot-value" }),
    );
  });
  const label = known.map(({ name, elo }) => `${name} ${elo.value}`).join(", ");
  return svgElement(
    "svg",
    { viewBox: `0 0 ${room.names + room.scale + PLOT_MARGIN} ${height + PLOT_FOOT}`, class: room.name, role: "img", "aria-label": `${text("ratings.title")}: ${label}` },
    ...lines,
    ...rows,
  );
}
