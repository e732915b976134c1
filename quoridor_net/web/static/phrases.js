// Translates sentences of the server, which are phrases with values.

import { sayName } from "./names.js";
import { formatMove, parseLanMove } from "./notation.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/**
 * The code and values of a sentence; see docs/reference/events.md.
 * @typedef {{ code: string, values: Record<string, any> }} Phrase
 */

/** Squares on a side of the board if its size is not known. */
const USUAL_SIZE = 9;

/**
 * Returns a sentence of the server in the reader's language, or unchanged if it is not a phrase.
 * @param {Phrase | null | undefined} phrase
 * @param {string} sentence in English
 * @param {number} [size] of the board
 */
export function sayPhrase(phrase, sentence, size = USUAL_SIZE) {
  if (!phrase) return sentence;
  const values = Object.entries(phrase.values).map(([name, value]) => [name, name === "name" ? sayName(value) : sayValue(value, size)]);
  const said = text(phrase.code, Object.fromEntries(values));
  return said === phrase.code ? sentence : said;
}

/**
 * @param {any} value
 * @param {number} size
 * @returns {string | number}
 */
function sayValue(value, size) {
  // Integers stay numbers, because a text may have a singular form.
  if (typeof value === "number") return Number.isInteger(value) ? value : value.toLocaleString(settings().language);
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => sayValue(each, size)).join(", ");
  if ("place" in value) return formatMove(parseLanMove(value.place), settings().notation, size);
  return sayPhrase(value, "", size);
}
