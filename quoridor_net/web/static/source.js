// Where the pages get what they show: from the server of this site, or from the file they stand in (a report).

import { Connection } from "./connection.js";
import { notify } from "./notice.js";
import { sayPhrase } from "./phrases.js";
import { text } from "./texts.js";

/** @typedef {import("./game.js").GameEvent} GameEvent */
/** @typedef {import("./connection.js").ConnectionState} ConnectionState */
/**
 * What this site is.
 * @typedef {object} Site
 * @property {"watch" | "tournament" | "play" | "replay" | "analysis"} mode
 * @property {string} title
 * @property {string} version
 * @property {boolean} seats whether people play here
 * @property {boolean} signup
 * @property {boolean} analysis whether the engine looks at positions
 * @property {Record<string, string | number | null>} [defaults] of games that can be begun here
 */
/** What a listener of live data is told. @typedef {ConnectionState | "recorded" | "missing"} LiveState */
/**
 * @typedef {object} Live
 * @property {(message: object) => boolean} send
 * @property {() => void} close
 */
/**
 * Everything a report has in itself.
 * @typedef {object} Embedded
 * @property {Site} site
 * @property {Record<string, Record<string, string>>} texts by language
 * @property {Record<string, string>} games by number: their events as JSON, compressed (RFC 1951), in base64
 * @property {any} tournament
 */

/** A request that the server refused, with its sentence. */
export class RefusedError extends Error {}

/** @type {Embedded | null | undefined} */
let embeddedData;

/** @returns {Embedded | null} */
function embedded() {
  if (embeddedData === undefined) {
    const holder = document.getElementById("embedded");
    embeddedData = holder === null ? null : JSON.parse(holder.textContent ?? "");
  }
  return /** @type {Embedded | null} */ (embeddedData);
}

/** Whether the page has everything in itself, and no server. */
export function isStandalone() {
  return embedded() !== null;
}

/** @returns {Promise<Site>} */
export async function loadSite() {
  return embedded()?.site ?? fetched("site.json");
}

/**
 * @param {string} language
 * @returns {Promise<Record<string, string>>}
 */
export async function loadTexts(language) {
  return embedded()?.texts[language] ?? fetched(`texts/${language}.json`);
}

/**
 * Returns the events of a game so far.
 * @param {number} number
 * @returns {Promise<GameEvent[]>}
 */
export async function loadGame(number) {
  const data = embedded();
  if (data === null) return (await fetched(`games/${number}/events.json`)).events;
  if (!(number in data.games)) throw new RefusedError(text("game.missing"));
  return unpacked(data.games[number]);
}

/**
 * Follows a game: calls `onMessage` with `{reset: events}`, then with an event, a list of several, or an answer.
 * @param {number} number
 * @param {object} listeners
 * @param {(message: any) => void} listeners.onMessage
 * @param {(state: LiveState) => void} listeners.onState
 * @returns {Live}
 */
export function followGame(number, listeners) {
  if (embedded() !== null) return recorded(listeners, loadGame(number));
  let wasOpen = false;
  const connection = new Connection(`games/${number}/live`, {
    ...listeners,
    onState: (state) => {
      listeners.onState(state);
      // Browsers do not tell why a connection failed.
      if (state === "lost" && !wasOpen) void stopIfMissing();
      wasOpen = state === "open";
    },
  });
  const stopIfMissing = async () => {
    const { status } = await fetch(`games/${number}/events.json`, { method: "HEAD" }).catch(() => ({ status: 0 }));
    if (status !== 404) return;
    connection.close();
    listeners.onState("missing");
  };
  return connection;
}

/** @returns {Promise<any>} the state of the tournament */
export async function loadTournament() {
  return embedded()?.tournament ?? fetched("tournament.json");
}

/**
 * Follows a tournament: calls `onMessage` with `{reset: state}`, then with `{changed: partial}`.
 * @param {object} listeners
 * @param {(message: any) => void} listeners.onMessage
 * @param {(state: LiveState) => void} listeners.onState
 * @returns {Live}
 */
export function followTournament(listeners) {
  if (embedded() === null) return new Connection("tournament/live", listeners);
  return recorded(listeners, loadTournament());
}

/**
 * Returns games of a tournament that are not in what is followed.
 * @param {number} offset games that are left out
 * @param {number} limit most games
 * @returns {Promise<any[]>}
 */
export async function loadMoreGames(offset, limit) {
  // A report has all of them in its tournament.
  return embedded() === null ? (await fetched(`tournament/games.json?offset=${offset}&limit=${limit}`)).games : [];
}

/**
 * Returns the teams that signed up, with their addresses, for the holder of the lecturer's link.
 * @param {string} token
 * @returns {Promise<any[]>}
 * @throws {RefusedError} it is another token
 */
export async function loadTeams(token) {
  return (await fetched("signup.json", { headers: { Authorization: `Bearer ${token}` } })).teams;
}

/**
 * Asks the engine about positions; its answers come to `onMessage`.
 * @param {object} listeners
 * @param {(message: any) => void} listeners.onMessage
 * @param {(state: LiveState) => void} listeners.onState
 * @returns {Live}
 */
export function followAnalysis(listeners) {
  return new Connection("analysis", listeners);
}

/**
 * Follows the analysis of a game: `onMessage` gets `{reset: plies}`, then plies, and `{accuracy}` in the end.
 * @param {number} number
 * @param {object} listeners
 * @param {(message: any) => void} listeners.onMessage
 * @param {(state: LiveState) => void} listeners.onState
 * @returns {Live}
 */
export function followGameAnalysis(number, listeners) {
  return new Connection(`games/${number}/analysis`, listeners);
}

/**
 * Returns the game in a file, whose bytes the server turns into text.
 * @param {ArrayBuffer} content
 * @returns {Promise<{ events: GameEvent[], name: string }>}
 * @throws {RefusedError} it cannot be read
 */
export async function readReplay(content) {
  return fetched("replay", { method: "POST", headers: { "Content-Type": "text/plain" }, body: content });
}

/**
 * Sends `body` as JSON and returns the answer.
 * @param {string} path
 * @param {object} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 * @throws {RefusedError}
 */
export async function post(path, body, headers = {}) {
  const all = { "Content-Type": "application/json", ...headers };
  return fetched(path, { method: "POST", headers: all, body: JSON.stringify(body) });
}

/**
 * @param {string} path
 * @param {RequestInit} [request]
 */
async function fetched(path, request) {
  const answer = await fetch(path, request).catch(() => null);
  if (answer === null) throw new RefusedError(text("live.unreachable"));
  if (answer.ok) return answer.json();
  const refusal = await answer.json().catch(() => ({}));
  throw new RefusedError(sayPhrase(refusal.phrase, refusal.error ?? `${answer.status} ${answer.statusText}`));
}

/**
 * @param {string} packed
 * @returns {Promise<any>}
 */
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

/**
 * @param {{ onMessage: (message: any) => void, onState: (state: LiveState) => void }} listeners
 * @param {Promise<object>} reset what the one message holds
 * @returns {Live}
 */
function recorded({ onMessage, onState }, reset) {
  onState("recorded");
  reset.then(
    (found) => onMessage({ reset: found }),
    (error) => notify(error.message),
  );
  return { send: () => false, close: () => {} };
}
