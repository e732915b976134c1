"""The Chromium of the system. Without Playwright, which is not installed everywhere."""

from __future__ import annotations

import shutil

#: The shell, which has no windows to show, takes a fifth less processor time than a whole Chromium.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

#: The path of the first that is installed.
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)

#: Why tests that need it are skipped; empty if they can run.
MISSING = "" if CHROMIUM else "Chromium is not installed (make chromium installs Debian's)"
