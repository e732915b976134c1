// A game built from its events (docs/reference/events.md): moves, positions, clocks and result.

import { parseLanMove } from "./notation.js";
import { isSameMove } from "./moves.js";
import { sayName } from "./names.js";
import { sayPhrase } from "./phrases.js";
import { Position } from "./rules.js";

/** @typedef {import("./moves.js").Jumps} Jumps */
/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./phrases.js").Phrase} Phrase */
/**
 * An event from the server.
 * @typedef {{ event: string, [field: string]: any }} GameEvent
 */
/**
 * A move, or the elimination of a player.
 * @typedef {object} Ply
 * @property {number} player
 * @property {Move | null} move null for an elimination
 * @property {number} number moves made so far
 * @property {number} seconds thinking time
 * @property {number | null} left time left on the player's clock, in seconds; null without one
 * @property {Position} position after the ply
 * @property {number[]} passed players without a legal move that were skipped after the ply
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
    /** Time limit per move, in seconds. @type {number | null} */
    this.moveTime = null;
    /** Time limit for the first move of each player instead of all others, in seconds. @type {number | null} */
    this.firstMoveTime = null;
    /** Clocks by player: seconds at the start and increment; null for none. @type {(number[] | null)[]} */
    this.clocks = [];
    /** Whether thinking times are known; files may omit them. */
    this.isTimed = false;
    this.start = Position.start();
    /** @type {Ply[]} */
    this.plies = [];
    /** @type {Result | null} */
    this.result = null;
    /** The thinking player, its start time on this machine's clock, and the time left on its own clock. @type {{ player: number, since: number, left: number | null } | null} */
    this.thinking = null;
    /** By player, the move that it could not finish: its thinking time, the time left on the clock, both in seconds, and the first number of plies that includes it. @type {Map<number, { seconds: number, left: number | null, count: number }>} */
    this.unfinished = new Map();
    /** Whether the server does not know the game any more. */
    this.isGone = false;
    for (const event of events) this.add(event);
  }

  /**
   * @param {GameEvent} event
   * @param {number} [now] time of arrival in milliseconds, for the clock of the thinking player
   */
  add(event, now = 0) {
    this.events.push(event);
    switch (event.event) {
      case "game_started":
        this.begin(event);
        break;
      case "move_requested":
        this.isTimed = true;
        this.thinking = { player: event.player, since: now, left: event.left ?? null };
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
        this.interrupt(event, this.plies.length + 1);
        this.addPly(event, null, 0);
        break;
      case "game_ended":
        this.interrupt(event, this.plies.length);
        this.result = /** @type {Result} */ (/** @type {unknown} */ (event));
        if (this.names.length === 0) this.names = event.names;
        break;
      default:
      // Ignore unknown events, because a later version of the schema may have more.
    }
  }

  /** Notes that the server does not know the game any more, so that nothing follows. */
  lose() {
    this.isGone = true;
    this.thinking = null;
  }

  /** The position after the last ply. */
  get position() {
    return this.positionAt(this.plies.length);
  }

  /** The number of moves made: plies other than eliminations. */
  get movesMade() {
    return this.plies.at(-1)?.number ?? 0;
  }

  /**
   * Returns the position after the first `count` plies.
   * @param {number} count
   */
  positionAt(count) {
    return count === 0 ? this.start : this.plies[count - 1].position;
  }

  /**
   * Returns the position to draw after the first `count` plies: at the end of a game, also the pawn that left last.
   * @param {number} count
   */
  pictureAt(count) {
    const isEnd = this.result !== null && count === this.plies.length;
    if (!isEnd || count === 0 || this.plies[count - 1].out === null) return this.positionAt(count);
    const position = this.positionAt(count - 1).copy();
    position.winner = this.result?.winner ?? null;
    return position;
  }

  /**
   * Returns the move of ply `count`; null at the start or for an elimination.
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
   * Returns the total thinking time of `player` in the first `count` plies, in seconds.
   * @param {number} player
   * @param {number} count
   */
  secondsUsed(player, count) {
    let sum = 0;
    for (const ply of this.plies.slice(0, count)) if (ply.player === player) sum += ply.seconds;
    return sum + (this.unfinishedAt(player, count)?.seconds ?? 0);
  }

  /**
   * Returns the time left on the clock of `player` after the first `count` plies, in seconds; null without one.
   * @param {number} player
   * @param {number} count
   */
  timeLeft(player, count) {
    const last = this.unfinishedAt(player, count) ?? this.plies.slice(0, count).findLast((ply) => ply.player === player && ply.left !== null);
    return last?.left ?? this.clocks[player - 1]?.[0] ?? null;
  }

  /**
   * Returns whether `player` has made no move in the first `count` plies, so that its first limit applies.
   * @param {number} player
   * @param {number} count
   */
  isFirst(player, count) {
    return this.firstMoveTime !== null && !this.plies.slice(0, count).some((ply) => ply.player === player);
  }

  /**
   * Returns the ply that eliminated `player`, if it is among the first `count`.
   * @param {number} player
   * @param {number} count
   */
  leaving(player, count) {
    return this.plies.slice(0, count).find((ply) => ply.player === player && ply.out !== null) ?? null;
  }

  /**
   * Returns a sentence about the game in the reader's language.
   * @param {{ phrase?: Phrase | null, sentence: string }} said
   */
  say({ phrase, sentence }) {
    const said = sayPhrase(phrase, sentence, this.start.size);
    return this.names.filter((name) => name !== "").reduce((text, name) => text.replaceAll(name, () => sayName(name)), said);
  }

  /** @private @param {number} player @param {number} count */
  unfinishedAt(player, count) {
    const unfinished = this.unfinished.get(player);
    return unfinished !== undefined && count >= unfinished.count ? unfinished : null;
  }

  /**
   * Stops the clock of the thinking player, whose move an event prevents. Without it, the time spent would come back.
   * @private
   * @param {GameEvent} event
   * @param {number} count first number of plies that includes the time
   */
  interrupt(event, count) {
    if (this.thinking === null) return;
    const { player, left } = this.thinking;
    const seconds = event.thought ?? 0;
    const spent = this.isFirst(player, this.plies.length) ? 0 : seconds;
    this.unfinished.set(player, { seconds, left: left === null ? null : Math.max(0, left - spent), count });
    this.thinking = null;
  }

  /** @private @param {GameEvent} event */
  begin(event) {
    this.hasStarted = true;
    this.names = event.names ?? [];
    this.moveTime = event.move_time ?? null;
    this.firstMoveTime = event.first_move_time ?? null;
    this.clocks = event.clocks ?? [];
    this.jumps = event.jumps;
    this.start = Position.fromLine(event.position, this.jumps, (_, index) => event.owners?.[index]);
  }

  /** @private @param {GameEvent} event @param {Move | null} move @param {number} seconds */
  addPly(event, move, seconds) {
    const isOut = move === null;
    const before = this.position;
    if (seconds > 0) this.isTimed = true;
    this.plies.push({
      player: event.player,
      move,
      number: isOut ? this.movesMade : event.ply,
      seconds,
      left: event.left ?? null,
      position: Position.fromLine(event.position, this.jumps, (wall) => (isSameMove(wall, move) ? event.player : before.owner(wall))),
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
