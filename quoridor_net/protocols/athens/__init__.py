"""The Athens text protocol of 2015, sans-I/O: commands, the engine's side and the controller's side."""

from quoridor_net.protocols.athens.answers import (
    RESIGN,
    is_understood,
    parse_boolean_answer,
    parse_genmove_answer,
)
from quoridor_net.protocols.athens.athens_game import AthensGame
from quoridor_net.protocols.athens.commands import COMMANDS, Command, CommandError
from quoridor_net.protocols.athens.controller_role import (
    ControllerRole,
    EmptyAnswer,
    Noise,
    Refusal,
    Response,
)
from quoridor_net.protocols.athens.engine_role import (
    EngineEvent,
    EngineRole,
    Farewell,
    MoveWanted,
    PrivateCommand,
    Reply,
)
from quoridor_net.protocols.common.role import NEED_DATA, Need

__all__ = [
    "COMMANDS",
    "NEED_DATA",
    "RESIGN",
    "AthensGame",
    "Command",
    "CommandError",
    "ControllerRole",
    "EmptyAnswer",
    "EngineEvent",
    "EngineRole",
    "Farewell",
    "MoveWanted",
    "Need",
    "Noise",
    "PrivateCommand",
    "Refusal",
    "Reply",
    "Response",
    "is_understood",
    "parse_boolean_answer",
    "parse_genmove_answer",
]
