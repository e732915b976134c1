// Which page the address asks for: what stands behind its `#/`.

/**
 * A page that is shown.
 * @typedef {object} Page
 * @property {string} title
 * @property {HTMLElement} node
 * @property {() => void} [close] called when another page takes its place
 * @property {() => Page} [renew] makes the page anew with what the reader did to it; else its address makes it
 */
/** @typedef {(parameters: Record<string, string>) => Page | Promise<Page>} PageMaker */

export class Router {
  /**
   * @param {object} parts
   * @param {Record<string, PageMaker>} parts.routes by pattern, such as `games/:number`; `*` is for all others
   * @param {(page: Page) => void} parts.show
   */
  constructor({ routes, show }) {
    this.routes = Object.entries(routes).map(([pattern, make]) => ({ words: pattern.split("/"), make }));
    this.show = show;
    /** @type {Page | null} */
    this.page = null;
    this.turn = 0;
  }

  start() {
    globalThis.addEventListener("hashchange", () => this.refresh());
    return this.refresh();
  }

  /** Shows the page that the address asks for. */
  refresh() {
    const { make, parameters } = this.find(address());
    return this.open(() => make(parameters));
  }

  /** Shows the same page, made anew in another language. */
  renew() {
    const { renew } = this.page ?? {};
    return renew ? this.open(renew) : this.refresh();
  }

  /** @private @param {() => Page | Promise<Page>} make */
  async open(make) {
    const turn = ++this.turn;
    const page = await make();
    if (turn !== this.turn) {
      // Somebody has gone on to another page while this one was loaded.
      page.close?.();
      return;
    }
    this.page?.close?.();
    this.page = page;
    this.show(page);
  }

  /**
   * @private
   * @param {string[]} words
   */
  find(words) {
    for (const route of this.routes) {
      const parameters = matched(route.words, words);
      if (parameters !== null) return { make: route.make, parameters };
    }
    const other = this.routes.find((route) => route.words[0] === "*");
    if (other === undefined) throw new RangeError("no page for this address");
    return { make: other.make, parameters: {} };
  }
}

/** The words of the address behind `#/`. */
export function address() {
  return location.hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter((word) => word !== "")
    .map(decoded);
}

/** @param {string} word */
function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/**
 * @param {string[]} pattern
 * @param {string[]} words
 * @returns {Record<string, string> | null}
 */
function matched(pattern, words) {
  const wanted = pattern.filter((word) => word !== "");
  if (wanted.length !== words.length) return null;
  /** @type {Record<string, string>} */
  const parameters = {};
  for (const [index, word] of wanted.entries()) {
    if (word.startsWith(":")) parameters[word.slice(1)] = words[index];
    else if (word !== words[index]) return null;
  }
  return parameters;
}
