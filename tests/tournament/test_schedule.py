"""Entrants with equal names get unique ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.tournament import unique_names


@pytest.mark.parametrize(
    ("names", "unique"),
    [
        (("bob", "ann"), ("bob", "ann")),
        (("bob", "bob", "bob"), ("bob", "bob#2", "bob#3")),
        (("bob", "bob#2", "bob"), ("bob", "bob#2", "bob#3")),
        # The same name, with and without a combining mark.
        (("zo\u00eb", "zoe\u0308"), ("zo\u00eb", "zoe\u0308#2")),
        (("bob#2", "bob", "bob"), ("bob#2", "bob", "bob#3")),
        ((), ()),
    ],
)
def test_duplicate_names_get_numbers(names: tuple[str, ...], unique: tuple[str, ...]) -> None:
    assert unique_names(names) == unique


@given(st.lists(st.sampled_from(["a", "a#2", "a#3", "a#2#2", "b"])))
def test_unique_names_are_all_different(names: list[str]) -> None:
    unique = unique_names(names)
    assert len(set(unique)) == len(unique) == len(names)
    assert all(own.startswith(name) for own, name in zip(unique, names, strict=True))
