// The board: the one component that shows a position wherever there is one, and takes moves where one may be made.

import { BoardCursor, moveAt } from "./board_input.js";
import { BoardMeasure, drawCoordinates, drawGround, drawPath, drawPawn, drawWall } from "./board_shapes.js";
import { drawn, element, refill } from "./dom.js";
import { formatMove, formatSquare } from "./notation.js";
import { explain } from "./reasons.js";
import { isSameMove, wallKey } from "./moves.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./moves.js").Square} Square */
/**
 * What is shown besides the position.
 * @typedef {object} Marks
 * @property {Move | null} [last] the last move
 * @property {Square | null} [from] where its pawn came from
 * @property {{ move: Move, player: number } | null} [refused] a move that was illegal
 * @property {Move | null} [hint] a move that is advised
 * @property {Map<string, number>} [owners] who placed each wall, as `Game.wallOwners` gives it
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  /**
   * @param {object} [options]
   * @param {boolean} [options.isSmall] without coordinates, notes and keys: one of many
   */
  constructor({ isSmall = false } = {}) {
    this.isSmall = isSmall;
    /** Called with a legal move that the reader made. @type {(move: Move) => void} */
    this.onMove = () => {};
    /** The players for whom the reader moves; it takes effect with the next `show`. @type {number[]} */
    this.seats = [];
    /** @type {Position | null} */
    this.position = null;
    /** @type {Marks} */
    this.marks = {};
    this.isTurned = false;
    /** Whether shortest paths are drawn. */
    this.showsPaths = false;
    this.measure = new BoardMeasure(9, false);
    this.cursor = new BoardCursor(9);
    this.isKeyboard = false;
    /** The move under the pointer or the cursor. @type {Move | null} */
    this.preview = null;
    this.isTapped = false;
    /** @type {Map<number, SVGElement>} */
    this.pawns = new Map();
    this.layers = {
      ground: drawn("g"),
      marks: drawn("g"),
      paths: drawn("g"),
      walls: drawn("g"),
      steps: drawn("g"),
      hint: drawn("g"),
      pawns: drawn("g"),
      preview: drawn("g"),
    };
    this.svg = drawn("svg", { class: "board-drawing", "aria-hidden": "true" }, ...Object.values(this.layers));
    this.surface = element("div", { class: "board-surface", role: "img" }, this.svg);
    this.note = element("p", { class: "board-note" });
    this.spoken = element("p", { class: "visually-hidden", "aria-live": "polite" });
    this.element = element("div", { class: isSmall ? "board small" : "board" }, this.surface);
    if (!isSmall) this.element.append(this.note, this.spoken);
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
      this.measure.isTurned !== this.isTurned;
    const earlier = new Set(isNewGround ? [] : this.position?.walls.map(wallKey));
    const isFirst = isNewGround;
    this.position = position;
    this.marks = marks;
    if (isNewGround) this.lay(position);
    this.drawWalls(earlier, isFirst);
    this.placePawns(position);
    this.refresh();
  }

  /** Draws anew what depends on settings and seats. */
  refresh() {
    const { position } = this;
    if (position === null) return;
    if (this.measure.isTurned !== this.isTurned) {
      this.show(position, this.marks);
      return;
    }
    if (!this.isSmall) {
      this.layers.ground.querySelector(".coordinates")?.remove();
      this.layers.ground.append(drawCoordinates(this.measure, settings().notation));
    }
    this.drawMarks(position);
    this.drawPaths(position);
    this.openToKeys();
    const isMine = this.isMine;
    this.surface.classList.toggle("interactive", isMine);
    refill(this.layers.steps, ...(isMine ? position.legalSteps.map((step) => this.drawStep(step)) : []));
    this.describe(position);
    this.setPreview(null);
  }

  /** Whether the reader is to move. */
  get isMine() {
    return this.position !== null && this.position.turn !== 0 && this.seats.includes(this.position.turn);
  }

  /**
   * Lets the keyboard in where the reader plays.
   * @private
   */
  openToKeys() {
    const isPlaying = this.seats.length > 0;
    this.note.hidden = !isPlaying;
    this.surface.setAttribute("role", isPlaying ? "application" : "img");
    if (isPlaying) {
      this.surface.tabIndex = 0;
      this.surface.setAttribute("aria-roledescription", text("board.role"));
    } else {
      this.surface.removeAttribute("tabindex");
      this.surface.removeAttribute("aria-roledescription");
    }
  }

  /**
   * Tells readers of a screen what happened.
   * @param {string} sentence
   */
  announce(sentence) {
    this.spoken.textContent = sentence;
  }

  /**
   * Writes `sentence` under the board until the pointer or another position says something else.
   * @param {string} sentence
   */
  tell(sentence) {
    this.note.textContent = sentence;
    this.note.classList.remove("is-reason");
  }

  // Drawing.

  /** @private @param {Position} position */
  lay(position) {
    this.measure = new BoardMeasure(position.size, this.isTurned);
    if (this.cursor.last !== 2 * position.size - 2) this.cursor = new BoardCursor(position.size);
    const { side } = this.measure;
    this.svg.setAttribute("viewBox", this.isSmall ? `12 12 ${side - 24} ${side - 24}` : `0 0 ${side} ${side}`);
    refill(this.layers.ground, drawGround(this.measure, position.order));
    refill(this.layers.pawns);
    this.pawns.clear();
    for (const player of position.order) {
      const pawn = drawPawn(player);
      this.pawns.set(player, pawn);
      this.layers.pawns.append(pawn);
    }
  }

  /** @private @param {Set<string>} earlier @param {boolean} isFirst */
  drawWalls(earlier, isFirst) {
    const walls = /** @type {Position} */ (this.position).walls.map((wall) => {
      const isLast = isSameMove(wall, this.marks.last ?? null);
      const isNew = !isFirst && !earlier.has(wallKey(wall));
      const kind = `${isLast ? "last" : ""} ${isNew ? "new" : ""}`;
      return drawWall(this.measure, wall, kind, this.marks.owners?.get(wallKey(wall)));
    });
    refill(this.layers.walls, ...walls);
  }

  /** @private @param {Position} position */
  placePawns(position) {
    for (const [player, pawn] of this.pawns) {
      const square = position.pawn(player);
      pawn.classList.toggle("out", square === null);
      pawn.classList.toggle("to-move", position.turn === player);
      pawn.classList.toggle("winner", position.winner === player);
      if (square === null) continue;
      const { x, y } = this.measure.centre(square);
      pawn.style.transform = `translate(${x}px, ${y}px)`;
    }
  }

  /** @private @param {Position} position */
  drawMarks(position) {
    const { last, from, refused, hint } = this.marks;
    const marks = [];
    if (last?.kind === "step") marks.push(this.drawMark(last, "last"));
    if (from) marks.push(this.drawMark(from, "from"));
    if (refused) marks.push(this.drawGhost(refused.move, "refused", refused.player));
    refill(this.layers.marks, ...marks);
    refill(this.layers.hint, hint ? this.drawGhost(hint, "hint", position.turn || 1) : null);
  }

  /** @private @param {Square} square @param {string} kind */
  drawMark(square, kind) {
    const { x, y } = this.measure.centre(square);
    return drawn("rect", { class: `mark ${kind}`, x: x - 20.5, y: y - 20.5, width: 41, height: 41, rx: 5 });
  }

  /** @private @param {Square} square */
  drawStep(square) {
    const { x, y } = this.measure.centre(square);
    return drawn("circle", { class: "legal-step", cx: x, cy: y, r: 6.5 });
  }

  /** @private @param {Position} position */
  drawPaths(position) {
    const players = this.showsPaths && !position.isOver ? position.alive : [];
    refill(
      this.layers.paths,
      ...players.map((player) => drawPath(this.measure, position.shortestPath(player), player)),
    );
  }

  /**
   * A move that is not made.
   * @private
   * @param {Move} move
   * @param {string} kind
   * @param {number} player
   */
  drawGhost(move, kind, player) {
    if (move.kind === "wall") return drawWall(this.measure, move, `ghost ${kind} pawn-${player}`);
    const { x, y } = this.measure.centre(move);
    const ghost = drawPawn(player);
    ghost.classList.add("ghost", ...kind.split(" "));
    ghost.style.transform = `translate(${x}px, ${y}px)`;
    return ghost;
  }

  /** @private @param {Position} position */
  describe(position) {
    const { notation } = settings();
    const pawns = position.alive.map((player) =>
      text("board.pawn", {
        player,
        square: formatSquare(/** @type {Square} */ (position.pawn(player)), notation, position.size),
        walls: position.wallsLeft[player - 1],
      }),
    );
    const turn = position.isOver ? text("board.over") : text("board.turn", { player: position.turn });
    this.surface.setAttribute("aria-label", [text("board.name"), ...pawns, turn].join(" "));
  }

  // Moving.

  /** @private */
  listen() {
    const { surface } = this;
    surface.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.point(event, false);
    });
    surface.addEventListener("pointerleave", () => {
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
    const box = this.svg.getBoundingClientRect();
    const scale = this.measure.side / box.width;
    const point = { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
    const move = moveAt(/** @type {Position} */ (this.position), this.measure, point, isTouch);
    this.isKeyboard = false;
    if (!this.isTapped || isTouch) this.setPreview(move);
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
    // A finger hides what it points at: the first tap on a gap only shows the wall.
    if (isTouch && move.kind === "wall" && !isSameMove(move, tapped)) {
      this.isTapped = true;
      if (/** @type {Position} */ (this.position).isLegal(move)) this.tell(text("board.tap_again"));
      return;
    }
    this.make(move);
  }

  /** @private @param {KeyboardEvent} event */
  type(event) {
    if (!this.isMine || event.ctrlKey || event.altKey || event.metaKey) return;
    const position = /** @type {Position} */ (this.position);
    const arrow = ARROWS[event.key];
    if (event.key === "Escape") {
      this.isKeyboard = false;
      this.isTapped = false;
      this.setPreview(null);
      return;
    }
    if (!this.isKeyboard && (arrow || event.key === "h" || event.key === "v" || event.key === "Enter" || event.key === " ")) {
      this.isKeyboard = true;
      this.cursor.goTo(this.measure, /** @type {Square} */ (position.pawn(position.turn)));
    }
    if (arrow) this.cursor.go(...arrow);
    else if (event.key === "h" || event.key === "v") this.cursor.lay(event.key);
    else if (event.key === "Enter" || event.key === " ") this.make(this.cursor.move(this.measure));
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.isMine || !this.isKeyboard) return;
    const move = this.cursor.move(this.measure);
    this.setPreview(move);
    this.announce(this.sayPlace(move));
  }

  /** @private @param {Move} move */
  make(move) {
    const reason = /** @type {Position} */ (this.position).whyIllegal(move);
    this.isTapped = false;
    if (reason !== null) {
      this.setPreview(move);
      this.announce(this.sayPlace(move));
      this.surface.classList.remove("refuses");
      // So that the animation begins again.
      void this.surface.offsetWidth;
      this.surface.classList.add("refuses");
      return;
    }
    this.setPreview(null);
    // The keyboard begins at the pawn again, which may be another player's.
    this.isKeyboard = false;
    this.onMove(move);
  }

  /** @private @param {Move | null} move */
  setPreview(move) {
    const isSame = isSameMove(move, this.preview);
    this.preview = move;
    if (move === null) this.isTapped = false;
    if (isSame && move !== null && this.layers.preview.childElementCount > 0) {
      this.placeCursor();
      return;
    }
    const position = /** @type {Position} */ (this.position);
    if (move === null || !this.isMine) {
      refill(this.layers.preview);
      this.say("", false);
      return;
    }
    const reason = position.whyIllegal(move);
    const kind = reason === null ? "preview" : "preview illegal";
    // The player's own square needs no explanation as long as nobody tries to step there.
    const isSilent = reason?.kind === "same_square";
    const ghost = isSilent ? null : this.drawGhost(move, kind, position.turn);
    refill(this.layers.preview, ghost);
    this.placeCursor();
    this.surface.dataset.preview = reason === null ? "legal" : "illegal";
    if (reason === null) this.say(formatMove(move, settings().notation, position.size), false);
    else this.say(isSilent ? "" : this.sayWhyNot(move), !isSilent);
  }

  /** @private */
  placeCursor() {
    this.layers.preview.querySelector(".cursor")?.remove();
    if (!this.isKeyboard) return;
    const { x, y } = this.cursor.point;
    this.layers.preview.append(drawn("circle", { class: "cursor", cx: x, cy: y, r: 12 }));
  }

  /** @private @param {string} sentence @param {boolean} isReason */
  say(sentence, isReason) {
    this.note.textContent = sentence;
    this.note.classList.toggle("is-reason", isReason);
  }

  /** @private @param {Move} move */
  sayWhyNot(move) {
    const { size } = /** @type {Position} */ (this.position);
    const reason = /** @type {Position} */ (this.position).whyIllegal(move);
    if (reason === null) return "";
    const { notation } = settings();
    return text("board.illegal", { move: formatMove(move, notation, size), reason: explain(reason, notation, size) });
  }

  /** @private @param {Move} move */
  sayPlace(move) {
    const { size } = /** @type {Position} */ (this.position);
    const why = this.sayWhyNot(move);
    if (why !== "") return why;
    const key = move.kind === "step" ? "board.place.step" : `board.place.${move.orientation}`;
    return text(key, { move: formatMove(move, settings().notation, size) });
  }
}
