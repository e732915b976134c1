// The reader's level of the engine, which follows the results. It is kept in this browser.

const KEPT_LEVEL = "quoridor-level";

/**
 * The reader's level.
 * @typedef {{ level: number, isOn: boolean }} AutoLevel `isOn` tells whether the reader's last game followed the results
 */

/** Returns the reader's level; null before the first game. @returns {AutoLevel | null} */
export function readLevel() {
  try {
    const { level, isOn } = JSON.parse(localStorage.getItem(KEPT_LEVEL) ?? "{}");
    return Number.isInteger(level) && level >= 1 && level <= 10 ? { level, isOn: isOn === true } : null;
  } catch {
    // Without storage, or with unreadable contents, every game is the first.
    return null;
  }
}

/** @param {AutoLevel} kept */
export function keepLevel(kept) {
  try {
    localStorage.setItem(KEPT_LEVEL, JSON.stringify(kept));
  } catch {
    // As above.
  }
}
