// Shows the page for the part of the address after `#/`.

/**
 * A page.
 * @typedef {object} Page
 * @property {string} title
 * @property {HTMLElement} node
 * @property {() => void} [close] called when another page replaces it
 * @property {() => Page} [renew] rebuilds the page with its state; without it, the page is rebuilt from its address
 */
/** @typedef {(parameters: Record<string, string>) => Page | Promise<Page>} PageMaker */

export class Router {
  /**
   * @param {object} parts
   * @param {Record<string, PageMaker>} parts.routes by pattern, such as `games/:number`; `*` matches all others
   * @param {(page: Page) => void} parts.show
   * @param {(error: unknown) => Page} parts.fail returns the page in place of one that cannot be made, or throws
   */
  constructor({ routes, show, fail }) {
    this.routes = Object.entries(routes).map(([pattern, make]) => ({ words: pattern.split("/"), make }));
    this.show = show;
    this.fail = fail;
    /** @type {Page | null} */
    this.page = null;
    this.turn = 0;
  }

  start() {
    globalThis.addEventListener("hashchange", () => this.refresh());
    return this.refresh();
  }

  /** Shows the page of the current address. */
  refresh() {
    const { make, parameters } = this.find(address());
    return this.open(() => make(parameters));
  }

  /** Rebuilds the page in another language. */
  renew() {
    const { renew } = this.page ?? {};
    return renew ? this.open(renew) : this.refresh();
  }

  /** @private @param {() => Page | Promise<Page>} make */
  async open(make) {
    const turn = ++this.turn;
    const page = await this.attempt(make);
    if (turn !== this.turn) {
      // The reader opened another page while this one was loading.
      page.close?.();
      return;
    }
    this.page?.close?.();
    this.page = page;
    this.show(page);
  }

  /** @private @param {() => Page | Promise<Page>} make */
  async attempt(make) {
    try {
      return await make();
    } catch (error) {
      return this.fail(error);
    }
  }

  /**
   * @private
   * @param {string[]} words
   */
  find(words) {
    for (const route of this.routes) {
      const parameters = matchWords(route.words, words);
      if (parameters !== null) return { make: route.make, parameters };
    }
    const other = this.routes.find((route) => route.words[0] === "*");
    if (other === undefined) throw new RangeError("no page for this address");
    return { make: other.make, parameters: {} };
  }
}

/** Returns the words of the address after `#/`. */
export function address() {
  return location.hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter((word) => word !== "")
    .map(decodeWord);
}

/** @param {string} word */
function decodeWord(word) {
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
function matchWords(pattern, words) {
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
