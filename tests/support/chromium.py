"""The system's Chromium, driven by Playwright, for tests and pictures of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from tests.support.installed_chromium import CHROMIUM
from tests.support.patience import PAGE_PATIENCE

#: Finds accessibility faults in a page; installed with the JavaScript tools.
AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"

#: Every window starts two pages for the suggestions of its address bar and a process in reserve, which take
#: more processor time than a page of ours. The others are what Playwright turns off itself, because only the
#: last list counts.
_DISABLED_FEATURES = [
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]

_ARGUMENTS = [
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

#: The rules of axe-core to check in each colour scheme; all by default.
_RULES: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": {},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}

_LAPTOP, _PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)

#: Screens and colour schemes. Only one changes at a time, because the page is laid out or painted again.
_LOOKS: list[tuple[ViewportSize, Literal["light", "dark"]]] = [
    (_LAPTOP, "light"),
    (_LAPTOP, "dark"),
    (_PHONE, "dark"),
    (_PHONE, "light"),
]

#: Errors that a page reports when its site ends while the page still loads something.
_CLOSED = (
    "WebSocket connection",
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_CONTENT_LENGTH_MISMATCH",
)


@contextmanager
def start_chromium() -> Iterator[Browser]:
    """Start a browser, and close it with the context."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def new_window(browser: Browser, **options: Any) -> BrowserContext:
    """Open a separate window, whose pages may report errors, for example when a server is away.

    By default nothing moves on its pages, because a page that moves is painted all the time.
    """
    return browser.new_context(**{"reduced_motion": "reduce", "locale": "en-GB"} | options)


@contextmanager
def open_window(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    """Open a separate window, and fail if its pages report errors."""
    context = new_window(browser, **options)
    context.set_default_timeout(1000 * PAGE_PATIENCE)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on("dialog", lambda dialog: errors.append(dialog.message))
    context.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield context
    context.close()
    unexpected = [error for error in errors if not any(closed in error for closed in _CLOSED)]
    assert not unexpected, unexpected


def stop_clock(page: Page) -> None:
    """Stop the clock of ``page``, so that timers set from now on end only when a test moves it.

    A clock that is only installed runs by itself, and timers end too early on a slow machine.
    """
    page.clock.install(time=0)
    page.clock.pause_at(1_000)


def note_shifts(page: Page) -> None:
    """Record in ``shifts`` of the window what changes its place from now on.

    Its present content is painted first, because a shift counts in the frame that paints it.
    """
    page.evaluate(
        """async () => {
            const painted = () => new Promise(requestAnimationFrame);
            await painted();
            await painted();
            window.shifts = [];
            const say = ({ node, previousRect: a, currentRect: b }) =>
                `${node?.outerHTML?.slice(0, 60)}: ${[a.x, a.y, b.x, b.y].join(" ")}`;
            const note = list => {
                for (const { sources } of list.getEntries()) window.shifts.push(...sources.map(say));
            };
            new PerformanceObserver(note).observe({ type: "layout-shift" });
        }"""
    )


def faults(page: Page) -> list[str]:
    """Return the accessibility faults that axe-core finds on the page, on a laptop and on a phone.

    The dark scheme differs in nothing but colours, so only they are checked again in it. At the end, the page
    still has the size of the phone.
    """
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = []
    for screen, scheme in _LOOKS:
        page.set_viewport_size(screen)
        page.emulate_media(color_scheme=scheme)
        options = {"resultTypes": ["violations"], **_RULES[scheme]}
        answer = page.evaluate("options => axe.run(options)", options)
        found += [
            f"{scheme}: {fault['id']}: {fault['nodes'][0]['html'][:200]} "
            f"{fault['nodes'][0]['failureSummary'][:300]}"
            for fault in answer["violations"]
        ]
    return found
