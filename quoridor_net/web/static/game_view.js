// A game on a page: the board with players, moves, verdict and controls.

import { Board } from "./board.js";
import { BoardPicture } from "./board_picture.js";
import { arrange, button, element, iconButton, refill, setText } from "./dom.js";
import { Game } from "./game.js";
import { GameControls } from "./game_controls.js";
import { MoveList } from "./move_list.js";
import { sayName } from "./names.js";
import { formatMove } from "./notation.js";
import { PlayerPanel } from "./players_panel.js";
import { changeSettings, onSettings, settings } from "./settings.js";
import { playSound } from "./sounds.js";
import { text } from "./texts.js";
import { Verdict } from "./verdict.js";

/** @typedef {import("./game.js").GameEvent} GameEvent */
/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./rules.js").Position} Position */

export class GameView {
  /**
   * @param {object} [options]
   * @param {boolean} [options.isLive] whether more events will arrive, which the view follows
   * @param {boolean} [options.hasPlayersTogether] whether to show two players side by side, to save space
   * @param {boolean} [options.hasSeats] whether the reader may move at times
   */
  constructor({ isLive = false, hasPlayersTogether = false, hasSeats = false } = {}) {
    this.isLive = isLive;
    this.hasPlayersTogether = hasPlayersTogether;
    this.hasSeats = hasSeats;
    this.game = new Game();
    /** Number of plies shown. */
    this.count = 0;
    /** Called before another position is drawn, to prepare the rest of the page. */
    this.onChange = () => {};
    /** Called after another position is drawn. */
    this.onShow = () => {};
    /** The players for whom the reader moves. @type {number[]} */
    this.seats = [];
    /** The player who starts at the near side, unless the reader turns the board; 0 if the notation decides. */
    this.near = 0;
    /** Whether the reader turned the board. */
    this.isTurned = false;
    /** The reader's own player number, if the page says "you" instead of a name; otherwise 0. */
    this.self = 0;
    /** The reader's own player number; 0 for spectators. */
    this.reader = 0;
    /** Moves that the reader tries from the shown ply. @type {{ move: Move, position: Position }[]} */
    this.variation = [];
    /** A suggested move in the shown position. @type {Move | null} */
    this.hint = null;
    /** Returns the best move in the shown position to draw, if it is known. @type {() => Move | null} */
    this.findBest = () => null;
    /** The reader's move that the server has not confirmed. @type {Move | null} */
    this.pending = null;
    /** A move that the reader planned or has to confirm. @type {{ move: Move, player: number } | null} */
    this.draft = null;
    /** The player for whom the reader may plan a move; 0 for none. */
    this.planner = 0;
    this.board = new Board({ hasSeats });
    this.moves = new MoveList((count) => this.goTo(count));
    /** @type {PlayerPanel[]} */
    this.panels = [];
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.player = undefined;
    this.title = element("h1", { class: "visually-hidden" });
    this.tried = element("div", { class: "variation", "aria-live": "polite" });
    /** The parts of `tried`: the moves, and the title and the button around them. */
    this.triedParts = {
      /** @type {HTMLButtonElement[]} */
      plies: [],
      title: element("span", {}, text("variation.title")),
      close: iconButton("close", text("variation.close"), () => this.cutVariation(0)),
    };
    this.verdict = new Verdict();
    this.top = element("div", { class: "players top" });
    this.bottom = element("div", { class: "players bottom" });
    this.live = element("span", { class: "live", role: "status" });
    /** Place for the buttons of a particular page. */
    this.actions = element("div", { class: "actions" });
    this.controls = new GameControls({
      step: (plies) => this.step(plies),
      play: () => this.play(),
      pause: () => this.pause(),
      turn: () => this.turn(),
      setSpeed: () => this.player !== undefined && this.replay(),
    });
    /** Place for content about the whole game. */
    this.foot = element("div", { class: "game-foot" });
    this.side = element("div", { class: "side" }, this.moves.element);
    this.element = element(
      "div",
      { class: isLive ? "game is-live" : "game" },
      this.title,
      element("div", { class: "game-board" }, this.board.element),
      this.top,
      element("div", { class: "game-record" }, this.side, this.tried, this.verdict.element, this.controls.element, this.actions),
      this.bottom,
      this.foot,
    );
    this.stopSettings = onSettings(() => this.showAll());
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.type(event);
    document.addEventListener("keydown", this.onKey);
    // The other clocks stand still.
    this.clock = setInterval(() => this.tick(this.panels.filter(({ player }) => player === this.game.thinking?.player)), 100);
    this.showAll();
  }

  close() {
    this.stopSettings();
    this.pause();
    clearInterval(this.clock);
    document.removeEventListener("keydown", this.onKey);
  }

  /**
   * Shows another game.
   * @param {GameEvent[]} events
   * @param {object} [options]
   * @param {number} [options.thinking] thinking time of the player to move so far, in seconds
   * @param {boolean} [options.atStart] whether to start before the first move
   */
  reset(events, { thinking = 0, atStart = false } = {}) {
    const isAtEnd = this.isAtEnd;
    const isSame = events.length > 0 && this.game.events.length > 0 && isSameStart(events, this.game.events);
    this.game = new Game();
    const now = performance.now() - thinking * 1000;
    for (const event of events) this.game.add(event, now);
    // After a reconnection, the reader stays at the same ply.
    const kept = isSame && !isAtEnd ? Math.min(this.count, this.game.plies.length) : this.game.plies.length;
    this.count = atStart ? 0 : kept;
    this.moves.clear();
    this.variation = [];
    this.hint = null;
    this.showChange();
  }

  /**
   * Adds new events.
   * @param {GameEvent[]} events
   */
  add(events) {
    const isAtEnd = this.isAtEnd;
    for (const event of events) this.game.add(event, performance.now());
    if (isAtEnd || this.count > this.game.plies.length) this.count = this.game.plies.length;
    if (isAtEnd) this.variation = [];
    this.hint = null;
    this.showChange();
    for (const event of events) this.announce(event);
  }

  get isAtEnd() {
    return this.count >= this.game.plies.length;
  }

  /**
   * Shows the first `count` plies.
   * @param {number} count
   */
  goTo(count) {
    this.count = Math.min(Math.max(count, 0), this.game.plies.length);
    this.variation = [];
    this.hint = null;
    this.showChange();
    this.board.announce(this.sayPly(this.count));
  }

  /**
   * Returns the name of a player on this page.
   * @param {number} player
   */
  nameOf(player) {
    return player === this.self ? text("player.you") : this.thirdPerson(player);
  }

  /**
   * Returns the name of a player in sentences, which speak of nobody as "you".
   * @private
   * @param {number} player
   */
  thirdPerson(player) {
    return sayName(this.game.name(player)) || text("player.number", { player });
  }

  /** The position that is shown. */
  get position() {
    return this.variation.at(-1)?.position ?? this.game.positionAt(this.count);
  }

  /**
   * Tries moves from the shown position.
   * @param {Move[]} moves legal moves
   */
  tryMoves(moves) {
    this.pause();
    for (const move of moves) this.variation.push({ move, position: this.position.play(move) });
    this.hint = null;
    this.showChange();
  }

  /**
   * Takes back all tried moves but the first `count`.
   * @param {number} count
   */
  cutVariation(count) {
    this.variation = this.variation.slice(0, count);
    this.showChange();
  }

  /** Starts automatic play from here, or from the start if this is the end. */
  play() {
    if (this.isAtEnd) this.goTo(0);
    this.player = setInterval(() => {
      if (this.isAtEnd) this.pause();
      else this.goTo(this.count + 1);
    }, this.controls.pace);
    this.showControls();
  }

  /** Restarts automatic play at the selected speed. */
  replay() {
    this.pause();
    this.play();
  }

  pause() {
    clearInterval(this.player);
    this.player = undefined;
    this.showControls();
  }

  /**
   * Shows the state of the connection.
   * @param {import("./source.js").LiveState} state
   */
  showState(state) {
    const isKnown = state === "lost" || state === "connecting";
    this.live.textContent = state === "recorded" || state === "missing" ? "" : isKnown ? text(`live.${state}`) : text("live.open");
    this.live.className = `live ${state}`;
    this.element.classList.toggle("is-lost", state === "lost");
    if (state !== "missing") return;
    this.game.lose();
    this.element.classList.toggle("is-missing", !this.game.hasStarted);
    this.showChange();
  }

  /** Draws another position and the rest of the page. @private */
  showChange() {
    this.onChange();
    this.showAll();
    this.onShow();
  }

  showAll() {
    const { game, count } = this;
    const players = game.start.order;
    const { notation } = settings();
    this.board.isTurned = this.isTurned !== new BoardPicture(notation, false).startsAtTop(this.near);
    if (this.panels.length !== players.length || this.board.picture.startsAtTop(1) !== this.isFirstAtTop) this.seatPanels(players);
    setText(this.title, game.names.length > 0 ? players.map((player) => this.nameOf(player)).join(" – ") : text("game.title"));
    for (const panel of this.panels) panel.show(game, count, { name: this.nameOf(panel.player), isLatest: this.isAtEnd });
    this.board.showsPaths = settings().paths;
    this.board.seats = this.seats;
    this.board.planner = this.planner;
    this.showMarks();
    this.showVariation();
    this.element.classList.toggle("still", !this.isLive && game.plies.length === 0);
    this.element.classList.toggle("is-over", game.result !== null);
    this.showVerdict();
    this.showControls();
    this.moves.show(game, count);
    this.tick(this.panels);
  }

  /** Shows the position with its marks, such as the last move and the best one. */
  showMarks() {
    const isTried = this.variation.length > 0;
    this.board.show(isTried ? this.position : this.game.pictureAt(this.count), isTried ? this.triedMarks() : this.gameMarks());
  }

  // Private methods.

  /** @private @returns {import("./board.js").Marks} */
  gameMarks() {
    const { game, count } = this;
    const ply = game.plies[count - 1];
    const before = game.positionAt(Math.max(count - 1, 0));
    return {
      last: game.lastMoveAt(count),
      from: ply?.move?.kind === "step" ? before.pawn(ply.player) : null,
      refused: ply?.out?.refused ? { move: ply.out.refused, player: ply.player } : null,
      hint: this.hint,
      best: this.findBest(),
      pending: this.isAtEnd ? this.pending : null,
      draft: this.isAtEnd ? this.draft : null,
    };
  }

  /** @private @returns {import("./board.js").Marks} */
  triedMarks() {
    const { move } = this.variation[this.variation.length - 1];
    const before = this.variation.at(-2)?.position ?? this.game.positionAt(this.count);
    return {
      last: move,
      from: move.kind === "step" ? before.pawn(before.turn) : null,
      hint: this.hint,
      best: this.findBest(),
    };
  }

  /** @private */
  showVariation() {
    const { notation } = settings();
    const { size } = this.game.start;
    const { plies, title, close } = this.triedParts;
    for (const [index, { move }] of this.variation.entries()) {
      const ply = (plies[index] ??= button("", () => this.cutVariation(index + 1), { class: "ply" }));
      setText(ply, formatMove(move, notation, size));
      ply.ariaCurrent = index === this.variation.length - 1 ? "true" : null;
    }
    const { length } = this.variation;
    arrange(this.tried, this.board.surface, ...(length > 0 ? [title, ...plies.slice(0, length), close] : []));
  }

  /** @private @param {number[]} players */
  seatPanels(players) {
    this.isFirstAtTop = this.board.picture.startsAtTop(1);
    this.panels = players.map((player) => new PlayerPanel(player));
    const isTwo = players.length === 2;
    const isSplit = isTwo && !this.hasPlayersTogether;
    const panels = this.panels.map((panel) => panel.element);
    if (isSplit && !this.isFirstAtTop) panels.reverse();
    this.element.classList.toggle("four", !isTwo);
    this.element.classList.toggle("together", isTwo && !isSplit);
    refill(this.top, ...(isSplit ? panels.slice(0, 1) : panels));
    refill(this.bottom, isSplit && panels[1]);
  }

  /** @private */
  showVerdict() {
    this.verdict.show(this.game, {
      last: this.game.plies[this.count - 1] ?? null,
      isAtEnd: this.isAtEnd,
      isWaiting: this.isLive && !this.game.hasStarted,
      gone: this.sayGone(),
      nameOf: (player) => (player === this.self ? null : this.nameOf(player)),
      reader: this.reader,
    });
  }

  /** Says that the server does not have the game, if so; otherwise empty. */
  sayGone() {
    if (!this.game.isGone) return "";
    return text(this.hasSeats || this.game.hasStarted ? "game.gone" : "game.missing");
  }

  /** @private */
  showControls() {
    const isPlaying = this.player !== undefined;
    this.controls.show({
      isPlaying,
      canPlay: !this.isLive || this.game.result !== null,
      isAtStart: this.count === 0 && this.variation.length === 0,
      isAtEnd: this.isAtEnd,
      isTurned: this.isTurned,
    });
  }

  turn() {
    this.isTurned = !this.isTurned;
    this.showAll();
  }

  /** @private @param {number} plies */
  step(plies) {
    this.pause();
    if (plies === -1 && this.variation.length > 0) {
      this.cutVariation(this.variation.length - 1);
      return;
    }
    this.goTo(this.count + plies);
  }

  /** @private @param {KeyboardEvent} event */
  type(event) {
    const target = /** @type {Element | null} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || target?.closest("input, select, textarea, dialog")) return;
    // Arrow keys on a board for playing belong to its cursor, even during another player's turn.
    const isOnBoard = this.board.hasArrows && target?.closest("[role=application]");
    if (isOnBoard && event.key.startsWith("Arrow")) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      p: () => changeSettings({ paths: !settings().paths }),
      t: () => this.turn(),
      r: () => this.board.read(),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  /**
   * Shows the time on the clocks of `panels`.
   * @private
   * @param {PlayerPanel[]} panels
   */
  tick(panels) {
    const now = performance.now();
    for (const panel of panels) {
      const wasHurried = panel.isHurried;
      panel.tick(this.game, this.count, this.isAtEnd, now);
      if (panel.isHurried && !wasHurried && this.seats.includes(panel.player)) playSound("low");
    }
  }

  /** @private @param {GameEvent} event */
  announce(event) {
    if (event.event === "move_made") playSound(this.game.plies.at(-1)?.move?.kind === "wall" ? "wall" : "step");
    else if (event.event === "game_ended") playSound("end");
    if (event.event === "move_made" || event.event === "player_out") this.board.announce(this.sayPly(this.game.plies.length));
    else if (event.event === "moves_taken_back") this.board.announce(text("say.taken_back"));
    else if (event.event === "game_ended") this.board.announce(this.game.say({ phrase: event.phrase, sentence: event.sentence }));
  }

  /**
   * Describes ply `count`.
   * @param {number} count
   */
  sayPly(count) {
    if (count === 0) return text("say.start");
    const { player, move, out } = this.game.plies[count - 1];
    const name = this.thirdPerson(player);
    if (move === null) return text("say.out", { name, reason: out === null ? "" : this.game.say(out) });
    const written = formatMove(move, settings().notation, this.game.start.size);
    return text(move.kind === "step" ? "say.step" : "say.wall", { name, move: written });
  }
}

/**
 * Returns whether two lists of events belong to the same game.
 * @param {GameEvent[]} first
 * @param {GameEvent[]} second
 */
function isSameStart(first, second) {
  const length = Math.min(first.length, second.length);
  return JSON.stringify(first.slice(0, length)) === JSON.stringify(second.slice(0, length));
}
