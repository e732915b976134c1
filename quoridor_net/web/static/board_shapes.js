// The dimensions of a drawn board, and the shapes on it.

import { svgElement } from "./dom.js";

/** @typedef {import("./board_picture.js").BoardPicture} BoardPicture */
/** @typedef {import("./moves.js").Square} Square */
/** @typedef {import("./moves.js").Wall} Wall */

/** Lengths in units of the drawing: from square to square, a square, a gap, the margin. */
export const PITCH = 50;
export const SQUARE = 41;
export const GAP = PITCH - SQUARE;
export const MARGIN = 24;

/** Length of all stripes on a wall together, and between two of them, in units of the drawing. */
const STRIPES = 44;
const STRIPE_GAP = 5;

/** Pawns differ in shape, number and colour. @type {Record<number, string>} */
const PAWN_SHAPES = {
  1: "M0-16a16 16 0 1 1 0 32a16 16 0 1 1 0-32z",
  2: "M-10-14h20q4 0 4 4v20q0 4-4 4h-20q-4 0-4-4v-20q0-4 4-4z",
  3: "M-2.5-16.5q2.5-4 5 0l15 25.5q2.5 4.5-2.5 4.5h-30q-5 0-2.5-4.5z",
  4: "M-8-15.5h16q2 0 3 1.7l7.5 12.1q1 1.7 0 3.4l-7.5 12.1q-1 1.7-3 1.7h-16q-2 0-3-1.7l-7.5-12.1q-1-1.7 0-3.4l7.5-12.1q1-1.7 3-1.7z",
};

/** The geometry of a board in its picture. */
export class BoardMeasure {
  /**
   * @param {number} size
   * @param {BoardPicture} picture
   */
  constructor(size, picture) {
    this.size = size;
    this.picture = picture;
    this.side = size * PITCH - GAP + 2 * MARGIN;
  }

  /**
   * Returns the centre of a square.
   * @param {Square} square
   */
  centre(square) {
    const { column, row } = this.picture.place(square, this.size - 1);
    return { x: MARGIN + column * PITCH + SQUARE / 2, y: MARGIN + row * PITCH + SQUARE / 2 };
  }

  /**
   * Returns the rectangle of a wall.
   * @param {Wall} wall
   */
  wallBox(wall) {
    const { column, row } = this.picture.place(wall, this.size - 2);
    const x = MARGIN + column * PITCH;
    const y = MARGIN + row * PITCH;
    const long = 2 * SQUARE + GAP;
    const thick = GAP - 1;
    return wall.orientation === "h"
      ? { x, y: y + SQUARE + 0.5, width: long, height: thick }
      : { x: x + SQUARE + 0.5, y, width: thick, height: long };
  }
}

/**
 * Returns the drawing of a pawn around (0, 0).
 * @param {number} player
 */
export function drawPawn(player) {
  return svgElement(
    "g",
    { class: `pawn pawn-${player}` },
    svgElement("ellipse", { class: "pawn-shadow", cx: 0, cy: 13, rx: 15, ry: 6 }),
    svgElement("path", { class: "pawn-shape", d: PAWN_SHAPES[player] }),
    svgElement("text", { class: "pawn-number", x: 0, y: player === 3 ? 3 : 0.5 }, String(player)),
  );
}

/**
 * Returns a small picture of a player's pawn, to show beside its name.
 * @param {number} player
 */
export function drawPawnIcon(player) {
  return svgElement("svg", { viewBox: "-20 -20 40 40", class: "pawn-icon", "aria-hidden": "true" }, drawPawn(player));
}

/**
 * Returns the squares of an empty board and its goal lines.
 * @param {BoardMeasure} measure
 * @param {number[]} players the players with a goal line
 */
export function drawGround(measure, players) {
  const { size } = measure;
  const ground = svgElement("g", { class: "ground" });
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const { x, y } = { x: MARGIN + column * PITCH, y: MARGIN + row * PITCH };
      ground.append(svgElement("rect", { class: "square", x, y, width: SQUARE, height: SQUARE, rx: 5 }));
    }
  }
  for (const player of players) ground.append(drawGoal(measure, player));
  return ground;
}

/**
 * Returns the strip along a player's goal line.
 * @param {BoardMeasure} measure
 * @param {number} player
 */
function drawGoal(measure, player) {
  const long = measure.size * PITCH - GAP;
  const near = MARGIN - 5;
  const far = measure.side - MARGIN + 2;
  const { picture } = measure;
  const isAtEnd = player <= 2 ? picture.startsAtTop(player) : (player === 3) !== picture.isTurned;
  const place = isAtEnd ? far : near;
  const box =
    player <= 2
      ? { x: MARGIN + 6, y: place, width: long - 12, height: 3 }
      : { x: place, y: MARGIN + 6, width: 3, height: long - 12 };
  return svgElement("rect", { class: `goal pawn-${player}`, rx: 1.5, ...box });
}

/**
 * Returns the coordinates: rows at the left, columns at the top or the bottom.
 * @param {BoardMeasure} measure
 */
export function drawCoordinates(measure) {
  const { size, side, picture } = measure;
  const near = MARGIN / 2 - 2;
  const beside = picture.hasColumnsAtTop ? near : side - near;
  const coordinates = svgElement("g", { class: "coordinates" });
  for (let number = 0; number < size; number++) {
    const { x, y } = measure.centre({ column: number, row: number });
    coordinates.append(
      svgElement("text", { x, y: beside }, picture.columnName(number)),
      svgElement("text", { x: near, y }, picture.rowName(number, size)),
    );
  }
  return coordinates;
}

/**
 * Returns the drawing of a wall.
 * @param {BoardMeasure} measure
 * @param {Wall} wall
 * @param {string} kind further classes
 * @param {number | null} [owner] the player who placed it, if known
 */
export function drawWall(measure, wall, kind, owner = null) {
  const box = measure.wallBox(wall);
  const group = svgElement("g", { class: `wall ${kind}` }, svgElement("rect", { class: "wall-body", rx: 3, ...box }));
  if (owner !== null) {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    // As many stripes as the player's number, for readers who cannot tell the colours apart.
    const length = (STRIPES - (owner - 1) * STRIPE_GAP) / owner;
    for (let stripe = 0; stripe < owner; stripe++) {
      const start = stripe * (length + STRIPE_GAP) - STRIPES / 2;
      const inlay =
        wall.orientation === "h"
          ? { x: x + start, y: y - 2, width: length, height: 4 }
          : { x: x - 2, y: y + start, width: 4, height: length };
      group.append(svgElement("rect", { class: `wall-owner pawn-${owner}`, rx: 1, ...inlay }));
    }
  }
  return group;
}

/**
 * Returns the drawing of a player's path.
 * @param {BoardMeasure} measure
 * @param {Square[]} path
 * @param {number} player
 */
export function drawPath(measure, path, player) {
  // Shifted, so that paths through the same squares run side by side.
  const shift = (player - 2.5) * 4;
  const points = path.map((square) => {
    const { x, y } = measure.centre(square);
    return `${x + shift},${y + shift}`;
  });
  const end = points[points.length - 1].split(",");
  return svgElement(
    "g",
    { class: `path pawn-${player}` },
    svgElement("polyline", { class: "path-casing", points: points.join(" ") }),
    svgElement("polyline", { points: points.join(" ") }),
    svgElement("circle", { cx: end[0], cy: end[1], r: 5 }),
  );
}

/**
 * Returns an arrow between the centres of two squares; it starts at the edge of a pawn.
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 * @param {string} kind
 */
export function drawArrow(from, to, kind) {
  const [across, down] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(across, down);
  const turn = (Math.atan2(down, across) * 180) / Math.PI;
  return svgElement(
    "g",
    { class: `arrow ${kind}`, transform: `translate(${from.x} ${from.y}) rotate(${turn})` },
    svgElement("path", { d: `M17-4H${length - 12}V-12L${length + 6} 0L${length - 12} 12V4H17z` }),
  );
}
