// Loads the data of the pages: from the server of this site or, in a report, from the page itself.

import { Connection } from "./connection.js";
import { notify } from "./notice.js";
import { sayPhrase } from "./phrases.js";
import { text } from "./texts.js";

/** @typedef {import("./game.js").GameEvent} GameEvent */
/** @typedef {import("./connection.js").ConnectionState} ConnectionState */
/**
 * The description of this site.
 * @typedef {object} Site
 * @property {"watch" | "tournament" | "play" | "replay" | "analysis"} mode
 * @property {string} title
 * @property {string} version
 * @property {import("./notation.js").Notation} notation the notation for readers who did not choose one
 * @property {string} url address of this site on other machines
 * @property {boolean} seats whether people play here
 * @property {boolean} signup whether teams can sign up
 * @property {boolean} analysis whether the engine analyses positions
 * @property {Record<string, string | number | null>} [defaults] default settings of games that readers can start
 */
/** The state of a source of live data. @typedef {ConnectionState | "recorded" | "missing"} LiveState */
/**
 * @typedef {object} Live
 * @property {(message: object) => boolean} send
 * @property {() => void} close
 */
/**
 * The data embedded in a report.
 * @typedef {object} Embedded
 * @property {Site} site
 * @property {Record<string, Record<string, string>>} texts by language
 * @property {Record<string, string>} games events by game number, as JSON compressed (RFC 1951) in base64
 * @property {any} tournament
 */

/** The refusal of a request, with the server's reason, or the failure to reach the server. */
export class RefusedError extends Error {
  /**
   * @param {string} reason
   * @param {number} [status] status of the response; 0 without one
   */
  constructor(reason, status = 0) {
    super(reason);
    this.status = status;
  }
}

/** @type {Embedded | null | undefined} */
let embeddedData;

/** @returns {Embedded | null} */
function readEmbedded() {
  if (embeddedData === undefined) {
    const holder = document.getElementById("embedded");
    embeddedData = holder === null ? null : JSON.parse(holder.textContent ?? "");
  }
  return /** @type {Embedded | null} */ (embeddedData);
}

/** Returns whether the page is self-contained, without a server. */
export function isStandalone() {
  return readEmbedded() !== null;
}

/** @returns {Promise<Site>} */
export async function loadSite() {
  return readEmbedded()?.site ?? fetchJson("site.json");
}

/**
 * @param {string} language
 * @returns {Promise<Record<string, string>>}
 */
export async function loadTexts(language) {
  return readEmbedded()?.texts[language] ?? fetchJson(`texts/${language}.json`);
}

/**
 * Returns the events of a game so far.
 * @param {number} number
 * @returns {Promise<GameEvent[]>}
 */
export async function loadGame(number) {
  const data = readEmbedded();
  if (data === null) return (await fetchJson(`games/${number}/events.json`)).events;
  if (!(number in data.games)) throw new RefusedError(text("game.missing"));
  return unpack(data.games[number]);
}

/**
 * @typedef {object} Listeners
 * @property {(message: any) => void} onMessage
 * @property {(state: LiveState) => void} onState
 */

/**
 * Follows a game: calls `onMessage` with `{reset: events}`, then with an event or a list of events, and with
 * `{next: number}` once another game has begun at its board.
 * @param {number} number
 * @param {Listeners} listeners
 * @returns {Live}
 */
export function followGame(number, listeners) {
  if (readEmbedded() !== null) return followRecorded(listeners, loadGame(number));
  return follow(`games/${number}/live`, listeners);
}

/**
 * Follows a board: the same for one game after another, each after `{game: number}`, and answers.
 * @param {number} number
 * @param {Listeners} listeners
 * @returns {Live}
 */
export function followBoard(number, listeners) {
  if (readEmbedded() !== null) return followRecorded(listeners, loadGame(number));
  return follow(`boards/${number}/live`, listeners);
}

/**
 * @param {string} path
 * @param {Listeners} listeners
 * @returns {Live}
 */
function follow(path, { onMessage, onState }) {
  const stop = (/** @type {LiveState} */ state) => {
    connection.close();
    onState(state);
  };
  const connection = new Connection(path, {
    onMessage: (message) => {
      if (message.code === "no_game") stop("missing");
      else if (message.events) {
        // A recorded game is one message.
        stop("recorded");
        onMessage({ reset: message.events });
      } else onMessage(message);
    },
    onState,
  });
  return connection;
}

/** @returns {Promise<any>} the state of the tournament */
export async function loadTournament() {
  return readEmbedded()?.tournament ?? fetchJson("tournament.json");
}

/**
 * Follows a tournament: calls `onMessage` with `{reset: state}`, then with `{changed: partial}`.
 * @param {object} listeners
 * @param {(message: any) => void} listeners.onMessage
 * @param {(state: LiveState) => void} listeners.onState
 * @returns {Live}
 */
export function followTournament(listeners) {
  if (readEmbedded() === null) return new Connection("tournament/live", listeners);
  return followRecorded(listeners, loadTournament());
}

/**
 * Returns games of a tournament that its live data omits.
 * @param {number} offset number of games to skip
 * @param {number} limit maximum number of games
 * @returns {Promise<any[]>}
 */
export async function loadMoreGames(offset, limit) {
  // A report already contains all games.
  return readEmbedded() === null ? (await fetchJson(`tournament/games.json?offset=${offset}&limit=${limit}`)).games : [];
}

/**
 * Returns the record of an entrant of a league.
 * @param {string} number
 * @returns {Promise<any>}
 * @throws {RefusedError} there is no such entrant
 */
export async function loadEntrant(number) {
  return fetchJson(`tournament/entrants/${number}.json`);
}

/**
 * Returns the teams that signed up, with their addresses, for the holder of the lecturer's link.
 * @param {string} token
 * @returns {Promise<any[]>}
 * @throws {RefusedError} the token is wrong
 */
export async function loadTeams(token) {
  return (await fetchJson("signup.json", { headers: { Authorization: `Bearer ${token}` } })).teams;
}

/**
 * Connects to the engine; send it positions, and `onMessage` gets its answers.
 * @param {object} listeners
 * @param {(message: any) => void} listeners.onMessage
 * @param {(state: LiveState) => void} listeners.onState
 * @returns {Live}
 */
export function followAnalysis(listeners) {
  return new Connection("analysis", listeners);
}

/**
 * Follows the analysis of a game: `onMessage` gets `{reset: plies}`, then plies, and finally `{accuracy}`.
 * @param {number} number
 * @param {object} listeners
 * @param {(message: any) => void} listeners.onMessage
 * @param {(state: LiveState) => void} listeners.onState
 * @returns {Live}
 */
export function followGameAnalysis(number, listeners) {
  return follow(`games/${number}/analysis`, listeners);
}

/**
 * Returns the game in a file, which the server decodes and parses.
 * @param {ArrayBuffer} content
 * @returns {Promise<{ events: GameEvent[], name: string }>}
 * @throws {RefusedError} the file cannot be read
 */
export async function readReplay(content) {
  return fetchJson("replay", { method: "POST", headers: { "Content-Type": "text/plain" }, body: content });
}

/**
 * Sends `body` as JSON and returns the response.
 * @param {string} path
 * @param {object} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 * @throws {RefusedError}
 */
export async function post(path, body, headers = {}) {
  const all = { "Content-Type": "application/json", ...headers };
  return fetchJson(path, { method: "POST", headers: all, body: JSON.stringify(body) });
}

/**
 * @param {string} path
 * @param {RequestInit} [request]
 */
async function fetchJson(path, request) {
  const answer = await fetch(path, request).catch(() => null);
  if (answer === null) throw new RefusedError(text("live.unreachable"));
  if (answer.ok) return answer.json();
  const unknown = answer.status === 404 ? text("absent.page") : `${answer.status} ${answer.statusText}`;
  const refusal = await answer.json().catch(() => ({}));
  throw new RefusedError(sayPhrase(refusal.phrase, refusal.error ?? unknown), answer.status);
}

/**
 * @param {string} packed
 * @returns {Promise<any>}
 */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

/**
 * @param {{ onMessage: (message: any) => void, onState: (state: LiveState) => void }} listeners
 * @param {Promise<object>} reset content of the only message
 * @returns {Live}
 */
function followRecorded({ onMessage, onState }, reset) {
  onState("recorded");
  reset.then(
    (found) => onMessage({ reset: found }),
    (error) => notify(error.message),
  );
  return { send: () => false, close: () => {} };
}
