"""Tables of the states of a protocol's roles."""

from __future__ import annotations

from docs.diagrams.state_diagram import ROLES, Transition, transitions
from docs.parts.markdown import table
from quoridor_net.protocols.athens import transitions as athens
from quoridor_net.protocols.olympiad import transitions as clobber

#: Roles by name: those that have a diagram, and those of the other protocols.
TABLES: dict[str, tuple[Transition, ...]] = {
    **{name: role.transitions for name, role in ROLES.items()},
    "athens-engine": transitions(athens.ENGINE_SENDS, athens.ENGINE_RECEIVES),
    "athens-controller": transitions(athens.CONTROLLER_SENDS, athens.CONTROLLER_RECEIVES),
    "clobber-server": transitions(clobber.SERVER_SENDS, clobber.SERVER_RECEIVES),
    "clobber-client": transitions(clobber.CLIENT_SENDS, clobber.CLIENT_RECEIVES),
}


def write_transitions(role: str) -> str:
    """Return the transition table of a role, sorted by state."""
    entries = TABLES[role]
    order = list(type(entries[0].state))
    return table(
        ("State", "Sends or receives", "Message", "Next state"),
        [
            (row.state.value, row.direction.value, f"`{row.kind.value}`", row.following.value)
            for row in sorted(entries, key=lambda transition: order.index(transition.state))
        ],
    )
