// The strengths of entrants as points with their intervals.

import { drawn, element } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {import("./standing.js").Interval} Interval */

/** Units of the drawing: a row, the width of the scale, the room for names. */
const PLOT_ROW = 26;
const PLOT_SCALE = 420;
const PLOT_NAMES = 170;
const PLOT_FOOT = 26;

/** Elo from one line of the scale to the next, the first of which there are at most ten. */
const PLOT_STEPS = [10, 20, 50, 100, 200, 500, 1000];

/**
 * Returns the drawing, strongest first, and what stands under it; null where nothing is known.
 * @param {{ name: string, elo: Interval }[]} ratings
 */
export function drawRatings(ratings) {
  const known = ratings.filter(({ elo }) => elo.value !== null);
  if (known.length < 2) return null;
  known.sort((first, second) => Number(second.elo.value) - Number(first.elo.value));
  const values = known.flatMap(({ elo }) => [elo.low, elo.value, elo.high].filter((value) => value !== null));
  const step = PLOT_STEPS.find((each) => (Math.max(...values) - Math.min(...values)) / each <= 10) ?? PLOT_STEPS[PLOT_STEPS.length - 1];
  const low = Math.floor(Math.min(...values) / step) * step;
  const high = Math.max(Math.ceil(Math.max(...values) / step) * step, low + step);
  const place = (/** @type {number} */ value) => PLOT_NAMES + ((value - low) / (high - low)) * PLOT_SCALE;
  const height = known.length * PLOT_ROW;
  const lines = [];
  for (let value = low; value <= high; value += step) {
    const x = place(value);
    lines.push(
      drawn("line", { x1: x, x2: x, y1: 0, y2: height, class: value === 0 ? "plot-zero" : "plot-line" }),
      drawn("text", { x, y: height + 17, class: "plot-scale" }, value > 0 ? `+${value}` : String(value)),
    );
  }
  const rows = known.map(({ name, elo }, index) => {
    const y = (index + 0.5) * PLOT_ROW;
    const [left, right] = [place(elo.low ?? low), place(elo.high ?? high)];
    const arrows = [elo.low === null && `M${left - 2} ${y}l7-5v10z`, elo.high === null && `M${right + 2} ${y}l-7-5v10z`];
    return drawn(
      "g",
      {},
      drawn("title", {}, text("ratings.row", { name, elo: String(elo.value), low: String(elo.low ?? "–∞"), high: String(elo.high ?? "∞") })),
      drawn("text", { x: PLOT_NAMES - 14, y: y + 4.5, class: "plot-name" }, name.length > 20 ? `${name.slice(0, 19)}…` : name),
      drawn("line", { x1: left, x2: right, y1: y, y2: y, class: "plot-interval" }),
      ...arrows.map((arrow) => arrow && drawn("path", { d: arrow, class: "plot-open" })),
      drawn("circle", { cx: place(Number(elo.value)), cy: y, r: 5, class: "plot-value" }),
    );
  });
  const label = known.map(({ name, elo }) => `${name} ${elo.value}`).join(", ");
  return element(
    "figure",
    { class: "rating-plot" },
    drawn("svg", { viewBox: `0 0 ${PLOT_NAMES + PLOT_SCALE + 24} ${height + PLOT_FOOT}`, role: "img", "aria-label": `${text("ratings.title")}: ${label}` }, ...lines, ...rows),
    element("figcaption", {}, text("ratings.caption")),
  );
}
