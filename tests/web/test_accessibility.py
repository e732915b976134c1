"""Axe-core finds no fault on any page of the gallery, in both themes, on a laptop and on a phone.

The pages of tournaments, besides those of leagues, are tested with the others of tournaments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from urllib.parse import urljoin

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Page  # noqa: E402

from docs.diagrams.gallery import PICTURES, Picture, visit  # noqa: E402
from docs.diagrams.gallery_sites import SITES  # noqa: E402
from tests.support.chromium import AXE, faults, new_window  # noqa: E402
from tests.support.installed_chromium import MISSING  # noqa: E402
from tests.support.site import serve_site  # noqa: E402

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
    pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (npm ci)"),
]

_ELSEWHERE = {
    *("tournament", "finished", "swiss", "knockout", "four-player"),
    *("sign-up", "sign-up-closed", "report"),
}

_TESTED = [
    picture
    for picture in PICTURES
    if picture.site not in _ELSEWHERE and not picture.name.startswith("german")
]


@pytest.fixture(scope="module")
def url_of() -> Iterator[Callable[[str], str]]:
    """Return the address of a site of the gallery, which serves until the end of the module."""
    with ExitStack() as stack:
        yield cache(lambda name: stack.enter_context(serve_site(SITES[name])).url)


@pytest.fixture(scope="module")
def own_page(browser: Browser) -> Iterator[Page]:
    """Open the page that shows one picture after another: a new window takes longer than most pictures."""
    # Without the check for errors, because Chromium reports refusals as errors.
    context = new_window(browser)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(own_page: Page) -> Iterator[Page]:
    """Forget the settings of each picture at its end, and close the windows of its friends."""
    yield own_page
    own_page.evaluate("localStorage.clear(); sessionStorage.clear()")
    # Otherwise another fragment of the same site would load nothing. An empty page would end the process of
    # the site's pages, and starting another one takes as long as loading a page.
    own_page.goto(urljoin(own_page.url, "/icon.svg"))
    own_page.set_viewport_size({"width": 1280, "height": 800})
    browser = own_page.context.browser
    assert browser is not None
    for context in browser.contexts:
        if context != own_page.context:
            context.close()


@pytest.mark.parametrize("picture", _TESTED, ids=lambda picture: picture.name)
def test_axe_finds_no_fault(page: Page, url_of: Callable[[str], str], picture: Picture) -> None:
    visit(page, picture, url_of(picture.site))
    assert faults(page) == []
