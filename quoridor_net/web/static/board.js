// The board: shows positions on all pages, and lets the reader make moves.

import { BoardCursor, MOUSE_REACH, moveAt, touchReach } from "./board_input.js";
import { BoardPicture } from "./board_picture.js";
import { BoardDrawing } from "./board_drawing.js";
import { element } from "./dom.js";
import { formatMove, formatSquare } from "./notation.js";
import { explain } from "./reasons.js";
import { isSameMove } from "./moves.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./board_drawing.js").Marks} Marks */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** An illegal move is explained when the pointer has rested on it for this time, in milliseconds. */
const REST = 250;

export class Board {
  /**
   * @param {object} [options]
   * @param {boolean} [options.isSmall] whether it is one of many, without coordinates, notes and keys
   * @param {boolean} [options.hasSeats] whether the reader may move at times, so that there is a line for notes
   */
  constructor({ isSmall = false, hasSeats = false } = {}) {
    this.isSmall = isSmall;
    this.hasSeats = hasSeats;
    /** Whether arrow keys start the cursor. Otherwise Enter, h or v do, and arrow keys belong to the page. */
    this.hasArrows = true;
    /** Called with a legal move that the reader made. @type {(move: Move) => void} */
    this.onMove = () => {};
    /** The players for whom the reader moves; it takes effect with the next `show`. @type {number[]} */
    this.seats = [];
    /** The player who may plan a move during another player's turn; 0 for none. It takes effect like `seats`. */
    this.planner = 0;
    /** @type {Position | null} */
    this.position = null;
    /** The position in which the reader moves: the shown one or, for planning, the same on the reader's turn. @type {Position | null} */
    this.moving = null;
    /** @type {Marks} */
    this.marks = {};
    this.isTurned = false;
    /** Whether shortest paths are drawn. */
    this.showsPaths = false;
    this.drawing = new BoardDrawing(isSmall);
    this.cursor = new BoardCursor(9);
    this.isKeyboard = false;
    /** The move under the pointer or the cursor. @type {Move | null} */
    this.preview = null;
    this.isTapped = false;
    /** Shows an illegal move when the pointer rests on it. @type {ReturnType<typeof setTimeout> | undefined} */
    this.rest = undefined;
    this.surface = element("div", { class: "board-surface", role: "img" }, this.drawing.element);
    this.note = element("p", { class: "board-note" });
    /** The note on the position. */
    this.told = "";
    this.spoken = element("p", { class: "visually-hidden", "aria-live": "polite" });
    this.element = element("div", { class: isSmall ? "board small" : "board" }, this.surface);
    if (hasSeats) this.element.append(this.note);
    if (!isSmall) {
      this.element.append(this.spoken);
      // Always, because focus would otherwise be lost at the end of a game.
      this.surface.tabIndex = 0;
    }
    this.listen();
  }

  /**
   * Shows a position.
   * @param {Position} position
   * @param {Marks} [marks]
   */
  show(position, marks = {}) {
    const isNewGround =
      this.position?.size !== position.size ||
      this.position?.players !== position.players ||
      !this.drawing.measure.picture.equals(this.picture);
    this.position = position;
    const isPlanning = this.planner !== 0 && !position.isOver && position.turn !== this.planner;
    this.moving = isPlanning ? position.onTurnOf(this.planner) : position;
    this.marks = marks;
    if (isNewGround) {
      this.drawing.lay(position, this.picture);
      if (this.cursor.last !== 2 * position.size - 2) this.cursor = new BoardCursor(position.size);
    }
    this.drawing.drawWalls(position, marks, !isNewGround);
    this.drawing.placePawns(position);
    this.refresh();
  }

  /** Redraws the parts that depend on settings and seats. */
  refresh() {
    const { position } = this;
    if (position === null) return;
    if (!this.drawing.measure.picture.equals(this.picture)) {
      this.show(position, this.marks);
      return;
    }
    this.drawing.drawMarks(position, this.marks);
    this.drawing.drawPaths(position, this.showsPaths && !position.isOver ? position.alive : []);
    this.openToKeys();
    const isMine = this.isMine && this.moving === position;
    this.surface.classList.toggle("interactive", isMine);
    this.surface.classList.toggle("planning", this.isMine && !isMine);
    this.drawing.drawSteps(isMine ? position.legalSteps : []);
    this.describe(position);
    this.setPreview(null);
  }

  /** The picture of the board. */
  get picture() {
    return new BoardPicture(settings().notation, this.isTurned);
  }

  /** Whether the reader is to move, or may plan a move. */
  get isMine() {
    if (this.moving === null || this.marks.pending) return false;
    return this.moving.turn !== 0 && this.seats.includes(this.moving.turn);
  }

  /**
   * Accepts keys while the reader has a seat.
   * @private
   */
  openToKeys() {
    const isPlaying = this.seats.length > 0;
    this.surface.setAttribute("role", isPlaying ? "application" : "img");
    if (isPlaying) {
      this.surface.setAttribute("aria-roledescription", text("board.role"));
      this.surface.setAttribute("aria-description", text("board.keys"));
    } else {
      this.surface.removeAttribute("aria-roledescription");
      this.surface.removeAttribute("aria-description");
    }
  }

  /**
   * Announces an event to screen readers.
   * @param {string} sentence
   */
  announce(sentence) {
    this.spoken.textContent = sentence;
  }

  /**
   * Writes `sentence` under the board until another position replaces it, except while the pointer or the cursor has a note.
   * @param {string} sentence
   */
  tell(sentence) {
    this.told = sentence;
    this.say(sentence, false);
  }

  // Speaking.

  /** Announces the position: pawns, walls, and whose turn it is. */
  read() {
    const { position } = this;
    if (position === null) return;
    // Screen readers only speak what changes, after they have noticed the change.
    this.spoken.textContent = "";
    setTimeout(() => this.announce(this.sayPosition(position)), 50);
  }

  /** @private @param {Position} position */
  describe(position) {
    this.surface.setAttribute("aria-label", `${text("board.name")} ${this.sayPosition(position)}`);
  }

  /** @private @param {Position} position */
  sayPosition(position) {
    const { notation } = settings();
    const pawns = position.alive.map((player) =>
      text("board.pawn", {
        player,
        square: formatSquare(/** @type {Square} */ (position.pawn(player)), notation, position.size),
        walls: position.wallsLeft[player - 1],
      }),
    );
    const walls = position.walls.map((wall) => formatMove(wall, notation, position.size)).join(", ");
    const turn = position.isOver ? text("board.over") : text("board.turn", { player: position.turn });
    return [...pawns, walls === "" ? text("board.no_walls") : text("board.walls", { walls }), turn].join(" ");
  }

  // Moving.

  /** @private */
  listen() {
    const { surface } = this;
    surface.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.point(event, false);
    });
    surface.addEventListener("pointerleave", () => {
      clearTimeout(this.rest);
      if (!this.isTapped) this.setPreview(null);
    });
    surface.addEventListener("click", (event) => this.press(/** @type {PointerEvent} */ (event)));
    surface.addEventListener("keydown", (event) => this.type(event));
    surface.addEventListener("blur", () => {
      this.isKeyboard = false;
      this.setPreview(null);
    });
  }

  /**
   * Shows the move under a pointer and returns it.
   * @private
   * @param {MouseEvent} event
   * @param {boolean} isTouch
   */
  point(event, isTouch) {
    if (!this.isMine) return null;
    const box = this.drawing.element.getBoundingClientRect();
    const scale = this.drawing.measure.side / box.width;
    const point = { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
    const position = /** @type {Position} */ (this.moving);
    const reach = isTouch ? touchReach(scale) : MOUSE_REACH;
    const move = moveAt(position, this.drawing.measure, point, reach, isTouch);
    this.isKeyboard = false;
    clearTimeout(this.rest);
    if (this.isTapped && !isTouch) return move;
    if (move === null || position.isLegal(move) || isSameMove(move, this.preview)) this.setPreview(move);
    else {
      // A pointer on its way to a legal move crosses illegal ones, which need no explanation.
      this.setPreview(null);
      this.rest = setTimeout(() => this.setPreview(move), REST);
    }
    return move;
  }

  /** @private @param {PointerEvent} event */
  press(event) {
    if (!this.isMine) return;
    const isTouch = event.pointerType === "touch";
    const tapped = this.isTapped ? this.preview : null;
    this.isTapped = false;
    const move = this.point(event, isTouch);
    if (move === null) return;
    // A finger covers its target, so the first tap on a gap only shows the wall.
    if (isTouch && move.kind === "wall" && !isSameMove(move, tapped)) {
      this.isTapped = true;
      if (/** @type {Position} */ (this.moving).isLegal(move)) this.say(text("board.tap_again"), false);
      return;
    }
    this.make(move);
  }

  /** @private @param {KeyboardEvent} event */
  type(event) {
    if (!this.isMine || event.ctrlKey || event.altKey || event.metaKey) return;
    const position = /** @type {Position} */ (this.moving);
    const arrow = ARROWS[event.key];
    const isOrientation = event.key === "h" || event.key === "v";
    const isEnter = event.key === "Enter" || event.key === " ";
    if (event.key === "Escape" && this.isKeyboard) {
      event.stopPropagation();
      this.isKeyboard = false;
      this.isTapped = false;
      this.setPreview(null);
      return;
    }
    const isStart = !this.isKeyboard;
    if (isStart && !(isOrientation || isEnter || (arrow && this.hasArrows))) return;
    if (isStart) {
      this.isKeyboard = true;
      this.cursor.goTo(this.drawing.measure, /** @type {Square} */ (position.pawn(position.turn)));
    }
    if (arrow) this.cursor.go(...arrow);
    else if (event.key === "h" || event.key === "v") this.cursor.lay(this.drawing.measure, event.key);
    else if (!isEnter) return;
    else if (!isStart) this.make(this.cursor.move(this.drawing.measure));
    event.preventDefault();
    event.stopPropagation();
    if (!this.isMine || !this.isKeyboard) return;
    const move = this.cursor.move(this.drawing.measure);
    this.setPreview(move);
    this.announce(this.sayPlace(move));
  }

  /** @private @param {Move} move */
  make(move) {
    clearTimeout(this.rest);
    const reason = /** @type {Position} */ (this.moving).whyIllegal(move);
    this.isTapped = false;
    if (reason !== null) {
      this.setPreview(move);
      this.announce(this.sayPlace(move));
      this.surface.classList.remove("refuses");
      // Restarts the animation.
      void this.surface.offsetWidth;
      this.surface.classList.add("refuses");
      return;
    }
    this.setPreview(null);
    // The cursor starts at the pawn of the next player to move.
    this.isKeyboard = false;
    this.onMove(move);
  }

  /** @private @param {Move | null} move */
  setPreview(move) {
    const isSame = isSameMove(move, this.preview);
    this.preview = move;
    if (move === null) this.isTapped = false;
    if (isSame && move !== null && this.drawing.layers.preview.childElementCount > 0) {
      this.placeCursor();
      return;
    }
    const position = /** @type {Position} */ (this.moving);
    if (move === null || !this.isMine) {
      this.drawing.drawPreview(null);
      this.say(this.told, false);
      return;
    }
    const reason = position.whyIllegal(move);
    const kind = reason === null ? "preview" : "preview illegal";
    // The player's own square needs no explanation until the player tries to step there.
    const isSilent = reason?.kind === "same_square";
    const ghost = isSilent ? null : this.drawing.drawGhost(move, kind, position.turn);
    this.drawing.drawPreview(ghost);
    this.placeCursor();
    this.surface.dataset.preview = reason === null ? "legal" : "illegal";
    if (reason === null) this.say(formatMove(move, settings().notation, position.size), false);
    else this.say(isSilent ? "" : this.sayWhyNot(move), !isSilent);
  }

  /** @private */
  placeCursor() {
    this.drawing.placeCursor(this.isKeyboard ? this.cursor.point : null);
  }

  /** @private @param {string} sentence @param {boolean} isReason */
  say(sentence, isReason) {
    this.note.textContent = sentence;
    this.note.classList.toggle("is-reason", isReason);
  }

  /** @private @param {Move} move */
  sayWhyNot(move) {
    const { size } = /** @type {Position} */ (this.moving);
    const reason = /** @type {Position} */ (this.moving).whyIllegal(move);
    if (reason === null) return "";
    const { notation } = settings();
    return text("board.illegal", { move: formatMove(move, notation, size), reason: explain(reason, notation, size) });
  }

  /** @private @param {Move} move */
  sayPlace(move) {
    const { size } = /** @type {Position} */ (this.moving);
    const why = this.sayWhyNot(move);
    if (why !== "") return why;
    const key = move.kind === "step" ? "board.place.step" : `board.place.${move.orientation}`;
    return text(key, { move: formatMove(move, settings().notation, size) });
  }
}
