// Starts the application: loads the description of the site, and shows the page of the address.

import { analysisPage } from "./analysis.js";
import { element, iconButton, refill, update } from "./dom.js";
import { puzzlePage, rulesPage } from "./exercises.js";
import { joinPage } from "./join.js";
import { entrantPage } from "./league.js";
import { newGamePage } from "./new_game.js";
import { turnPage } from "./notice.js";
import { playPage } from "./play.js";
import { projectorPage } from "./projector.js";
import { openPage, positionPage, replayPage } from "./replay.js";
import { Router, address } from "./router.js";
import { loadSettings, onSettings, setDefaults, settings } from "./settings.js";
import { openSettings, translateSettings } from "./settings_dialog.js";
import { RefusedError, isStandalone, loadSite, loadTexts } from "./source.js";
import { signupPage } from "./signup.js";
import { onSignup } from "./standing.js";
import { setTexts, text } from "./texts.js";
import { tournamentPage } from "./tournament.js";
import { gamePage, watchPage } from "./watch.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {import("./router.js").PageMaker} PageMaker */
/** @typedef {import("./source.js").Site} Site */

/**
 * Returns the pages by address; the home page depends on the kind of site.
 * @param {Site} site
 * @returns {Record<string, PageMaker>}
 */
function routesOf(site) {
  /** @type {Record<Site["mode"], PageMaker>} */
  const homes = {
    watch: watchPage,
    play: (parameters) => (site.defaults ? newGamePage({ ...parameters, site }) : watchPage(parameters)),
    tournament: tournamentPage,
    replay: (parameters) => replayPage({ ...parameters, site }),
    analysis: (parameters) => analysisPage({ ...parameters, site }),
  };
  /** @type {PageMaker} */
  const game = ({ number, ply }) => {
    if (!/^\d{1,9}$/.test(number)) return absentPage(text("game.missing"), site);
    if (site.mode === "analysis") return analysisPage({ number, ply, site });
    return site.mode === "replay" ? replayPage({ number, ply, site }) : gamePage({ number, ply, site });
  };
  const seat = (/** @type {string} */ token) => playPage({ token, canStart: site.defaults !== undefined, canAnalyse: site.analysis, url: site.url });
  const noGame = () => absentPage(text("absent.join"), site);
  const whereTournament = (/** @type {PageMaker} */ page) => (site.mode === "tournament" ? page : () => absentPage(text("absent.tournament"), site));
  return {
    "games/:number": game,
    "games/:number/:ply": game,
    "boards/:number": ({ number }) => (/^\d{1,9}$/.test(number) ? watchPage({ board: number }) : absentPage(text("game.missing"), site)),
    "seat/:token": ({ token }) => (/^\d{1,9}-/.test(token) ? seat(token) : noGame()),
    "join/:token": site.defaults ? joinPage : noGame,
    "entrants/:number": whereTournament(entrantPage),
    projector: whereTournament(projectorPage),
    signup: whereTournament(signupPage),
    "signup/:token": whereTournament(signupPage),
    replay: () => openPage({ site }),
    learn: rulesPage,
    "learn/:number": rulesPage,
    puzzles: puzzlePage,
    "puzzles/:number": puzzlePage,
    "position/:line": ({ line }) => positionPage({ line, site }),
    "position/:line/:jumps": ({ line, jumps }) => positionPage({ line, jumps, site }),
    "": homes[site.mode],
    "*": () => absentPage(text("absent.page"), site),
  };
}

/**
 * Returns the page of something that this site does not have.
 * @param {string} sentence the reason
 * @param {Site} site
 * @returns {Page}
 */
function absentPage(sentence, site) {
  const [[place, key]] = linksOf(site);
  const home = element("a", { class: "button primary", href: `#/${place}` }, text(key));
  return { title: sentence, node: element("div", { class: "narrow" }, element("div", { class: "card absent" }, element("h1", {}, sentence), home)) };
}

/**
 * Returns the links of the header: addresses, and the keys of their texts.
 * @param {Site} site
 */
function linksOf(site) {
  /** @type {[string, string][]} */
  const links = [["", site.mode === "play" && !site.defaults ? "nav.watch" : `nav.${site.mode}`]];
  // A report is not live, and has no server to read files.
  if (isStandalone()) return links;
  if (site.mode === "replay" || site.mode === "analysis" || site.mode === "play") links.push(["replay", "nav.open"]);
  if (site.mode === "play" && site.defaults) links.push(["learn", "nav.learn"], ["puzzles", "nav.puzzles"]);
  if (site.mode === "tournament") links.push(["projector", "nav.projector"]);
  if (site.signup) links.push(["signup", "nav.signup"]);
  return links;
}

/** @param {Site} site */
function drawHeader(site) {
  const links = linksOf(site).map(([place, key]) => element("a", { href: `#/${place}` }, text(key)));
  return element(
    "header",
    { class: "site" },
    element("a", { class: "brand", href: "#/" }, element("span", { class: "brand-mark", "aria-hidden": "true" }), site.title),
    links.length > 1 && element("nav", { "aria-label": text("nav.label") }, ...links),
    element("span", { class: "space" }),
    iconButton("settings", text("settings.title"), openSettings, { class: "open-settings" }),
  );
}

/**
 * Redraws a header. Its elements stay, so that focus returns to the button of the settings when they are closed.
 * @param {HTMLElement} header
 * @param {Site} site
 */
function redraw(header, site) {
  update(header, ...drawHeader(site).childNodes);
  markLink(header);
}

/**
 * Marks the link of the current page.
 * @param {HTMLElement} header
 */
function markLink(header) {
  for (const link of header.querySelectorAll("nav a")) {
    // The page of an exercise belongs to the link of all exercises.
    const isHere = link.getAttribute("href") === `#/${address()[0] ?? ""}`;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

async function start() {
  loadSettings();
  const [site, texts] = await Promise.all([loadSite(), loadTexts(settings().language)]);
  setTexts(texts);
  setDefaults({ notation: site.notation });
  const outlet = element("main", { id: "main", tabindex: "-1" });
  let movesFocus = false;
  const header = drawHeader(site);
  const router = new Router({
    routes: routesOf(site),
    fail: (error) => {
      if (error instanceof RefusedError) return absentPage(error.message, site);
      throw error;
    },
    show: (/** @type {Page} */ page) => {
      document.title = page.title === "" ? site.title : `${page.title} · ${site.title}`;
      turnPage();
      refill(outlet, page.node);
      markLink(header);
      // Screen readers continue at the start of another page.
      if (movesFocus) outlet.focus({ preventScroll: true });
      movesFocus = true;
    },
  });
  const skip = element("a", { class: "skip", href: "#main", on: { click: (/** @type {Event} */ event) => { event.preventDefault(); outlet.focus(); } } }, text("nav.skip"));
  refill(document.body, skip, header, outlet);
  onSignup((isOpen) => {
    if (site.signup === isOpen) return;
    site.signup = isOpen;
    redraw(header, site);
  });
  onSettings(async (chosen, changed) => {
    if (changed.language === undefined) return;
    setTexts(await loadTexts(chosen.language));
    redraw(header, site);
    skip.textContent = text("nav.skip");
    translateSettings();
    movesFocus = false;
    await router.renew();
  });
  await router.start();
}

start().catch((error) => {
  refill(document.body, element("p", { class: "failure", role: "alert" }, String(error.message ?? error)));
});
