// All texts of the pages, by key, in the selected language.

/** @type {Record<string, string>} */
let texts = {};

/**
 * Replaces all texts.
 * @param {Record<string, string>} loaded
 */
export function setTexts(loaded) {
  texts = loaded;
}

/**
 * Returns the text of `key`, with `{name}` replaced by `values.name`. If `values.count` is 1, uses the text of
 * `key.one` if it exists.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function text(key, values = {}) {
  const single = values.count === 1 ? texts[`${key}.one`] : undefined;
  const found = single ?? texts[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
