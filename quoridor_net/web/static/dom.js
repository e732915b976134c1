// Creates elements. Strings become text nodes, so that text from the network is never parsed as markup.

/** @typedef {Node | string | null | undefined | false} Child */
/**
 * Attributes of an element; `on` holds listeners by event.
 * @typedef {{ [name: string]: any, class?: string | null, on?: Record<string, (event: any) => void> }} Attributes
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns a new element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes] `null` and `false` are left out, `true` is an empty attribute
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(.../** @type {(Node | string)[]} */ (children.filter(isShown)));
  return made;
}

/**
 * Returns a new SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  setAttributes(made, attributes);
  made.append(.../** @type {(Node | string)[]} */ (children.filter(isShown)));
  return made;
}

/**
 * Returns a button.
 * @param {string} label what it says
 * @param {() => void} press
 * @param {Attributes} [attributes]
 */
export function button(label, press, attributes = {}) {
  return element("button", { type: "button", on: { click: press }, ...attributes }, label);
}

/**
 * Returns a button that shows an icon, with its label as tooltip and for screen readers.
 * @param {string} icon the name of one of ICONS
 * @param {string} label
 * @param {() => void} press
 * @param {Attributes} [attributes]
 */
export function iconButton(icon, label, press, attributes = {}) {
  const own = { type: "button", "aria-label": label, title: label, on: { click: press } };
  return element("button", { ...own, ...attributes, class: `icon ${attributes.class ?? ""}` }, drawIcon(icon));
}

/** Icons as SVG paths in a square of 24 units. @type {Record<string, string>} */
const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  turn: "M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5",
  paths: "M5 19v-6h7V5h7M16 2l3 3-3 3",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  settings: "M4 7h9M19 7h1M4 17h1M11 17h9M13 7a3 3 0 1 0 6 0 3 3 0 0 0-6 0M5 17a3 3 0 1 0 6 0 3 3 0 0 0-6 0",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  open: "M12 16V5M7 9l5-5 5 5M5 20h14",
  full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  mistake_back: "M14 5l-7 7 7 7M20 5v9M20 19v.1",
  mistake_forward: "M10 5l7 7-7 7M4 5v9M4 19v.1",
  close: "M6 6l12 12M18 6L6 18",
  accept: "M5 13l5 5L19 7",
};

/**
 * Returns the drawing of an icon.
 * @param {string} name
 */
export function drawIcon(name) {
  return svgElement(
    "svg",
    { viewBox: "0 0 24 24", class: "icon-drawing", "aria-hidden": "true" },
    svgElement("path", { d: ICONS[name] }),
  );
}

/**
 * Replaces everything in `parent` by `children`.
 * @param {Element} parent
 * @param {...Child} children
 */
export function refill(parent, ...children) {
  parent.replaceChildren(.../** @type {(Node | string)[]} */ (children.filter(isShown)));
}

/**
 * Writes `sentence` into `holder`. Writing the same again would lay the page out again.
 * @param {Element} holder
 * @param {string} sentence
 */
export function setText(holder, sentence) {
  if (holder.textContent !== sentence) holder.textContent = sentence;
}

/**
 * Changes `parent` by `change`. Focus in it goes to `other` from an element that goes or takes no focus any more.
 * @param {Element} parent
 * @param {HTMLElement} other
 * @param {() => void} change
 */
export function keepFocus(parent, other, change) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  change();
  if (focused !== null && (focused.matches(":disabled") || !focused.checkVisibility({ visibilityProperty: true }))) other.focus({ preventScroll: true });
}

/**
 * Makes `children` the content of `parent`. Those that are there already stay untouched, so that a press on them counts.
 * Focus goes to `other` as in `keepFocus`.
 * @param {Element} parent
 * @param {HTMLElement} other
 * @param {...(Element | false)} children
 */
export function arrange(parent, other, ...children) {
  keepFocus(parent, other, () => place(parent, children.filter((child) => child !== false)));
}

/**
 * Makes the content of `parent` look like `children`. Elements that are there stay, one with a `data-key` also in another
 * place, and with them focus, selection and presses.
 * @param {Element} parent
 * @param {...(ChildNode | null | undefined | false)} children
 */
export function update(parent, ...children) {
  const nameOf = (/** @type {ChildNode} */ node) => `${node.nodeName} ${/** @type {HTMLElement} */ (node).dataset?.key}`;
  /** @type {Map<string, ChildNode[]>} */
  const old = new Map();
  for (const node of parent.childNodes) old.set(nameOf(node), [...(old.get(nameOf(node)) ?? []), node]);
  const kept = /** @type {ChildNode[]} */ (children.filter(isShown)).map((node) => {
    const here = old.get(nameOf(node))?.shift();
    if (here === undefined) return node;
    if (here.isEqualNode(node)) return here;
    if (!(here instanceof Element && node instanceof Element)) here.nodeValue = node.nodeValue;
    else {
      for (const name of new Set([...here.getAttributeNames(), ...node.getAttributeNames()])) {
        const value = node.getAttribute(name);
        if (value === null) here.removeAttribute(name);
        else if (value !== here.getAttribute(name)) here.setAttribute(name, value);
      }
      update(here, ...node.childNodes);
    }
    return here;
  });
  place(parent, kept);
}

/**
 * Makes `nodes` the content of `parent`, and moves the others around one with the focus, a press or the selection.
 * @param {Element} parent
 * @param {ChildNode[]} nodes
 */
function place(parent, nodes) {
  const kept = new Set(nodes);
  for (const node of [...parent.childNodes]) if (!kept.has(node)) node.remove();
  const isUsed = (/** @type {ChildNode} */ node) => node instanceof Element && (node.matches(":active, :focus-within") || getSelection()?.containsNode(node, true));
  const used = Math.max(nodes.findIndex(isUsed), 0);
  if (nodes.length > 0 && nodes[used].parentNode !== parent) parent.prepend(nodes[used]);
  for (let index = used - 1; index >= 0; index--) if (nodes[index].nextSibling !== nodes[index + 1]) nodes[index + 1].before(nodes[index]);
  for (let index = used + 1; index < nodes.length; index++) if (nodes[index].previousSibling !== nodes[index - 1]) nodes[index - 1].after(nodes[index]);
}

/** Time before new buttons take clicks, in milliseconds: the reader aimed at something else. */
const SETTLING = 500;

/**
 * Makes `part` take no clicks until the reader can have seen it.
 * @param {HTMLElement} part
 * @param {() => void} [onSettled]
 */
export function settle(part, onSettled = () => {}) {
  part.inert = true;
  setTimeout(() => {
    part.inert = false;
    onSettled();
  }, SETTLING);
}

/** @param {Child} child */
function isShown(child) {
  return child !== null && child !== undefined && child !== false;
}

/**
 * @param {Element} made
 * @param {Attributes} attributes
 */
function setAttributes(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (value === true) {
      made.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, String(value));
    }
  }
}
