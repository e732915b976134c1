"""The private commands of the engine front end, which ``list_commands`` lists."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from quoridor_net.notation.athens import format_move
from quoridor_net.protocols.athens import AthensGame, PrivateCommand
from quoridor_net.protocols.athens.commands import SYNTAX_ERROR, CommandError, parse_int, parse_player

from .recording import load_game, save_game
from .thinker import Thinker

Words = list[str]
Handler = Callable[[AthensGame, Words], Awaitable[list[str]]]


class PrivateCommands:
    """Answers private commands.

    Args:
        has_files: whether to offer commands that read and write files; unsafe for unknown controllers.
        overwrites: whether to overwrite existing files.
    """

    def __init__(
        self,
        thinker: Thinker,
        *,
        has_files: bool = False,
        overwrites: bool = False,
    ) -> None:
        self._thinker = thinker
        self._overwrites = overwrites
        self._handlers: dict[str, Handler] = {
            "qn-analyze": self._analyze,
            "qn-legal_moves": self._legal_moves,
            "qn-player": self._player,
            "qn-players": self._players,
            "qn-position": self._position,
            "qn-seed": self._seed,
            "qn-time_left": self._time_left,
            "qn-time_settings": self._time_settings,
        }
        if has_files:
            self._handlers |= {"qn-load_replay": self._load, "qn-save_replay": self._save}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the commands."""
        return tuple(self._handlers)

    async def run(self, command: PrivateCommand, game: AthensGame) -> list[str]:
        """Return the lines of the answer to ``command``.

        Raises:
            CommandError: it failed and changed nothing.
            UnparsableError: its syntax is wrong; it changed nothing.
        """
        return await self._handlers[command.name](game, list(command.words))

    async def _analyze(self, game: AthensGame, words: Words) -> list[str]:
        player = parse_player(words)
        position = game.position_for(player)
        if position is None:
            raise CommandError("there is no legal move")
        position = position.copy()
        lines = [
            f"{name} distance {position.distance(number)} walls {position.walls_left(number)}"
            for number, name in ((1, "black"), (2, "white"))
        ]
        move, analysis = await self._thinker.suggest(position)
        if analysis is not None:
            expected = ", ".join(format_move(each, game.size) for each in analysis.line)
            lines += [
                f"score {analysis.score / 100:+.2f}",
                f"depth {analysis.depth} nodes {analysis.nodes} seconds {analysis.seconds:.2f}",
                f"line {expected}",
            ]
        return [f"move {format_move(move, game.size)}", *lines]

    async def _legal_moves(self, game: AthensGame, words: Words) -> list[str]:
        position = game.position_for(parse_player(words))
        if position is None:
            return []
        return [format_move(move, game.size) for move in position.legal_moves]

    async def _load(self, game: AthensGame, words: Words) -> list[str]:
        if len(words) != 1:
            raise CommandError(SYNTAX_ERROR)
        await load_game(game, words[0])
        return []

    async def _save(self, game: AthensGame, words: Words) -> list[str]:
        if len(words) != 1:
            raise CommandError(SYNTAX_ERROR)
        await save_game(game, words[0], overwrites=self._overwrites)
        return []

    async def _player(self, _game: AthensGame, words: Words) -> list[str]:
        if not words:
            return [self._thinker.player]
        if words[0] not in self._thinker.factories:
            raise CommandError("unknown player; qn-players lists them")
        await self._thinker.replace(words[0])
        return []

    async def _players(self, _game: AthensGame, _words: Words) -> list[str]:
        return sorted(self._thinker.factories)

    async def _position(self, game: AthensGame, _words: Words) -> list[str]:
        return [game.position.to_line()]

    async def _seed(self, _game: AthensGame, words: Words) -> list[str]:
        await self._thinker.seed(parse_int(words))
        return []

    async def _time_left(self, _game: AthensGame, words: Words) -> list[str]:
        player, seconds = parse_player(words), parse_int(words[1:])
        self._thinker.left[player] = float(seconds)
        return []

    async def _time_settings(self, _game: AthensGame, words: Words) -> list[str]:
        if len(words) != 2:
            raise CommandError(SYNTAX_ERROR)
        game_time, move_time = (float(parse_int([word])) or None for word in words)
        await self._thinker.set_times(game_time, move_time)
        return []
