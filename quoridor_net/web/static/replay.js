// The pages of recorded games: the game of this site, and games from dropped files.

import { drawIcon, element, iconButton, refill } from "./dom.js";
import { EngineLines } from "./engine_lines.js";
import { GameView } from "./game_view.js";
import { Game } from "./game.js";
import { keepPly, keepReplay, loadKeptPly, loadKeptReplay } from "./kept_replay.js";
import { notify, showLink } from "./notice.js";
import { followPly, goToPly } from "./permalink.js";
import { Position } from "./rules.js";
import { saveButton } from "./saving.js";
import { RefusedError, isStandalone, loadGame, readReplay } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./game.js").GameEvent} GameEvent */
/** @typedef {import("./router.js").Page} Page */
/** @typedef {import("./source.js").Site} Site */

/** Maximum size of a file that the server accepts, in bytes. */
const LARGEST = 1024 * 1024;

/**
 * Returns the page of the recorded game of this site.
 * @param {{ number?: string, ply?: string, site: Site }} parameters
 * @returns {Promise<Page>}
 */
export async function replayPage({ number, ply, site }) {
  /** @type {GameEvent[]} */
  let events;
  try {
    events = await loadGame(Number(number ?? 1));
  } catch (error) {
    // A site without a game waits for files.
    if (error instanceof RefusedError && number === undefined) return openPage({ site });
    throw error;
  }
  return openPage({ site, events, number: number ?? "1", ply });
}

/**
 * Returns the page that reads dropped files, and shows the given game at first, if any.
 * @param {object} parameters
 * @param {Site} parameters.site
 * @param {GameEvent[]} [parameters.events]
 * @param {string} [parameters.number] number of the given game, if it is one of this site
 * @param {string} [parameters.ply] the ply to show first
 * @returns {Page}
 */
export function openPage({ site, events: given, number, ply }) {
  const holder = element("div", {});
  /** @type {ReturnType<typeof recordPage> | null} */
  let page = null;
  let shown = given ?? loadKeptReplay();
  let shownPly = given === undefined ? loadKeptPly() : ply;
  let shownNumber = given === undefined ? undefined : number;
  const show = (/** @type {GameEvent[]} */ events) => {
    shown = events;
    page?.close?.();
    page = recordPage(site, shownNumber);
    page.open(events);
    const { view } = page;
    if (shownNumber !== undefined) followPly(view, shownNumber, shownPly);
    else {
      goToPly(view, shownPly);
      view.onShow = () => keepPly(view.count);
      view.actions.append(drawPicker(take));
    }
    holder.className = "";
    refill(holder, page.node);
  };
  const take = (/** @type {File} */ file) =>
    readFile(file, (events) => {
      shownNumber = undefined;
      shownPly = undefined;
      keepReplay(events);
      // After a reload, this address shows the file again.
      history.replaceState(null, "", "#/replay");
      show(events);
    });
  if (shown) show(shown);
  else {
    holder.className = "narrow";
    refill(holder, drawDropZone(take));
  }
  // A report has no server to read files.
  const drops = isStandalone() ? null : acceptDrops(holder, take);
  return {
    title: given ? "" : text("replay.open"),
    node: holder,
    renew: () => openPage({ site, events: shown, number: shownNumber, ply: page === null ? undefined : String(page.view.count) }),
    close: () => {
      drops?.abort();
      page?.close?.();
    },
  };
}

/**
 * Returns the page of a single position, for trying moves.
 * @param {{ line: string, jumps?: string, site: Site }} parameters
 * @returns {Page}
 */
export function positionPage({ line, jumps, site }) {
  const rule = jumps === "classroom" ? "classroom" : "official";
  try {
    const position = Position.fromLine(line, rule);
    const page = recordPage(site);
    const { size } = position;
    page.open([{ event: "game_started", names: [], size, jumps: rule, position: line, move_time: null }]);
    return { ...page, title: text("position.title") };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const heading = element("h1", { class: "visually-hidden" }, text("position.title"));
    const failure = element("p", { class: "failure", role: "alert" }, text("position.broken"));
    return { title: text("position.title"), node: element("div", { class: "narrow" }, heading, failure) };
  }
}

/**
 * Returns the page of a recorded game: step through it, try moves, share positions.
 * @param {Site} site
 * @param {string} [number] number of the game, if it is one of this site
 * @returns {Page & { view: GameView, lines: EngineLines | null, open: (events: GameEvent[]) => void }}
 */
export function recordPage(site, number) {
  const view = new GameView({ hasPlayersTogether: site.analysis, hasSeats: true });
  view.board.hasArrows = false;
  const lines = site.analysis ? new EngineLines((moves) => view.tryMoves(moves), view.board.surface) : null;
  if (lines !== null) {
    view.side.before(lines.element);
    view.findBest = () => lines.best;
    lines.onFound = () => view.showMarks();
  }
  view.board.onMove = (move) => view.tryMoves([move]);
  view.onChange = () => {
    const { position } = view;
    view.seats = position.isOver ? [] : [position.turn];
    lines?.show(position);
  };
  view.controls.element.append(saveButton(view, () => number ?? null), iconButton("link", text("replay.share"), () => showLink(text("replay.link"), linkTo(view))));
  return {
    title: "",
    node: view.element,
    view,
    lines,
    open: (events) => view.reset(events, { atStart: new Game(events).result !== null }),
    close: () => {
      lines?.close();
      view.close();
    },
  };
}

/** @param {GameView} view */
function linkTo(view) {
  const { position } = view;
  const words = ["position", position.toLine(), ...(position.jumps === "official" ? [] : [position.jumps])];
  return new URL(`#/${words.map(encodeURIComponent).join("/")}`, location.href).href;
}

/** @param {(file: File) => void} take */
function drawDropZone(take) {
  return element(
    "div",
    { class: "card drop-zone" },
    drawIcon("open"),
    element("h1", {}, text("replay.open")),
    element("p", {}, text("replay.drop")),
    drawPicker(take, "primary"),
  );
}

/** @param {(file: File) => void} take @param {string} [kind] */
function drawPicker(take, kind = "") {
  const picker = element("input", {
    type: "file",
    class: "visually-hidden",
    id: "replay-file",
    on: {
      change: (/** @type {Event} */ event) => {
        const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
        if (file) take(file);
      },
    },
  });
  return element("span", { class: "picker" }, picker, element("label", { class: `button ${kind}`, for: "replay-file" }, text("replay.choose")));
}

/**
 * Accepts files dropped anywhere on the page, until the returned controller is aborted.
 * @param {HTMLElement} zone element that shows that a file may be dropped
 * @param {(file: File) => void} take
 */
function acceptDrops(zone, take) {
  const drops = new AbortController();
  const { signal } = drops;
  const page = document.documentElement;
  page.addEventListener(
    "dragover",
    (event) => {
      event.preventDefault();
      zone.classList.add("dragged-over");
    },
    { signal },
  );
  page.addEventListener("dragleave", () => zone.classList.remove("dragged-over"), { signal });
  page.addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      zone.classList.remove("dragged-over");
      const file = event.dataTransfer?.files[0];
      if (file) take(file);
    },
    { signal },
  );
  return drops;
}

/**
 * @param {File} file
 * @param {(events: GameEvent[]) => void} use
 */
async function readFile(file, use) {
  if (file.size > LARGEST) {
    notify(text("replay.too_large"));
    return;
  }
  try {
    use((await readReplay(await file.arrayBuffer())).events);
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error));
  }
}
