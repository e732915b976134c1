// Where a tournament stands: what its server or its report says, put together from what it sends.

import { followTournament } from "./source.js";

/**
 * A row of the table, best first.
 * @typedef {object} Row
 * @property {string} name
 * @property {number} rank
 * @property {number} points
 * @property {number} played
 * @property {number} won
 * @property {number} drawn
 * @property {number} lost
 * @property {number} forfeited
 * @property {number} byes
 * @property {boolean} left whether it plays no more
 * @property {boolean} counted whether its games count
 * @property {number} [buchholz]
 * @property {number} [sonneborn_berger]
 * @property {number} [head_to_head]
 */
/**
 * @typedef {object} ListedGame
 * @property {number} number
 * @property {number} round
 * @property {string[]} seats names by player number
 * @property {number[] | null} points
 * @property {string | null} termination
 * @property {number | null} plies
 * @property {"planned" | "running" | "finished"} status
 */
/**
 * @typedef {object} RunningGame
 * @property {number} number
 * @property {string[]} names
 * @property {import("./moves.js").Jumps} jumps
 * @property {string} position
 * @property {number} ply
 * @property {string | null} move the last one
 */
/** Who takes part, or wants to; those that the lecturer entered are fixed. @typedef {{ name: string, confirmed: boolean, fixed: boolean, address: string | null }} Team */
/** An interval of 95 %; null where it has no end. @typedef {{ value: number | null, low: number | null, high: number | null }} Interval */
/**
 * @typedef {object} Standing
 * @property {string} title
 * @property {string} format
 * @property {boolean} finished
 * @property {boolean} [stopping] whether no more games begin
 * @property {number} done games
 * @property {number} total games
 * @property {number | null} per_minute games
 * @property {string | null} expected_end ISO 8601
 * @property {Row[]} standings
 * @property {{ names: string[], cells: (number[] | null)[][] } | null} crosstable points game by game; null on the diagonal
 * @property {ListedGame[]} games
 * @property {RunningGame[]} running
 * @property {string[]} remarks the last results
 * @property {{ open: boolean, teams: Team[] } | null} [signup]
 * @property {{ name: string, elo: Interval }[]} [ratings]
 */

/** @type {Set<(isOpen: boolean) => void>} */
const signupListeners = new Set();

/**
 * Calls `listener` whenever it is learned whether teams can sign up.
 * @param {(isOpen: boolean) => void} listener
 */
export function onSignup(listener) {
  signupListeners.add(listener);
}

/** @type {Standing} */
const NOTHING_KNOWN = {
  title: "",
  format: "",
  finished: false,
  done: 0,
  total: 0,
  per_minute: null,
  expected_end: null,
  standings: [],
  crosstable: null,
  games: [],
  running: [],
  remarks: [],
  signup: null,
};

/**
 * Follows the tournament of this site.
 * @param {object} listeners
 * @param {(standing: Standing, changed: Set<string>) => void} listeners.onChange also gets the names of the parts that changed
 * @param {(state: import("./source.js").LiveState) => void} listeners.onState
 */
export function followStanding({ onChange, onState }) {
  let standing = NOTHING_KNOWN;
  return followTournament({
    onState,
    onMessage: (message) => {
      const news = message.reset ?? message.changed ?? {};
      standing = { ...(message.reset ? NOTHING_KNOWN : standing), ...news };
      for (const listener of signupListeners) listener(standing.signup?.open ?? false);
      onChange(standing, new Set(Object.keys(message.reset ? standing : news)));
    },
  });
}

/**
 * Returns points as people write them: `2½`.
 * @param {number} points
 */
export function formatPoints(points) {
  const whole = Math.floor(points);
  const rest = points - whole;
  if (rest === 0) return String(whole);
  if (rest === 0.5) return whole === 0 ? "½" : `${whole}½`;
  return points.toFixed(2);
}
