"""Transition tables of an Athens session, for the engine and the controller."""

from __future__ import annotations

from quoridor_net.protocols.common.role import Label


class EngineState(Label):
    """States of the engine."""

    #: Waiting for the next command.
    READY = "ready"
    #: ``genmove`` is pending.
    THINKING = "thinking"
    #: A private command is pending.
    WORKING = "working"
    #: ``quit`` was answered. Further input is ignored.
    CLOSED = "closed"


class EngineKind(Label):
    """Kinds of messages in the engine's tables. All commands that it answers at once are one kind."""

    COMMAND = "(any other command)"
    GENMOVE = "genmove"
    PRIVATE = "(a private command)"
    QUIT = "quit"
    MOVE = "= (a move)"
    SUCCESS = "="
    FAILURE = "?"


ENGINE_SENDS: dict[tuple[EngineState, EngineKind], EngineState] = {
    (EngineState.THINKING, EngineKind.MOVE): EngineState.READY,
    (EngineState.THINKING, EngineKind.FAILURE): EngineState.READY,
    (EngineState.WORKING, EngineKind.SUCCESS): EngineState.READY,
    (EngineState.WORKING, EngineKind.FAILURE): EngineState.READY,
}

ENGINE_RECEIVES: dict[tuple[EngineState, EngineKind], EngineState] = {
    (EngineState.READY, EngineKind.COMMAND): EngineState.READY,
    (EngineState.READY, EngineKind.GENMOVE): EngineState.THINKING,
    (EngineState.READY, EngineKind.PRIVATE): EngineState.WORKING,
    (EngineState.READY, EngineKind.QUIT): EngineState.CLOSED,
}


class ControllerState(Label):
    """States of the controller."""

    #: A command may be sent.
    READY = "ready"
    #: A command was sent; waiting for the sign of its response.
    WAITING = "waiting"
    #: The sign has arrived; waiting for the rest of the response.
    READING = "reading"


class ControllerKind(Label):
    """Kinds of messages in the controller's tables: commands, and lines of responses."""

    COMMAND = "(a command)"
    #: Nothing is sent: the response is too late.
    GIVE_UP = "(nothing: no longer waits)"
    #: The line holds all that the command needs.
    ANSWER = "= or ? (the whole answer)"
    #: The sign, if more lines must follow.
    BEGINNING = "= or ? (more follows)"
    TEXT = "(a further line)"
    #: The empty line after a bare ``=``, when the command needs more.
    EMPTY = "(a blank line, and no answer yet)"
    #: ``?`` to a command that asks for a move; some engines still give one afterwards.
    REFUSAL = "? (to genmove)"
    NOISE = "(any other line)"


CONTROLLER_SENDS: dict[tuple[ControllerState, ControllerKind], ControllerState] = {
    (ControllerState.READY, ControllerKind.COMMAND): ControllerState.WAITING,
    (ControllerState.READY, ControllerKind.GIVE_UP): ControllerState.READY,
    (ControllerState.WAITING, ControllerKind.GIVE_UP): ControllerState.READY,
    (ControllerState.READING, ControllerKind.GIVE_UP): ControllerState.READY,
}

CONTROLLER_RECEIVES: dict[tuple[ControllerState, ControllerKind], ControllerState] = {
    (ControllerState.READY, ControllerKind.NOISE): ControllerState.READY,
    (ControllerState.WAITING, ControllerKind.NOISE): ControllerState.WAITING,
    (ControllerState.WAITING, ControllerKind.ANSWER): ControllerState.READY,
    (ControllerState.WAITING, ControllerKind.REFUSAL): ControllerState.WAITING,
    (ControllerState.WAITING, ControllerKind.BEGINNING): ControllerState.READING,
    (ControllerState.READING, ControllerKind.TEXT): ControllerState.READING,
    (ControllerState.READING, ControllerKind.NOISE): ControllerState.READING,
    (ControllerState.READING, ControllerKind.ANSWER): ControllerState.READY,
    (ControllerState.READING, ControllerKind.REFUSAL): ControllerState.WAITING,
    (ControllerState.READING, ControllerKind.BEGINNING): ControllerState.READING,
    (ControllerState.READING, ControllerKind.EMPTY): ControllerState.WAITING,
}
