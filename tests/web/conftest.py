"""Fixtures for tests of pages in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.patience import PAGE_PATIENCE

if TYPE_CHECKING:
    # Playwright is optional; without it, the tests of pages are skipped.
    from playwright.sync_api import Browser, BrowserContext


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start a browser for the tests of this folder."""
    from playwright.sync_api import expect

    from tests.support.chromium import start_chromium

    expect.set_options(timeout=1000 * PAGE_PATIENCE)
    with start_chromium() as started:
        yield started


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Open a browser context, and check that its pages have no errors."""
    from tests.support.chromium import open_window

    with open_window(browser) as window:
        yield window
