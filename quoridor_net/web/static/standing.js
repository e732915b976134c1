// The current state of a tournament, assembled from the messages of its server or from a report.

import { formatNumber } from "./settings.js";
import { followTournament } from "./source.js";

/** @typedef {import("./phrases.js").Phrase} Phrase */
/** @typedef {{ sentence: string, phrase: Phrase | null }} Said */
/** An entrant: whether it has left, and whether its games count. @typedef {{ name: string, withdrawn: boolean, counted: boolean }} Row */
/** A table as shown, with entrants by their index in `standings`; headings may have an explanation after a colon. @typedef {{ headings: Said[], rows: { place: number, at: number, cells: (string | Phrase)[] }[] }} Sheet */
/**
 * @typedef {object} ListedGame
 * @property {number} number
 * @property {number} round
 * @property {string[]} seats names in order of player number
 * @property {number[] | null} points
 * @property {string | null} termination
 * @property {number | null} plies
 * @property {string | null} sentence why it ended, or why its last attempt was void
 * @property {Phrase | null} phrase the same reason, for a game without a result
 * @property {boolean} counted whether its points count
 * @property {string[]} left its players that have left the tournament
 * @property {"planned" | "running" | "finished" | "void" | "unplayed"} status
 */
/**
 * @typedef {object} RunningGame
 * @property {number} number
 * @property {string[]} names
 * @property {import("./moves.js").Jumps} jumps
 * @property {string} position
 * @property {(number | null)[]} owners the player of each of its walls, if known
 * @property {number} ply
 * @property {string | null} move the last one
 */
/** An entrant or candidate; those entered by the lecturer are fixed. @typedef {{ name: string, confirmed: boolean, fixed: boolean, address: string | null }} Team */
/** An opening in standard notation, and the points of the players who moved first. @typedef {{ opening: string, played: number, first: number }} Opening */
/** Sign-up, in a league also after the start. @typedef {{ open: boolean, started: boolean, teams: Team[] }} Signup */
/** A 95 % interval; null for an open end. @typedef {{ value: number | null, low: number | null, high: number | null }} Interval */
/**
 * An entrant on the leaderboard of a league; docs/reference/web.md.
 * @typedef {object} Leader
 * @property {number} number
 * @property {string} name
 * @property {number | null} rank
 * @property {number | null} movement places gained in the last day
 * @property {Interval} elo
 * @property {{ value: number, error: number } | null} level
 * @property {boolean} reference whether its rating is fixed
 * @property {number} played games
 * @property {number} won games
 * @property {number} lost games
 * @property {number} forfeited games
 * @property {string} version empty for the first one
 * @property {"here" | "away" | "left"} presence
 * @property {string | null} since ISO 8601
 * @property {string} reason why it is away
 * @property {import("./phrases.js").Phrase | null} phrase the same, to translate
 * @property {(number | null)[]} history past ratings, oldest first
 */
/**
 * @typedef {object} Standing
 * @property {string} title
 * @property {string} format
 * @property {boolean} finished
 * @property {boolean} [stopping] whether the tournament is stopping and starts no new games
 * @property {number} done games
 * @property {number} total games
 * @property {number | null} per_minute games
 * @property {string | null} expected_end ISO 8601
 * @property {{ sentence: string, phrase: import("./phrases.js").Phrase | null } | null} [awaited] what the first game waits for
 * @property {{ standings?: Sheet, play?: Sheet, strength?: Sheet }} sheets
 * @property {Row[]} standings
 * @property {Said[]} facts
 * @property {{ names: string[], cells: (number[] | null)[][] } | null} crosstable points game by game; null on the diagonal
 * @property {ListedGame[]} games
 * @property {RunningGame[]} running
 * @property {string[]} remarks the last results
 * @property {Signup | null} [signup]
 * @property {{ name: string, elo: Interval }[]} [ratings]
 * @property {Opening[]} [openings]
 * @property {Leader[] | null} [league] the leaderboard of a league
 */

/** @type {Set<(isOpen: boolean) => void>} */
const signupListeners = new Set();

/**
 * Calls `listener` with every message, saying whether teams can sign up.
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
  awaited: null,
  sheets: {},
  standings: [],
  facts: [],
  crosstable: null,
  games: [],
  running: [],
  remarks: [],
  signup: null,
};

/**
 * Follows the tournament of this site.
 * @param {object} listeners
 * @param {(standing: Standing, changed: Set<string>) => void} listeners.onChange called with the names of the changed parts
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
 * Formats points: `2½`.
 * @param {number} points
 */
export function formatPoints(points) {
  const whole = Math.floor(points);
  const rest = points - whole;
  if (rest === 0) return String(whole);
  if (rest === 0.5) return whole === 0 ? "½" : `${whole}½`;
  return formatNumber(points, 2);
}
