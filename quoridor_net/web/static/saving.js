// Saving a game as a file, and the shown position as a picture.

import { button, element, iconButton } from "./dom.js";
import { isStandalone } from "./source.js";
import { text } from "./texts.js";

/** @typedef {import("./game_view.js").GameView} GameView */

/** Side of a picture in pixels. */
const PICTURE_SIDE = 1200;

/** The properties that give the drawing its look; style sheets do not travel with a file. */
const LOOK = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity"],
  ...["paint-order", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline", "transform"],
];

/**
 * Returns the button that opens the dialog for saving.
 * @param {GameView} view
 * @param {() => string | number | null} number returns that of the game on this site; null for a game from a file
 */
export function saveButton(view, number) {
  return iconButton("save", text("play.save"), () => openSaving(view, number()));
}

/** @param {GameView} view @param {string | number | null} number */
function openSaving(view, number) {
  const dialog = element("dialog", { class: "question saving", "aria-label": text("play.save") });
  const stem = `quoridor-${number ?? "game"}`;
  const close = () => dialog.close();
  const save = async (/** @type {"svg" | "png"} */ kind) => {
    close();
    const drawing = drawPicture(view.board.drawing);
    download(kind === "svg" ? addressOf(drawing) : await paint(drawing), `${stem}-${view.count}.${kind}`);
  };
  dialog.append(
    element("p", {}, text("play.save")),
    element(
      "div",
      { class: "actions" },
      number !== null &&
        !isStandalone() &&
        element("a", { class: "button", href: `games/${number}/replay.txt`, download: `${stem}.qtp`, on: { click: close } }, text("save.replay")),
      button(text("save.svg"), () => void save("svg")),
      button(text("save.png"), () => void save("png")),
      button(text("question.cancel"), close),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Returns a drawing of the board as a file, which needs no style sheet and shows no marks of the next move.
 * @param {import("./board_drawing.js").BoardDrawing} drawing the drawing on the page
 */
function drawPicture({ element: drawing, layers }) {
  const sheets = [...drawing.querySelectorAll("svg")];
  const originals = sheets.flatMap((sheet) => [...sheet.querySelectorAll("*")]);
  const copy = /** @type {SVGSVGElement} */ (sheets[0].cloneNode());
  copy.append(...sheets.flatMap((sheet) => [...sheet.cloneNode(true).childNodes]));
  const dropped = [];
  for (const [index, node] of [...copy.querySelectorAll("*")].entries()) {
    const original = originals[index];
    if ([layers.steps, layers.hint, layers.preview].includes(/** @type {SVGGElement} */ (original))) dropped.push(node);
    const style = globalThis.getComputedStyle(original);
    const look = LOOK.map((name) => [name, style.getPropertyValue(name)]).filter(([, value]) => value !== "" && value !== "none");
    // Shapes are black and unframed unless a value says otherwise.
    if (style.fill === "none") look.push(["fill", "none"]);
    node.removeAttribute("class");
    node.removeAttribute("style");
    // Attributes, because the policy of the site forbids styles that scripts write into elements.
    for (const [name, value] of look) node.setAttribute(name, value);
  }
  for (const node of dropped) node.remove();
  const [, , width, height] = (copy.getAttribute("viewBox") ?? "0 0 1 1").split(" ");
  const frame = globalThis.getComputedStyle(document.documentElement).getPropertyValue("--frame");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  // `light-dark` is resolved where a colour is used.
  const sample = element("i");
  sample.style.color = frame;
  document.body.append(sample);
  for (const [name, value] of Object.entries({ width, height, rx: "12", fill: globalThis.getComputedStyle(sample).color })) ground.setAttribute(name, value);
  sample.remove();
  copy.prepend(ground);
  copy.removeAttribute("class");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(PICTURE_SIDE));
  copy.setAttribute("height", String(PICTURE_SIDE));
  return new globalThis.XMLSerializer().serializeToString(copy);
}

/** @param {string} drawing */
function addressOf(drawing) {
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

/**
 * Returns the address of a drawing as pixels.
 * @param {string} drawing
 */
async function paint(drawing) {
  const image = new globalThis.Image();
  image.src = addressOf(drawing);
  await image.decode();
  const canvas = element("canvas", { width: PICTURE_SIDE, height: PICTURE_SIDE });
  canvas.getContext("2d")?.drawImage(image, 0, 0, PICTURE_SIDE, PICTURE_SIDE);
  return canvas.toDataURL("image/png");
}

/** @param {string} address @param {string} name */
function download(address, name) {
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}
