// The recorded game that the reader opened from a file, kept until the window closes, so that it survives a reload.

/** @typedef {import("./game.js").GameEvent} GameEvent */

const KEPT = "quoridor.replay";
const KEPT_PLY = "quoridor.replay.ply";

/** Maximum size of a kept game, in characters; browsers keep about five million for a site. */
const MOST_KEPT = 2_000_000;

/** @param {GameEvent[]} events */
export function keepReplay(events) {
  const written = JSON.stringify(events);
  try {
    for (const key of [KEPT, KEPT_PLY]) globalThis.sessionStorage.removeItem(key);
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

/** Keeps the number of plies of the kept game that are shown. @param {number} count */
export function keepPly(count) {
  try {
    globalThis.sessionStorage.setItem(KEPT_PLY, String(count));
  } catch {
    // As above.
  }
}

/** Returns the number of plies of the kept game that were shown, if it is known. @returns {string | undefined} */
export function loadKeptPly() {
  try {
    return globalThis.sessionStorage.getItem(KEPT_PLY) ?? undefined;
  } catch {
    return undefined;
  }
}
