// What a reader chooses: theme, language, notation, size of type, and what the board shows besides the game.

/** @typedef {"system" | "light" | "dark"} Theme */
/**
 * @typedef {object} Settings
 * @property {Theme} theme
 * @property {"en" | "de"} language
 * @property {import("./notation.js").Notation} notation
 * @property {boolean} large type for the back of a classroom
 * @property {boolean} paths whether shortest paths are drawn
 */

/** What each setting can be. @type {{ [name in keyof Settings]: Settings[name][] }} */
export const CHOICES = {
  theme: ["system", "light", "dark"],
  language: ["en", "de"],
  notation: ["standard", "lan", "athens"],
  large: [false, true],
  paths: [false, true],
};

const STORED = "quoridor-settings";

/** @type {Set<(settings: Settings, changed: Partial<Settings>) => void>} */
const listeners = new Set();

/** @type {Settings} */
let chosen = { theme: "system", language: preferredLanguage(), notation: "standard", large: false, paths: false };

/** Reads what was chosen earlier. */
export function loadSettings() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    for (const [name, choices] of Object.entries(CHOICES)) {
      if (/** @type {unknown[]} */ (choices).includes(stored[name])) chosen = { ...chosen, [name]: stored[name] };
    }
  } catch {
    // Without storage, or with what another program left there, the defaults hold.
  }
  applySettings();
}

/** What is chosen now. @returns {Readonly<Settings>} */
export function settings() {
  return chosen;
}

/**
 * Changes some settings, keeps them for the next visit, and tells those who listen.
 * @param {Partial<Settings>} changes
 */
export function changeSettings(changes) {
  chosen = { ...chosen, ...changes };
  applySettings();
  try {
    localStorage.setItem(STORED, JSON.stringify(chosen));
  } catch {
    // They hold for this visit.
  }
  for (const listener of [...listeners]) listener(chosen, changes);
}

/**
 * Calls `listener` with every change until the function that is returned is called.
 * @param {(settings: Settings, changed: Partial<Settings>) => void} listener
 */
export function onSettings(listener) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function applySettings() {
  const root = document.documentElement;
  root.lang = chosen.language;
  root.dataset.theme = chosen.theme;
  root.classList.toggle("large", chosen.large);
}

/** @returns {"en" | "de"} */
function preferredLanguage() {
  return globalThis.navigator?.language?.startsWith("de") ? "de" : "en";
}
