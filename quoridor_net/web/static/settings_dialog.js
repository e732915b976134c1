// The dialog with the reader's settings.

import { button, element, refill } from "./dom.js";
import { CHOICES, changeSettings, settings } from "./settings.js";
import { text } from "./texts.js";

/** @typedef {import("./settings.js").Settings} Settings */

/** Opens the dialog, which removes itself when closed. */
export function openSettings() {
  const dialog = element("dialog", { class: "settings", "aria-labelledby": "settings-title" });
  fill(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Redraws an open dialog in the newly selected language. */
export function translateSettings() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.settings"));
  if (dialog === null) return;
  fill(dialog);
  /** @type {HTMLElement | null} */ (dialog.querySelector("[name=language]:checked"))?.focus();
}

/** @param {HTMLDialogElement} dialog */
function fill(dialog) {
  refill(
    dialog,
    element(
      "form",
      { method: "dialog" },
      element("h2", { id: "settings-title" }, text("settings.title")),
      ...["theme", "language", "notation"].map((name) => drawChoice(/** @type {keyof Settings} */ (name))),
      drawSwitch("large"),
      drawSwitch("paths"),
      drawSwitch("confirm"),
      drawSwitch("sounds"),
      element("div", { class: "actions" }, button(text("settings.close"), () => dialog.close(), { class: "primary" })),
    ),
  );
}

/** @param {keyof Settings} name */
function drawChoice(name) {
  const now = settings()[name];
  return element(
    "fieldset",
    { class: "choice" },
    element("legend", {}, text(`settings.${name}`)),
    ...CHOICES[name].map((value) =>
      element(
        "label",
        {},
        element("input", {
          type: "radio",
          name,
          value,
          checked: value === now,
          on: { change: () => changeSettings({ [name]: value }) },
        }),
        element("span", {}, text(`settings.${name}.${value}`)),
      ),
    ),
  );
}

/** @param {"large" | "paths" | "confirm" | "sounds"} name */
function drawSwitch(name) {
  return element(
    "label",
    { class: "switch" },
    element("input", {
      type: "checkbox",
      name,
      checked: settings()[name],
      on: { change: (/** @type {Event} */ event) => changeSettings({ [name]: /** @type {HTMLInputElement} */ (event.target).checked }) },
    }),
    element("span", {}, text(`settings.${name}`)),
  );
}
