"""The places of a server, shared by addresses."""

from __future__ import annotations

from attrs import define, field

from quoridor_net.net.places import MAX_WAITING, Places, Strangers


@define(eq=False)
class Caller:
    address: str
    is_idle: bool = False
    sentences: list[str] = field(factory=list)

    def turn_away(self, sentence: str) -> None:
        self.sentences.append(sentence)


def test_only_one_connection_too_many_is_turned_away() -> None:
    strangers = Strangers()
    guests = [Caller("a"), *(Caller("b") for _ in range(MAX_WAITING - 1))]
    for guest in guests:
        strangers.enter(guest)
    assert not any(guest.sentences for guest in guests)
    strangers.enter(Caller("c"))
    # The oldest one of the address with the most connections.
    assert [guest for guest in guests if guest.sentences] == [guests[1]]
    assert guests[1].sentences == ["closed: too many silent connections"]


def test_connections_that_were_closed_make_room() -> None:
    strangers = Strangers()
    first, *others = [Caller("a") for _ in range(MAX_WAITING)]
    for guest in (first, *others):
        strangers.enter(guest)
    strangers.leave(first)
    strangers.enter(Caller("b"))
    assert not any(guest.sentences for guest in (first, *others))


def test_an_address_gets_a_place_while_another_has_two() -> None:
    places = Places(2)
    first, second, other, third = Caller("a"), Caller("a"), Caller("b"), Caller("c")
    assert [places.take(guest) for guest in (first, second, Caller("a"), other, third)] == [
        True, True, False, True, True,
    ]  # fmt: skip
    # Twice as many games as places.
    assert not places.take(Caller("d"))
    places.leave(first)
    # Each address has one place now, and all are taken.
    assert not places.take(Caller("d"))
    assert places.take(second)


def test_a_silent_guest_keeps_its_place_until_another_needs_it() -> None:
    places = Places(1)
    silent, other = Caller("a", is_idle=True), Caller("a")
    assert places.take(silent)
    assert places.take(silent)
    assert silent.sentences == []
    assert places.take(other)
    assert silent.sentences == ["closed: silent for too long, and another client needed the place"]
    # Its place is taken now, and it does not lose another one.
    assert not places.take(Caller("a"))
    assert len(silent.sentences) == 1


def test_a_guest_with_a_place_is_not_turned_away_for_those_without() -> None:
    places = Places(1)
    guest = Caller("a")
    places.enter(guest)
    assert places.take(guest)
    waiting = [Caller("a") for _ in range(MAX_WAITING + 1)]
    for each in waiting:
        places.enter(each)
    assert not guest.sentences
    assert [each for each in waiting if each.sentences] == waiting[:1]


def test_guests_that_left_before_they_had_a_place_are_not_counted() -> None:
    places = Places(1)
    guests = [Caller("a") for _ in range(MAX_WAITING + 1)]
    for guest in guests:
        places.enter(guest)
        if guest is guests[0]:
            places.leave(guest)
    assert not any(guest.sentences for guest in guests)
