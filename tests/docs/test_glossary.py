"""The glossary defines each term once, briefly, and every term that pages refer to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, name_of, pages

PAGE = DOCS / "glossary.md"
ENTRIES = dict(re.findall(r"^\| \*\*(.+)\*\* \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
#: Terms of the field that readers of the code meet.
NEEDED = [
    "accumulator",
    "anchor",
    "aspiration window",
    "Buchholz",
    "controller",
    "crosstable",
    "display client",
    "Elo",
    "engine",
    "forfeit",
    "FPU",
    "history heuristic",
    "jump rule",
    "killer move",
    "LMR",
    "MCTS",
    "move server",
    "NNUE",
    "null window",
    "opening",
    "paired openings",
    "pentanomial",
    "perft",
    "playout",
    "ply",
    "principal variation",
    "PUCT",
    "PVS",
    "referee",
    "role",
    "sans-I/O",
    "seat",
    "Sonneborn-Berger",
    "SPRT",
    "termination",
    "transposition table",
    "verdict",
    "virtual loss",
    "void game",
    "wall anchor",
]


def test_the_terms_of_the_field_are_defined() -> None:
    assert [term for term in NEEDED if term not in ENTRIES] == []


@pytest.mark.parametrize("term", ENTRIES)
def test_an_entry_has_one_or_two_sentences(term: str) -> None:
    text = " ".join(ENTRIES[term].split())
    assert text.endswith(".")
    assert len(re.findall(r"\.(?= [A-Z]|$)", text)) <= 2


def test_terms_are_in_alphabetical_order() -> None:
    assert list(ENTRIES) == sorted(ENTRIES, key=str.lower)


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_terms_referred_to_are_defined(page: Path) -> None:
    """A link to the glossary has a term as its text, or names the page."""
    referred = re.findall(r"\[([^\]]+)\]\([^)]*glossary\.md\)", page.read_text(encoding="utf-8"))
    known = {"glossary", "terms", *(term.lower() for term in ENTRIES)}
    words = [" ".join(text.lower().split()) for text in referred]
    assert [word for word in words if word not in known and word.removesuffix("s") not in known] == []
