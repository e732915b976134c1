"""The changelog is short enough to be read."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT

#: Words that are read in about two minutes.
TWO_MINUTES = 500


def test_every_release_is_read_in_two_minutes() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *releases = re.split(r"^## ", text, flags=re.MULTILINE)
    lengths = {release.splitlines()[0]: len(release.split()) for release in releases}
    assert lengths
    assert [name for name, words in lengths.items() if words > TWO_MINUTES] == []
