// Temporary notices, and dialogs with a question or a link.

import { button, element, iconButton, settle } from "./dom.js";
import { text } from "./texts.js";

/** Duration of a notice, in milliseconds. */
const SHOWN = 6000;

/** Actions of the reader that dismiss a notice. */
const ACTIONS = ["click", "change", "drop", "keydown"];

/** Keys that only lead to the button that dismisses the notice. */
const PASSING = ["Tab", "Shift", "Control", "Alt", "Meta"];

/** Removes the notice, if there is one. */
let dismiss = () => {};

/** A notice that explains the page that opens next. @type {string | null} */
let kept = null;

/**
 * Shows `sentence` for a few seconds, at most until the reader's next action.
 * @param {string} sentence
 * @param {"refusal" | "news"} [kind]
 * @returns {() => void} removes the notice, once its cause is gone
 */
export function notify(sentence, kind = "refusal") {
  dismiss();
  const close = iconButton("close", text("notice.dismiss"), () => dismiss());
  settle(close);
  const notice = element("div", { class: `notice ${kind}` }, element("span", { role: "alert" }, sentence), close);
  const going = new AbortController();
  const end = () => {
    // Not while somebody reads it.
    if (notice.matches(":hover, :focus-within")) timer = setTimeout(end, SHOWN);
    else dismiss();
  };
  let timer = setTimeout(end, SHOWN);
  const remove = () => {
    clearTimeout(timer);
    going.abort();
    notice.remove();
  };
  dismiss = remove;
  const act = (/** @type {Event} */ event) => {
    const { key = "" } = /** @type {{ key?: string }} */ (event);
    const isElsewhere = !notice.contains(/** @type {Node} */ (event.target));
    if (key === "Escape" || (isElsewhere && !PASSING.includes(key))) dismiss();
  };
  // On the way down, so that it does not end a notice that the event causes.
  for (const name of ACTIONS) document.addEventListener(name, act, { capture: true, signal: going.signal });
  document.body.append(notice);
  return remove;
}

/**
 * Shows `sentence` when another page opens, which it explains.
 * @param {string} sentence
 */
export function notifyNext(sentence) {
  kept = sentence;
}

/** Removes what belongs to the last page: its notice, and its questions. */
export function turnPage() {
  dismiss();
  for (const dialog of document.querySelectorAll("dialog.question")) /** @type {HTMLDialogElement} */ (dialog).close();
  if (kept !== null) notify(kept, "news");
  kept = null;
}

/**
 * Asks for confirmation of an action that cannot be undone.
 * @param {string} question
 * @param {string} answer label of the button that runs the action
 * @param {() => void} act
 * @returns {() => void} closes the dialog, once its cause is gone
 */
export function confirmFirst(question, answer, act) {
  const dialog = element("dialog", { class: "question", "aria-label": question });
  const accept = () => {
    dialog.close();
    act();
  };
  dialog.append(
    element("p", {}, question),
    element(
      "div",
      { class: "actions" },
      button(text("question.cancel"), () => dialog.close(), { autofocus: true }),
      button(answer, accept, { class: "danger" }),
    ),
  );
  open(dialog);
  return () => dialog.close();
}

/**
 * Shows an address to copy, because only pages of secure sites can write to the clipboard themselves.
 * @param {string} title
 * @param {string} address
 */
export function showLink(title, address) {
  const [field, copy] = copyLink(title, address, () => dialog.close());
  const dialog = element(
    "dialog",
    { class: "question", "aria-label": title },
    element("p", {}, title),
    field,
    element(
      "div",
      { class: "actions" },
      copy,
      button(text("settings.close"), () => dialog.close()),
    ),
  );
  open(dialog);
  field.select();
}

/**
 * Returns a field with an address, and the button that copies it if the page can do that.
 * @param {string} title
 * @param {string} address
 * @param {() => void} [onCopied]
 * @returns {[HTMLInputElement, HTMLButtonElement | false]}
 */
export function copyLink(title, address, onCopied = () => {}) {
  const select = () => field.select();
  const field = element("input", { type: "text", readonly: true, value: address, "aria-label": title, on: { focus: select } });
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    onCopied();
    notify(text("link.copied"), "news");
  };
  return [field, navigator.clipboard !== undefined && button(text("link.copy"), copy, { class: "primary" })];
}

/** @param {HTMLDialogElement} dialog */
function open(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
