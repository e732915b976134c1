// Temporary notices, and dialogs with a question or a link.

import { button, element } from "./dom.js";
import { text } from "./texts.js";

/** Duration of a notice, in milliseconds. */
const SHOWN = 6000;

/**
 * Shows `sentence` for a few seconds.
 * @param {string} sentence
 * @param {"refusal" | "news"} [kind]
 */
export function notify(sentence, kind = "refusal") {
  document.querySelector(".notice")?.remove();
  const notice = element("div", { class: `notice ${kind}`, role: "alert" }, sentence);
  document.body.append(notice);
  setTimeout(() => notice.remove(), SHOWN);
}

/**
 * Asks for confirmation of an action that cannot be undone.
 * @param {string} question
 * @param {string} answer label of the button that runs the action
 * @param {() => void} act
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
