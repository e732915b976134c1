"""The browser in which pages are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    # It comes with an extra; tests of pages are skipped where it is missing.
    from playwright.sync_api import Browser, BrowserContext


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser, for the tests of a module."""
    from tests.support.chromium import chromium

    with chromium() as started:
        yield started


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A window of its own, whose pages have no errors."""
    from tests.support.chromium import opened

    with opened(browser) as window:
        yield window
