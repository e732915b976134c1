// The recorded game that the reader opened from a file, kept until the window closes, so that it survives a reload.

/** @typedef {import("./game.js").GameEvent} GameEvent */

const KEPT = "quoridor.replay";

/** Maximum size of a kept game, in characters; browsers keep about five million for a site. */
const MOST_KEPT = 2_000_000;

/** @param {GameEvent[]} events */
export function keepReplay(events) {
  const written = JSON.stringify(events);
  try {
    globalThis.sessionStorage.removeItem(KEPT);
    if (written.length <= MOST_KEPT) globalThis.sessionStorage.setItem(KEPT, written);
  } catch {
    // Some browsers keep nothing, by the reader's choice.
  }
}

/** Returns the kept game, if there is one. @returns {GameEvent[] | undefined} */
export function loadKeptReplay() {
  try {
    const written = globalThis.sessionStorage.getItem(KEPT);
    return written === null ? undefined : JSON.parse(written);
  } catch {
    return undefined;
  }
}
