// A game as the list of its events (docs/reference/events.md): moves, positions, clocks, and how it ended.

import { parseLanMove } from "./notation.js";
import { wallKey } from "./moves.js";
import { sayPhrase } from "./phrases.js";
import { Position } from "./rules.js";

/** @typedef {import("./moves.js").Jumps} Jumps */
/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./phrases.js").Phrase} Phrase */
/**
 * An event, as the server sends it.
 * @typedef {{ event: string, [field: string]: any }} GameEvent
 */
/**
 * One move, or one player's leaving.
 * @typedef {object} Ply
 * @property {number} player
 * @property {Move | null} move null when the player went out
 * @property {number} number moves made up to here
 * @property {number} seconds that the player thought
 * @property {Position} position after it
 * @property {number[]} passed players that were passed over after it
 * @property {{ termination: string, sentence: string, phrase: Phrase | null, line: string, hint: string, hintPhrase: Phrase | null, refused: Move | null } | null} out
 */
/** @typedef {{ winner: number | null, termination: string, sentence: string, phrase?: Phrase | null, plies: number, line: string }} Result */

export class Game {
  /** @param {GameEvent[]} [events] */
  constructor(events = []) {
    /** @type {GameEvent[]} */
    this.events = [];
    /** @type {string[]} */
    this.names = [];
    /** @type {Jumps} */
    this.jumps = "official";
    this.hasStarted = false;
    /** Seconds for a move. @type {number | null} */
    this.moveTime = null;
    /** Whether it is known how long players think: no file has to tell. */
    this.isTimed = false;
    this.start = Position.start();
    /** @type {Ply[]} */
    this.plies = [];
    /** @type {Result | null} */
    this.result = null;
    /** Who is thinking, and since when by this machine's clock. @type {{ player: number, since: number } | null} */
    this.thinking = null;
    for (const event of events) this.add(event);
  }

  /**
   * @param {GameEvent} event
   * @param {number} [now] when it came, in milliseconds; for the clock of whoever thinks then
   */
  add(event, now = 0) {
    this.events.push(event);
    switch (event.event) {
      case "game_started":
        this.begin(event);
        break;
      case "move_requested":
        this.isTimed = true;
        this.thinking = { player: event.player, since: now };
        break;
      case "move_made":
        this.thinking = null;
        this.addPly(event, parseLanMove(event.move), event.seconds);
        break;
      case "turn_passed":
        this.plies.at(-1)?.passed.push(event.player);
        break;
      case "moves_taken_back":
        this.thinking = null;
        this.takeBack(event.plies);
        break;
      case "player_out":
        this.thinking = null;
        this.addPly(event, null, 0);
        break;
      case "game_ended":
        this.thinking = null;
        this.result = /** @type {Result} */ (/** @type {unknown} */ (event));
        if (this.names.length === 0) this.names = event.names;
        break;
      default:
      // A later version of the schema may have more events; they change nothing that is shown.
    }
  }

  /** The position after the last ply. */
  get position() {
    return this.positionAt(this.plies.length);
  }

  /** Moves made: plies without those who went out. */
  get movesMade() {
    return this.plies.at(-1)?.number ?? 0;
  }

  /**
   * The position after the first `count` plies.
   * @param {number} count
   */
  positionAt(count) {
    return count === 0 ? this.start : this.plies[count - 1].position;
  }

  /**
   * The last move among the first `count` plies, if there is one.
   * @param {number} count
   */
  lastMoveAt(count) {
    return count === 0 ? null : this.plies[count - 1].move;
  }

  /**
   * @param {number} player
   */
  name(player) {
    return this.names[player - 1] ?? "";
  }

  /**
   * Seconds that `player` has thought in the first `count` plies.
   * @param {number} player
   * @param {number} count
   */
  secondsUsed(player, count) {
    let sum = 0;
    for (const ply of this.plies.slice(0, count)) if (ply.player === player) sum += ply.seconds;
    return sum;
  }

  /**
   * The ply with which `player` went out, if it did in the first `count` plies.
   * @param {number} player
   * @param {number} count
   */
  leaving(player, count) {
    return this.plies.slice(0, count).find((ply) => ply.player === player && ply.out !== null) ?? null;
  }

  /**
   * Who placed each wall, by its key.
   * @param {number} count plies to look at
   * @returns {Map<string, number>}
   */
  wallOwners(count) {
    const owners = new Map();
    for (const { move, player } of this.plies.slice(0, count)) {
      if (move?.kind === "wall") owners.set(wallKey(move), player);
    }
    return owners;
  }

  /**
   * Returns a sentence about the game in the reader's language.
   * @param {{ phrase?: Phrase | null, sentence: string }} said
   */
  say({ phrase, sentence }) {
    return sayPhrase(phrase, sentence, this.start.size);
  }

  /** @private @param {GameEvent} event */
  begin(event) {
    this.hasStarted = true;
    this.names = event.names ?? [];
    this.moveTime = event.move_time ?? null;
    this.jumps = event.jumps;
    this.start = Position.fromLine(event.position, this.jumps);
  }

  /** @private @param {GameEvent} event @param {Move | null} move @param {number} seconds */
  addPly(event, move, seconds) {
    const isOut = move === null;
    if (seconds > 0) this.isTimed = true;
    this.plies.push({
      player: event.player,
      move,
      number: isOut ? this.movesMade : event.ply,
      seconds,
      position: Position.fromLine(event.position, this.jumps),
      passed: [],
      out: isOut ? leavingOf(event) : null,
    });
  }

  /** @private @param {number} moves */
  takeBack(moves) {
    for (let left = moves; left > 0 && this.plies.length > 0; ) {
      if (this.plies.pop()?.move !== null) left -= 1;
    }
  }
}

/** @param {GameEvent} event */
function leavingOf({ termination, sentence, phrase = null, line, hint, hint_phrase: hintPhrase = null, move }) {
  return { termination, sentence, phrase, line, hint, hintPhrase, refused: move ? parseLanMove(move) : null };
}
