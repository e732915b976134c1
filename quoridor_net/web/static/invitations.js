// The invitations of this browser: the seats of those that it made, and the keys of those that it accepted.

const SEATS = "quoridor-own-invitations";
const KEYS = "quoridor-invitations";

/** Number of invitations kept in each list. */
const MOST_INVITATIONS = 20;

/**
 * Keeps the seat of the person who invites a friend.
 * @param {string} invitation
 * @param {string} seat token of the seat
 */
export function keepOwnSeat(invitation, seat) {
  if (findKept(SEATS, invitation) === null) keepValue(SEATS, invitation, seat);
}

/**
 * Returns the token of the reader's own seat, if this browser made the invitation and has not accepted it, too.
 * @param {string} invitation
 * @returns {string | null}
 */
export function findOwnSeat(invitation) {
  return findKept(KEYS, invitation) === null ? findKept(SEATS, invitation) : null;
}

/**
 * Returns this browser's secret for an invitation, which lets it, and only it, open the link again.
 * @param {string} invitation
 * @returns {string}
 */
export function keyOf(invitation) {
  const known = findKept(KEYS, invitation);
  if (known !== null) return known;
  // randomUUID would need a secure site.
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  keepValue(KEYS, invitation, key);
  return key;
}

/** @param {string} list @returns {[string, string][]} */
function readPairs(list) {
  try {
    return JSON.parse(localStorage.getItem(list) ?? "[]");
  } catch {
    // Without storage, the link works once.
    return [];
  }
}

/** @param {string} list @param {string} invitation */
function findKept(list, invitation) {
  return readPairs(list).find(([kept]) => kept === invitation)?.[1] ?? null;
}

/** @param {string} list @param {string} invitation @param {string} value */
function keepValue(list, invitation, value) {
  try {
    localStorage.setItem(list, JSON.stringify([...readPairs(list), [invitation, value]].slice(-MOST_INVITATIONS)));
  } catch {
    // As above.
  }
}
