"""The Athens text protocol of 2015, sans-I/O: commands, the engine's side and the controller's side."""

from quoridor_net.qtp.answers import RESIGN, is_understood, parse_boolean_answer, parse_genmove_answer
from quoridor_net.qtp.commands import COMMANDS, Command, CommandFailed
from quoridor_net.qtp.controller_role import ControllerRole, EmptyAnswer, Noise, Refusal, Response
from quoridor_net.qtp.engine_role import (
    NEED_DATA,
    EngineEvent,
    EngineRole,
    Farewell,
    MoveWanted,
    Need,
    PrivateCommand,
    Reply,
)
from quoridor_net.qtp.game import QtpGame, default_walls

__all__ = [
    "COMMANDS",
    "NEED_DATA",
    "RESIGN",
    "Command",
    "CommandFailed",
    "ControllerRole",
    "EmptyAnswer",
    "EngineEvent",
    "EngineRole",
    "Farewell",
    "MoveWanted",
    "Need",
    "Noise",
    "PrivateCommand",
    "QtpGame",
    "Refusal",
    "Reply",
    "Response",
    "default_walls",
    "is_understood",
    "parse_boolean_answer",
    "parse_genmove_answer",
]
