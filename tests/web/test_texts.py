"""Every sentence that the server can make of phrases has a text in every language, with the same values."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from string import Formatter

import pytest

from quoridor_net.outcome import Termination
from quoridor_net.phrases import Phrase

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "quoridor_net" / "web" / "static" / "texts"
LANGUAGES = sorted(path.stem for path in TEXTS.glob("*.json"))


def families() -> dict[str, type[Phrase]]:
    """Return all lists of phrases, by what their codes begin with."""
    for path in (ROOT / "quoridor_net").rglob("*.py"):
        # To import all others would compile kernels.
        if "(Phrase):\n" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    # Tests may have lists of their own.
    found = [each for each in Phrase.__subclasses__() if each.__module__.startswith("quoridor_net.")]
    return {next(iter(family)).code.partition(".")[0]: family for family in found}


def texts_of(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))
    return found


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def said_by_the_server() -> dict[str, str]:
    """Return the English of every phrase by its key in the files of texts."""
    phrases = [phrase for family in families().values() for phrase in family]
    return {
        key: text
        for phrase in phrases
        for key, text in zip((phrase.code, f"{phrase.code}.one"), phrase.texts, strict=False)
    }


def test_there_are_languages_and_lists_of_phrases() -> None:
    assert LANGUAGES == ["de", "en"]
    assert set(families()) == {
        "address",
        "column",
        "fact",
        "file",
        "placement",
        "reason",
        "record",
        "refusal",
        "requirement",
        "verdict",
    }
    assert len(said_by_the_server()) > 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_a_text_with_its_values_and_no_text_is_left_over(language: str) -> None:
    texts, phrases = texts_of(language), said_by_the_server()
    names = set(families())
    assert {key for key in texts if key.partition(".")[0] in names} == set(phrases)
    for key, english in phrases.items():
        assert places(texts[key]) == places(english), key
        assert texts[key].strip(), key


def test_english_pages_say_what_terminals_say() -> None:
    texts = texts_of("en")
    said = said_by_the_server()
    assert {key: texts[key] for key in said} == said


def test_german_pages_say_it_in_german() -> None:
    german, said = texts_of("de"), said_by_the_server()
    # Those that only put others together are the same in every language.
    alike = {key for key, english in said.items() if german[key] == english}
    assert all(not re.search("[a-z]", re.sub(r"\{\w+\}", "", said[key])) for key in alike), alike


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_termination_has_a_text_and_no_other(language: str) -> None:
    found = {key for key in texts_of(language) if key.startswith("termination.")}
    assert found == {f"termination.{termination}" for termination in Termination}
