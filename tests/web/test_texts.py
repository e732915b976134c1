"""Every phrase of the server has a text in every language, with the same values."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from string import Formatter

import pytest

from quoridor_net.outcome import Termination
from quoridor_net.phrases import Phrase
from quoridor_net.tournament.formats import FORMATS
from quoridor_net.web.live import LiveGame
from quoridor_net.web.sites import watch
from quoridor_net.web.texts import FAMILIES, LANGUAGES, phrases, texts_of
from tests.support.browser import Browser, in_memory

ROOT = Path(__file__).parents[2]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_pages_know_every_enum_of_phrases() -> None:
    for path in (ROOT / "quoridor_net").rglob("*.py"):
        # Importing all modules would compile kernels.
        if "(Phrase):\n" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    # Tests may define more enums.
    found = {each for each in Phrase.__subclasses__() if each.__module__.startswith("quoridor_net.")}
    assert found == set(FAMILIES)
    assert len(phrases()) > 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_a_text_with_its_values_and_no_text_is_unused(language: str) -> None:
    texts, said = texts_of(language), phrases()
    names = {key.partition(".")[0] for key in said}
    assert {key for key in texts if key.partition(".")[0] in names} == set(said)
    for key, english in said.items():
        assert places(texts[key]) == places(english), key
        assert texts[key].strip(), key


def test_english_pages_use_the_texts_of_terminals() -> None:
    assert phrases().items() <= texts_of("en").items()


def test_german_texts_differ_from_english_ones() -> None:
    german, said = texts_of("de"), phrases()
    # Texts that only join values, or add the symbol of a unit, are the same in every language.
    alike = {key for key, english in said.items() if german[key] == english}
    assert all(not re.search("[a-z]{2}", re.sub(r"\{\w+\}", "", said[key])) for key in alike), alike


def test_german_texts_address_the_reader_formally() -> None:
    informal = re.compile(r"\b(?:du|dich|dir|dein\w*|euch|euer|eure\w*)\b", re.IGNORECASE)
    assert [key for key, text in texts_of("de").items() if informal.search(text)] == []


async def test_pages_get_the_texts_of_both_languages() -> None:
    browser = Browser(in_memory(watch(LiveGame())))
    for language in LANGUAGES:
        answer = await browser.get(f"/texts/{language}.json")
        assert answer.headers["content-type"] == "application/json"
        assert json.loads(answer.body) == texts_of(language)
    assert (await browser.get("/texts/fr.json")).status == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_termination_has_a_text_and_no_other(language: str) -> None:
    found = {key for key in texts_of(language) if key.startswith("termination.")}
    assert found == {f"termination.{termination}" for termination in Termination}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_format_of_a_tournament_has_a_text_and_no_other(language: str) -> None:
    found = {key for key in texts_of(language) if key.startswith("format.")}
    assert found == {f"format.{name}" for name in FORMATS}
