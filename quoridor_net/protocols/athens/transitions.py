"""What may happen when in an Athens session: transition tables for the engine and the controller."""

from __future__ import annotations

from quoridor_net.protocols.common.role import Label


class EngineState(Label):
    """Where an engine's session stands."""

    #: The next command is awaited.
    READY = "ready"
    #: ``genmove`` came; its answer is due.
    THINKING = "thinking"
    #: A private command came; its answer is due.
    WORKING = "working"
    #: ``quit`` was answered. What comes after it is ignored.
    CLOSED = "closed"


class EngineKind(Label):
    """What an engine's tables tell apart. Commands that it answers at once are one kind."""

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
    """Where the controller's session stands."""

    #: A command may be sent.
    READY = "ready"
    #: A command was sent; the sign of its response is awaited.
    WAITING = "waiting"
    #: The sign came; the rest of the response is awaited.
    READING = "reading"


class ControllerKind(Label):
    """What a controller's tables tell apart: commands, and the lines of responses."""

    COMMAND = "(a command)"
    #: Nothing is sent: the response comes too late, if ever.
    GIVE_UP = "(nothing: no longer waits)"
    #: The line says all that the command needs.
    ANSWER = "= or ? (the whole answer)"
    #: The sign, when more lines have to follow.
    BEGINNING = "= or ? (more follows)"
    TEXT = "(a further line)"
    #: The blank line after ``=`` alone, when the command needs more.
    EMPTY = "(a blank line, and no answer yet)"
    #: ``?`` to a command that asks for a move, after which some engines give one all the same.
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
