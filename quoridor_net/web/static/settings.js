// The reader's settings: theme, language, notation, type size, shortest paths, confirmation and sounds.

/** @typedef {"system" | "light" | "dark"} Theme */
/**
 * @typedef {object} Settings
 * @property {Theme} theme
 * @property {"en" | "de"} language
 * @property {import("./notation.js").Notation} notation
 * @property {boolean} large whether to use large type, for the back of a classroom
 * @property {boolean} paths whether to draw shortest paths
 * @property {boolean} confirm whether the reader confirms each move
 * @property {boolean} sounds whether moves, little time and the end of a game are heard
 */

/** The choices of each setting. @type {{ [name in keyof Settings]: Settings[name][] }} */
export const CHOICES = {
  theme: ["system", "light", "dark"],
  language: ["en", "de"],
  notation: ["standard", "lan", "athens"],
  large: [false, true],
  paths: [false, true],
  confirm: [false, true],
  sounds: [false, true],
};

const STORED = "quoridor-settings";

/** @type {Set<(settings: Settings, changed: Partial<Settings>) => void>} */
const listeners = new Set();

/** @type {Settings} */
let defaults = { theme: "system", language: preferredLanguage(), notation: "standard", large: false, paths: false, confirm: false, sounds: false };

/** The settings that the reader changed. @type {Partial<Settings>} */
let changed = {};

/** @type {Settings} */
let chosen = defaults;

/** Loads the stored settings. */
export function loadSettings() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    for (const [name, choices] of Object.entries(CHOICES)) {
      if (/** @type {unknown[]} */ (choices).includes(stored[name])) changed = { ...changed, [name]: stored[name] };
    }
  } catch {
    // Without storage, or with unreadable contents, the defaults apply.
  }
  applySettings();
}

/**
 * Replaces default settings by those of the site.
 * @param {Partial<Settings>} ofSite
 */
export function setDefaults(ofSite) {
  defaults = { ...defaults, ...ofSite };
  applySettings();
}

/** Returns the current settings. @returns {Readonly<Settings>} */
export function settings() {
  return chosen;
}

/**
 * Changes some settings, stores them for the next visit, and notifies listeners.
 * @param {Partial<Settings>} changes
 */
export function changeSettings(changes) {
  changed = { ...changed, ...changes };
  applySettings();
  try {
    localStorage.setItem(STORED, JSON.stringify(changed));
  } catch {
    // Without storage, they apply to this visit only.
  }
  for (const listener of [...listeners]) listener(chosen, changes);
}

/**
 * Calls `listener` with every change. Returns a function that ends this.
 * @param {(settings: Settings, changed: Partial<Settings>) => void} listener
 */
export function onSettings(listener) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Returns a number as people write it in the selected language.
 * @param {number} value
 * @param {number} digits after the point or comma
 */
export function formatNumber(value, digits) {
  return value.toLocaleString(chosen.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function applySettings() {
  chosen = { ...defaults, ...changed };
  const root = document.documentElement;
  root.lang = chosen.language;
  root.dataset.theme = chosen.theme;
  root.classList.toggle("large", chosen.large);
}

/** @returns {"en" | "de"} */
function preferredLanguage() {
  return globalThis.navigator?.language?.startsWith("de") ? "de" : "en";
}
