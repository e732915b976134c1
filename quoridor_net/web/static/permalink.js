// The address of a ply of a recorded game, `#/games/3/17`, which follows the reader through the game.

/** @typedef {import("./game_view.js").GameView} GameView */

/** Delay before the address changes, in milliseconds: browsers limit such changes, and fetch the icon after each. */
const LINK_PAUSE = 1000;

/**
 * Shows the ply of an address, and then keeps the address at the shown ply.
 * @param {GameView} view a view of a recorded game
 * @param {string | number} number of the game
 * @param {string} [ply] of the address
 */
export function followPly(view, number, ply) {
  goToPly(view, ply);
  const show = view.onShow;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  view.onShow = () => {
    show();
    clearTimeout(timer);
    timer = setTimeout(() => {
      // The reader may have left for another page.
      if (view.element.isConnected) writePly(number, view.count);
    }, LINK_PAUSE);
  };
}

/**
 * Shows a ply, if `ply` is its number.
 * @param {GameView} view
 * @param {string} [ply]
 */
export function goToPly(view, ply) {
  if (ply !== undefined && /^\d{1,6}$/.test(ply)) view.goTo(Number(ply));
}

/** @param {string | number} number @param {number} count */
function writePly(number, count) {
  const place = `#/games/${number}/${count}`;
  if (location.hash === place) return;
  try {
    history.replaceState(null, "", place);
  } catch {
    // Pages without an address of their own, such as those in notebooks, cannot change it.
  }
}
