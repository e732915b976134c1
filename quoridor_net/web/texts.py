"""The texts of the pages by language: those of the pages alone, and those of all phrases."""

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
from quoridor_net.tournament.requirements import AwaitedPhrase, RequirementPhrase
from quoridor_net.tournament.results import FactPhrase
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.refusals import RefusalPhrase

#: Supported languages; the phrases in the code are in the first.
LANGUAGES = ("en", "de")

#: All enums of phrases. They hold the English texts; the file of each other language holds its translations.
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
    AwaitedPhrase,
    VerdictPhrase,
)

_FOLDER = Path(__file__).parent / "static" / "texts"


def phrases() -> dict[str, str]:
    """Return the English texts of all phrases by key; keys of texts for a count of 1 end in ``.one``."""
    return {
        key: text
        for family in FAMILIES
        for phrase in family
        for key, text in zip((phrase.code, f"{phrase.code}.one"), phrase.texts, strict=False)
    }


def texts_of(language: str) -> dict[str, str]:
    """Return all texts of one of :data:`LANGUAGES`, by key."""
    texts = phrases() if language == LANGUAGES[0] else {}
    texts |= json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return texts
