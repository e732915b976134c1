// The names of players, as people read them.

import { settings } from "./settings.js";
import { text } from "./texts.js";

const ENGINE = /^engine(?::(?:level=(\d+))?,?(?:think=([\d.]+))?)?$/;

/** The names of people who play in the browser. */
const PEOPLE = ["person", "host", "guest"];

/**
 * Returns a player's name for people: the project's engine in words, and spaces, which names cannot contain on the
 * network, for underscores.
 * @param {string} name
 */
export function sayName(name) {
  const engine = ENGINE.exec(name);
  if (PEOPLE.includes(name)) return text(`name.${name}`);
  if (engine === null) return name.replaceAll("_", " ");
  const [, level, think] = engine;
  const said = [text("name.engine")];
  if (level !== undefined) said.push(text("name.level", { level }));
  if (think !== undefined) said.push(text("name.think", { seconds: Number(think).toLocaleString(settings().language) }));
  return said.join(", ");
}
