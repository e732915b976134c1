"""Phrases: sentences that are data besides."""

from __future__ import annotations

import enum
import pickle
from typing import Any

import pytest

from quoridor_net.phrases import MAX_DEPTH, Phrase, Translatable, phrase_of, place, text_of, translatable


@enum.unique
class SamplePhrase(Phrase):
    """Some sentences."""

    PLAIN = "resigned"
    WAITED = "waited for {count} years", "waited for {count} year"
    NUMBERED = "is number {count}"
    LATE = "came {seconds} s late"
    PLAYED = "played {move}, since it {did}"
    LISTED = "did not like {names}"


def test_a_phrase_is_its_english_and_data() -> None:
    said = SamplePhrase.WAITED(count=3)
    assert said == "waited for 3 years"
    assert phrase_of(said) == {"code": "sample.waited", "values": {"count": 3}}
    assert SamplePhrase.WAITED(count=1) == "waited for 1 year"
    assert phrase_of("waited for 3 years") is None
    assert phrase_of(Translatable("waited")) is None


def test_phrases_places_and_lists_stand_in_phrases() -> None:
    did = SamplePhrase.LISTED(names=("a", SamplePhrase.PLAIN()))
    said = SamplePhrase.PLAYED(move=place("e2", "(4, 1)"), did=did)
    assert said == "played e2, since it did not like a, resigned"
    assert phrase_of(said) == {
        "code": "sample.played",
        "values": {
            "move": {"place": "(4, 1)"},
            "did": {
                "code": "sample.listed",
                "values": {"names": ["a", {"code": "sample.plain", "values": {}}]},
            },
        },
    }


@pytest.mark.parametrize(("seconds", "written"), [(5.0, "5"), (0.25, "0.25"), (1 / 3, "0.333333"), (7, "7")])
def test_numbers_are_as_short_as_they_are_read(seconds: float, written: str) -> None:
    said = SamplePhrase.LATE(seconds=seconds)
    assert said == f"came {written} s late"
    assert phrase_of(said) == {"code": "sample.late", "values": {"seconds": float(written)}}


def test_a_phrase_without_a_singular_has_one_form() -> None:
    assert [SamplePhrase.NUMBERED(count=count) for count in (1, 2)] == ["is number 1", "is number 2"]


def test_values_are_not_formats() -> None:
    assert SamplePhrase.LATE(seconds="{did}") == "came {did} s late"


@pytest.mark.parametrize("values", [{}, {"second": 1}, {"seconds": 1, "count": 2}])
def test_other_values_are_mistakes(values: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="has the places"):
        SamplePhrase.LATE(**values)


def test_a_phrase_survives_pickling() -> None:
    said = SamplePhrase.WAITED(count=3)
    again = pickle.loads(pickle.dumps(said))
    assert (again, phrase_of(again)) == (said, phrase_of(said))


def test_the_message_of_an_error_is_kept_whole() -> None:
    said = SamplePhrase.PLAIN()
    assert text_of(ValueError(said)) is said
    assert text_of(OSError(2, "No such file")) == "[Errno 2] No such file"
    assert text_of(ValueError("one", "two")) == "('one', 'two')"
    assert text_of(KeyError(3)) == "3"


@pytest.mark.parametrize(
    "said", [SamplePhrase.PLAIN(), SamplePhrase.PLAYED(move=place("e2", "(4, 1)"), did=SamplePhrase.PLAIN())]
)
def test_a_written_phrase_is_read_back(said: Translatable) -> None:
    assert phrase_of(translatable(said, phrase_of(said))) == phrase_of(said)
    assert phrase_of(translatable("x", None)) is None


@pytest.mark.parametrize(
    "data",
    [
        "resigned",
        {},
        {"code": 1, "values": {}},
        {"code": "sample.plain"},
        {"code": "sample.plain", "values": {}, "more": 1},
        {"code": "sample.late", "values": {"seconds": None}},
        {"code": "sample.late", "values": {"seconds": {"place": 1}}},
        {"code": "sample.late", "values": {"seconds": [1]}},
    ],
)
def test_data_that_is_not_a_phrase_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="expected a code and values"):
        translatable("came late", data)


@pytest.mark.parametrize("in_list", [True, False])
def test_phrases_may_be_nested_up_to_the_limit(in_list: bool) -> None:
    def nest(levels: int) -> dict[str, Any]:
        data: dict[str, Any] = {"code": "sample.plain", "values": {}}
        for _ in range(levels - 1):
            data = {"code": "sample.plain", "values": {"did": [data, "text"] if in_list else data}}
        return data

    deepest = nest(MAX_DEPTH)
    assert phrase_of(translatable("resigned", deepest)) == deepest
    with pytest.raises(ValueError, match="expected a code and values"):
        translatable("resigned", nest(MAX_DEPTH + 1))
