"""The texts of the pages, by language: what pages alone say, and the sentences of the phrases."""

from __future__ import annotations

import json
from pathlib import Path

from quoridor_net.net.endpoint import AddressPhrase
from quoridor_net.notation.position_line import PlacementPhrase
from quoridor_net.phrases import Phrase
from quoridor_net.replay.errors import RecordPhrase
from quoridor_net.rules.reasons import ReasonPhrase
from quoridor_net.text_file import FilePhrase
from quoridor_net.tournament.columns import ColumnPhrase
from quoridor_net.tournament.requirements import RequirementPhrase
from quoridor_net.tournament.results import FactPhrase
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.refusals import RefusalPhrase

#: The first is that of the phrases.
LANGUAGES = ("en", "de")

#: All lists of phrases. Their English stands in them alone, and every other language in its file.
FAMILIES: tuple[type[Phrase], ...] = (
    AddressPhrase,
    ColumnPhrase,
    FactPhrase,
    FilePhrase,
    PlacementPhrase,
    ReasonPhrase,
    RecordPhrase,
    RefusalPhrase,
    RequirementPhrase,
    VerdictPhrase,
)

_FOLDER = Path(__file__).parent / "static" / "texts"


def phrases() -> dict[str, str]:
    """Return the English of all phrases by key; that of a text for a count of 1 ends in ``.one``."""
    return {
        key: text
        for family in FAMILIES
        for phrase in family
        for key, text in zip((phrase.code, f"{phrase.code}.one"), phrase.texts, strict=False)
    }


def texts_of(language: str) -> dict[str, str]:
    """Return all texts in one of :data:`LANGUAGES`, by key."""
    texts = phrases() if language == LANGUAGES[0] else {}
    texts |= json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return texts
