"""Display clients with one bug each, by the code of the finding, and unusual correct clients."""

from __future__ import annotations

import trio

from tests.support.small_client import Gone, SmallClient
from tests.support.walker_server import Board, Move, Square


class WantsAWindow(SmallClient):
    fails = "ended with exit status 1: cannot open display"


class TwoServersOnly(SmallClient):
    """Ignores its third and fourth argument."""

    most_servers = 2


class NoHello(SmallClient):
    async def greet(self) -> None:
        await trio.sleep_forever()


class ForgetsLineEnds(SmallClient):
    line_end = ""


class ForgetsLineEndsAndGivesUp(ForgetsLineEnds):
    """Ends if it gets no answer."""

    async def line(self, player: int) -> str:
        with trio.move_on_after(5):
            return await super().line(player)
        raise Gone


class GameFirst(SmallClient):
    async def greet(self) -> None:
        self.names = dict.fromkeys(self.streams, "name")


class SaysHi(SmallClient):
    async def greet(self) -> None:
        await self.say(1, "HI")
        await trio.sleep_forever()


class CountsFromZero(SmallClient):
    async def begin(self) -> None:
        for player in self.streams:
            await self.say(player, f"GAME {player - 1} {' '.join(self.names.values())}")


class EverybodyIsFirst(SmallClient):
    async def begin(self) -> None:
        for player in self.streams:
            await self.say(player, f"GAME 1 {' '.join(self.names.values())}")


class DoublesNames(SmallClient):
    async def begin(self) -> None:
        for player in self.streams:
            names = [*self.names.values()] * 2
            await self.say(player, f"GAME {player} {' '.join(names[:4])}")


class NeverBegins(SmallClient):
    async def begin(self) -> None:
        await trio.sleep_forever()


class RenamesPlayers(SmallClient):
    async def begin(self) -> None:
        self.names = {player: f"player{player}" for player in self.names}
        await super().begin()


class NeverAsks(SmallClient):
    async def ask(self, player: int) -> None:
        await trio.sleep_forever()


class WaitsForMovesUnasked(SmallClient):
    """Treats the silence of a server that it has not asked as a fault."""

    async def turn(self, player: int) -> int:
        await trio.sleep(5)
        return await self.put_out(player, "")


class AsksInOrderOfNumbers(SmallClient):
    async def run(self) -> None:
        self.order = tuple(self.streams)
        await super().run()


class AsksTwice(SmallClient):
    async def ask(self, player: int) -> None:
        await super().ask(player)
        await super().ask(player)


class AsksBeforeItTells(SmallClient):
    """Reports a move only after asking the next player."""

    late = ""

    async def report(self, player: int, text: str) -> None:
        self.late = f"ATARI {player} {text}"

    async def ask(self, player: int) -> None:
        await super().ask(player)
        if self.late:
            await self.tell(self.late)


class LeavesOutTheMover(SmallClient):
    async def report(self, player: int, text: str) -> None:
        await self.tell_others(player, f"ATARI {player} {text}")


class TellsOnlyTheMover(SmallClient):
    async def report(self, player: int, text: str) -> None:
        await self.say(player, f"ATARI {player} {text}")


class SwapsMoves(SmallClient):
    async def report(self, player: int, text: str) -> None:
        kind, c, r = self.read(text)
        swapped = f"({r}, {c})" if kind == "P" else f"[({r}, {c}), {kind}]"
        await super().report(player, swapped)


class ReportsTheReceiver(SmallClient):
    async def report(self, player: int, text: str) -> None:
        for other in sorted(self.board.pawns):
            await self.say(other, f"ATARI {other} {text}")


class ReportsTwice(SmallClient):
    async def report(self, player: int, text: str) -> None:
        await super().report(player, text)
        await super().report(player, text)


class SeesNoWalls(SmallClient):
    def is_legal(self, player: int, move: Move) -> bool:
        if move[0] == "P":
            closed, self.board.closed = self.board.closed, set()
            legal = super().is_legal(player, move)
            self.board.closed = closed
            return legal or super().is_legal(player, move)
        return super().is_legal(player, move)


class AcceptsAll(SmallClient):
    def is_legal(self, player: int, move: Move) -> bool:
        return True


class CrossingBoard(Board):
    def fits(self, wall: Move) -> bool:
        kind, c, r = wall
        along = (1, 0) if kind == "h" else (0, 1)
        near = [wall, (kind, c + along[0], r + along[1]), (kind, c - along[0], r - along[1])]
        return not any(other in self.walls for other in near)


class LetsWallsCross(SmallClient):
    def make_board(self, players: int) -> Board:
        return CrossingBoard(players)


class OverlappingBoard(Board):
    def fits(self, wall: Move) -> bool:
        kind, c, r = wall
        return wall not in self.walls and ("v" if kind == "h" else "h", c, r) not in self.walls


class LetsWallsOverlap(SmallClient):
    def make_board(self, players: int) -> Board:
        return OverlappingBoard(players)


class CarelessBoard(Board):
    def leaves_paths(self, wall: Move) -> bool:
        return True


class LetsPlayersBeShutIn(SmallClient):
    def make_board(self, players: int) -> Board:
        return CarelessBoard(players)


class SelflessBoard(Board):
    """Requires a path for all players except the one who places the wall."""

    placer = 0

    def leaves_paths(self, wall: Move) -> bool:
        closed = self.closed
        self.closed = closed | set(self.edges(wall))
        try:
            others = [player for player in self.pawns if player != self.placer]
            return all(self.pawns[player] in self.ways(player) for player in others)
        finally:
            self.closed = closed


class RoomyBoard(Board):
    """Accepts walls along its lower edge."""

    def fits(self, wall: Move) -> bool:
        return (wall[0] == "h" and wall[2] == 8) or super().fits(wall)


class LetsWallsLieAtTheEdge(SmallClient):
    def make_board(self, players: int) -> Board:
        return RoomyBoard(players)


class LetsPawnsStay(SmallClient):
    def is_legal(self, player: int, move: Move) -> bool:
        return move[1:] == self.board.pawns[player] or super().is_legal(player, move)


class LetsWallsRepeat(SmallClient):
    def is_legal(self, player: int, move: Move) -> bool:
        return move in self.board.walls or super().is_legal(player, move)


class LetsPlayersShutThemselvesIn(SmallClient):
    def make_board(self, players: int) -> Board:
        return SelflessBoard(players)

    def is_legal(self, player: int, move: Move) -> bool:
        assert isinstance(self.board, SelflessBoard)
        self.board.placer = player
        return super().is_legal(player, move)


class CountsNoWalls(SmallClient):
    def is_legal(self, player: int, move: Move) -> bool:
        self.board.left[player] = 10
        return super().is_legal(player, move)


class FiveWallsForAll(Board):
    @property
    def walls_at_start(self) -> int:
        return 5


class GivesFiveWalls(SmallClient):
    """Gives players of a game of two five walls each."""

    def make_board(self, players: int) -> Board:
        return FiveWallsForAll(players)


class CrowdedBoard(Board):
    def steps(self, player: int) -> set[Square]:
        return super().steps(player) | set(self.open_from(self.pawns[player]))


class LetsPawnsShare(SmallClient):
    def make_board(self, players: int) -> Board:
        return CrowdedBoard(players)


class StiffBoard(Board):
    def steps(self, player: int) -> set[Square]:
        others = {square for number, square in self.pawns.items() if number != player}
        return set(self.open_from(self.pawns[player])) - others


class KnowsNoJumps(SmallClient):
    def make_board(self, players: int) -> Board:
        return StiffBoard(players)


class TellsOnlyTheOffender(SmallClient):
    async def put_out(self, player: int, text: str) -> int:
        await self.say(player, f"GOTE {player}")
        del self.board.pawns[player]
        return next(iter(self.board.pawns)) if len(self.board.pawns) == 1 else 0


class DropsTheOffender(SmallClient):
    """Closes the connection of an eliminated player without GOTE."""

    async def put_out(self, player: int, text: str) -> int:
        await self.tell_others(player, f"GOTE {player}")
        await self.streams[player].aclose()
        del self.board.pawns[player]
        return 0


class PutsTheReceiverOut(SmallClient):
    async def put_out(self, player: int, text: str) -> int:
        for other in sorted(self.board.pawns):
            await self.say(other, f"GOTE {other}")
        del self.board.pawns[player]
        return next(iter(self.board.pawns)) if len(self.board.pawns) == 1 else 0


class GoesOnTelling(SmallClient):
    """Reports moves to eliminated players too."""

    async def tell(self, text: str) -> None:
        for player in self.streams:
            await self.say(player, text)


class AsksThoseWhoAreOut(SmallClient):
    async def put_out(self, player: int, text: str) -> int:
        winner = await super().put_out(player, text)
        await self.say(player, "MYOUSHU")
        return winner


class KeepsGhosts(SmallClient):
    """Keeps the pawn of an eliminated player on its board."""

    ghosts: frozenset[Square] = frozenset()

    def is_legal(self, player: int, move: Move) -> bool:
        return move[1:] not in self.ghosts and super().is_legal(player, move)

    async def put_out(self, player: int, text: str) -> int:
        self.ghosts |= {self.board.pawns[player]}
        return await super().put_out(player, text)


class ChokesOnGarbage(SmallClient):
    async def turn(self, player: int) -> int:
        await self.ask(player)
        text = (await self.line(player)).partition(" ")[2]
        move = self.read(text)
        if not self.is_legal(player, move):
            return await self.put_out(player, text)
        return await self.make(player, move, text)


class NeverEnds(SmallClient):
    def has_won(self, player: int) -> bool:
        return False


class LooksAtRowsAlone(SmallClient):
    """Ignores player 3 or 4 on its goal line."""

    def has_won(self, player: int) -> bool:
        return player <= 2 and super().has_won(player)


class TakesRow8ForAll(SmallClient):
    """Declares any player on row 8 the winner."""

    def has_won(self, player: int) -> bool:
        return self.board.pawns[player][1] == 8


class ExchangesTheGoalsOf3And4(SmallClient):
    def has_won(self, player: int) -> bool:
        return self.board.is_goal({3: 4, 4: 3}.get(player, player), self.board.pawns[player])


class NamesTheReceiver(SmallClient):
    async def end(self, winner: int) -> None:
        for player in sorted(self.board.pawns):
            await self.say(player, f"KIKASHI {player}")


class SaysGoodbye(SmallClient):
    async def end(self, winner: int) -> None:
        await super().end(winner)
        await self.say(winner, "MYOUSHU")


class EndsInTheMiddle(SmallClient):
    def has_won(self, player: int) -> bool:
        return self.board.pawns[player][1] == 4


class GoesOnAlone(SmallClient):
    """Continues when one player is left."""

    async def put_out(self, player: int, text: str) -> int:
        await super().put_out(player, text)
        return 0


class DropsEverybody(SmallClient):
    """Fails with an exception after some moves."""

    async def make(self, player: int, move: Move, text: str) -> int:
        if len(self.board.walls) == 1:
            raise ValueError
        return await super().make(player, move, text)


class WantsWholePackets(SmallClient):
    async def line(self, player: int) -> str:
        data = bytes(await self.streams[player].receive_some(4096))
        if not data.endswith(b"\n"):
            raise ValueError
        return data.decode().strip()


class ChokesOnCr(SmallClient):
    async def line(self, player: int) -> str:
        line = await super().line(player)
        if b"\r" in self.raw:
            raise KeyError
        return line

    raw = b""

    def __init__(self, streams: list[trio.abc.Stream]) -> None:
        super().__init__(streams)
        for stream in streams:
            self.spy(stream)

    def spy(self, stream: trio.abc.Stream) -> None:
        receive = stream.receive_some

        async def receive_some(max_bytes: int | None = None) -> bytes:
            self.raw = bytes(await receive(max_bytes))
            return self.raw

        stream.receive_some = receive_some  # type: ignore[method-assign]


class WantsColons(SmallClient):
    async def begin(self) -> None:
        if not all(":" in name for name in self.names.values()):
            raise ValueError
        await super().begin()


class TrailingBlank(SmallClient):
    async def say(self, player: int, text: str) -> None:
        await super().say(player, text + " " if text.startswith("GAME") else text)


class CrLf(SmallClient):
    line_end = "\r\n"


class PrintsRemarks(SmallClient):
    async def ask(self, player: int) -> None:
        await self.say(player, "your turn!")
        await super().ask(player)


class BeginsTwice(SmallClient):
    async def begin(self) -> None:
        await super().begin()
        await super().begin()


class InventsMoves(SmallClient):
    async def begin(self) -> None:
        await super().begin()
        await self.tell("ATARI 1 (4, 1)")


class HangsWhenAServerLeaves(SmallClient):
    async def line(self, player: int) -> str:
        try:
            return await super().line(player)
        except Gone:
            await trio.sleep_forever()
            raise


class EndsWhenAServerLeaves(SmallClient):
    async def line(self, player: int) -> str:
        try:
            return await super().line(player)
        except Gone:
            raise KeyError from None


class LastIsFirst(SmallClient):
    """Reads its arguments in reverse order."""

    def __init__(self, streams: list[trio.abc.Stream]) -> None:
        super().__init__(streams[::-1])


class TwentyWallsForTwo(Board):
    @property
    def walls_at_start(self) -> int:
        return 20 if self.players == 2 else 5


class GivesTwentyWalls(SmallClient):
    """Gives players of a game of two twenty walls each."""

    def make_board(self, players: int) -> Board:
        return TwentyWallsForTwo(players)


class CountsWallsOfFourOnly(SmallClient):
    """Counts walls only in games of four."""

    def is_legal(self, player: int, move: Move) -> bool:
        if self.board.players == 2:
            self.board.left[player] = 10
        return super().is_legal(player, move)


class ObstacleBoard(Board):
    """Takes the squares of pawns for closed when it looks for paths."""

    def leaves_paths(self, wall: Move) -> bool:
        closed = self.closed
        try:
            return all(self.leaves_path(player, closed | set(self.edges(wall))) for player in self.pawns)
        finally:
            self.closed = closed

    def leaves_path(self, player: int, closed: set[frozenset[Square]]) -> bool:
        near = {
            frozenset({(c, r), (c + across, r + down)})
            for other, (c, r) in self.pawns.items()
            if other != player
            for across, down in ((0, 1), (1, 0), (0, -1), (-1, 0))
        }
        self.closed = closed | near
        return self.pawns[player] in self.ways(player)


class TakesPawnsForObstacles(SmallClient):
    def make_board(self, players: int) -> Board:
        return ObstacleBoard(players)


class ChecksTheMoverOnly(SmallClient):
    """Requires a path only for the player who places a wall."""

    def is_legal(self, player: int, move: Move) -> bool:
        if move[0] == "P" or not self.board.fits(move) or not self.board.left[player]:
            return super().is_legal(player, move)
        closed = self.board.closed
        self.board.closed = closed | set(self.board.edges(move))
        try:
            return self.board.pawns[player] in self.board.ways(player)
        finally:
            self.board.closed = closed


class StraightBoard(Board):
    """Knows no jumps to the side."""

    def steps(self, player: int) -> set[Square]:
        here = self.pawns[player]
        return {
            there
            for there in super().steps(player)
            if there in self.open_from(here) or 0 in {there[0] - here[0], there[1] - here[1]}
        }


class KnowsNoSideJumps(SmallClient):
    def make_board(self, players: int) -> Board:
        return StraightBoard(players)


class DiagonalBoard(Board):
    def steps(self, player: int) -> set[Square]:
        c, r = self.pawns[player]
        return super().steps(player) | {(c + across, r + down) for across in (-1, 1) for down in (-1, 1)}


class LetsPawnsStepDiagonally(SmallClient):
    def make_board(self, players: int) -> Board:
        return DiagonalBoard(players)


#: Codes of findings, and clients with these bugs.
BUGS: list[tuple[str, type[SmallClient]]] = [
    ("LAN-201", WantsAWindow),
    ("LAN-201", TwoServersOnly),
    ("LAN-202", NoHello),
    ("LAN-209", ForgetsLineEnds),
    ("LAN-209", ForgetsLineEndsAndGivesUp),
    ("LAN-203", GameFirst),
    ("LAN-204", SaysHi),
    ("LAN-212", CountsFromZero),
    ("LAN-204", PrintsRemarks),
    ("LAN-205", BeginsTwice),
    ("LAN-206", TrailingBlank),
    ("LAN-207", CrLf),
    ("LAN-208", DropsEverybody),
    ("LAN-211", NeverBegins),
    ("LAN-212", EverybodyIsFirst),
    ("LAN-215", LastIsFirst),
    ("LAN-213", RenamesPlayers),
    ("LAN-214", DoublesNames),
    ("LAN-221", NeverAsks),
    ("LAN-221", WaitsForMovesUnasked),
    ("LAN-222", AsksInOrderOfNumbers),
    ("LAN-223", AsksTwice),
    ("LAN-224", AsksBeforeItTells),
    ("LAN-231", LeavesOutTheMover),
    ("LAN-224", TellsOnlyTheMover),
    ("LAN-232", SwapsMoves),
    ("LAN-233", ReportsTheReceiver),
    ("LAN-234", ReportsTwice),
    ("LAN-235", SeesNoWalls),
    ("LAN-235", AcceptsAll),
    ("LAN-235", LetsWallsCross),
    ("LAN-235", LetsWallsOverlap),
    ("LAN-235", LetsPlayersBeShutIn),
    ("LAN-235", LetsWallsLieAtTheEdge),
    ("LAN-235", LetsPawnsStay),
    ("LAN-235", LetsWallsRepeat),
    ("LAN-235", LetsPlayersShutThemselvesIn),
    ("LAN-235", CountsNoWalls),
    ("LAN-235", LetsPawnsShare),
    ("LAN-244", KnowsNoJumps),
    ("LAN-244", GivesFiveWalls),
    ("LAN-236", InventsMoves),
    ("LAN-241", TellsOnlyTheOffender),
    ("LAN-241", DropsTheOffender),
    ("LAN-242", PutsTheReceiverOut),
    ("LAN-243", GoesOnTelling),
    ("LAN-243", AsksThoseWhoAreOut),
    ("LAN-245", KeepsGhosts),
    ("LAN-246", ChokesOnGarbage),
    ("LAN-247", HangsWhenAServerLeaves),
    ("LAN-247", EndsWhenAServerLeaves),
    ("LAN-251", NeverEnds),
    ("LAN-251", LooksAtRowsAlone),
    ("LAN-252", NamesTheReceiver),
    ("LAN-253", SaysGoodbye),
    ("LAN-254", EndsInTheMiddle),
    ("LAN-254", TakesRow8ForAll),
    ("LAN-254", ExchangesTheGoalsOf3And4),
    ("LAN-255", GoesOnAlone),
    ("LAN-262", WantsWholePackets),
    ("LAN-261", ChokesOnCr),
    ("LAN-263", WantsColons),
    ("LAN-235", GivesTwentyWalls),
    ("LAN-235", CountsWallsOfFourOnly),
    ("LAN-244", TakesPawnsForObstacles),
    ("LAN-235", ChecksTheMoverOnly),
    ("LAN-244", KnowsNoSideJumps),
    ("LAN-235", LetsPawnsStepDiagonally),
]


class TellsBackwards(SmallClient):
    async def tell(self, text: str) -> None:
        for player in sorted(self.board.pawns, reverse=True):
            await self.say(player, text)


class Slow(SmallClient):
    async def ask(self, player: int) -> None:
        await trio.sleep(5)
        await super().ask(player)


class GreetsAllAtOnce(SmallClient):
    async def greet(self) -> None:
        for player in self.streams:
            await self.say(player, "HELLO")
        for player in self.streams:
            self.names[player] = (await self.line(player)).split()[1]


class OneByteAtATime(SmallClient):
    async def say(self, player: int, text: str) -> None:
        for letter in text + "\n":
            await self.streams[player].send_all(letter.encode())


class Clockwise(SmallClient):
    """Reads its arguments in the order of play."""

    def __init__(self, streams: list[trio.abc.Stream]) -> None:
        super().__init__(streams)
        self.streams = dict(zip(self.order, streams, strict=True))


#: Clients that follow the document.
UNUSUAL: list[type[SmallClient]] = [
    SmallClient,
    TellsBackwards,
    Slow,
    GreetsAllAtOnce,
    OneByteAtATime,
    Clockwise,
    TrailingBlank,
    CrLf,
    RenamesPlayers,
    GoesOnAlone,
]
