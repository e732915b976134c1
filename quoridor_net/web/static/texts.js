// Every text that people read, by key, in the language they chose.

/** @type {Record<string, string>} */
let texts = {};

/**
 * Takes `loaded` as the texts from now on.
 * @param {Record<string, string>} loaded
 */
export function setTexts(loaded) {
  texts = loaded;
}

/**
 * Returns the text of `key`, with `{name}` replaced by `values.name`. Where `values.count` is 1, the text of
 * `key.one` is taken if there is one.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function text(key, values = {}) {
  const single = values.count === 1 ? texts[`${key}.one`] : undefined;
  const found = single ?? texts[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
