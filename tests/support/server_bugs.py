"""Move servers with one bug each, by the code of the finding, and unusual correct servers."""

from __future__ import annotations

from collections.abc import Iterator

import trio

from tests.support.walker_server import Board, Move, Square, WalkerServer


class Silent(WalkerServer):
    async def hello(self) -> None:
        pass


class HangsUp(WalkerServer):
    async def hello(self) -> None:
        raise ValueError


class SaysHello(WalkerServer):
    async def hello(self) -> None:
        await self.say("HELLO ann:walker")


class TwoNames(WalkerServer):
    name = "ann walker"


class Nameless(WalkerServer):
    name = ""


class Welcomes(WalkerServer):
    async def open(self) -> None:
        await self.say("Welcome to my server!")


class SaysMore(WalkerServer):
    async def hello(self) -> None:
        await self.say(f"IAM {self.name}")
        await self.say("pleased to meet you")


class LogsFirst(WalkerServer):
    async def hello(self) -> None:
        await self.say("client connected")
        await self.say(f"IAM {self.name}")


class Endless(WalkerServer):
    line_end = ""


class Babbles(WalkerServer):
    async def hello(self) -> None:
        await self.say("IAM " + "a" * 5000)


class Confirms(WalkerServer):
    async def atari(self, player: int, move: Move) -> None:
        await super().atari(player, move)
        await self.say("OK")


class ConfirmsTheGame(WalkerServer):
    async def game(self, player: int, names: list[str]) -> None:
        await super().game(player, names)
        await self.say(f"I am player {player}")


class LogsItsThoughts(WalkerServer):
    async def myoushu(self) -> None:
        await self.say("thinking...")
        await super().myoushu()


class MovesUnasked(WalkerServer):
    """Moves when it believes that it is its turn."""

    async def game(self, player: int, names: list[str]) -> None:
        await super().game(player, names)
        if player == 1:
            await super().myoushu()

    async def myoushu(self) -> None:
        pass


class CountsFromZero(WalkerServer):
    """Reads player numbers as 0 to 3."""

    async def game(self, player: int, names: list[str]) -> None:
        await super().game(player % len(names) + 1, names)


class AlwaysFirst(WalkerServer):
    async def game(self, player: int, names: list[str]) -> None:
        await super().game(1, names)


class InOrderOfPlay(WalkerServer):
    """Reads the player number as the place in the order of play."""

    async def game(self, player: int, names: list[str]) -> None:
        order = (1, 2) if len(names) == 2 else (1, 4, 2, 3)
        await super().game(order[player - 1], names)


class DiesOfTheGame(WalkerServer):
    async def game(self, player: int, names: list[str]) -> None:
        raise ValueError


class DiesOfAWall(WalkerServer):
    async def atari(self, player: int, move: Move) -> None:
        if move[0] != "P" and player != self.player:
            raise ValueError
        await super().atari(player, move)


class NeverMoves(WalkerServer):
    async def myoushu(self) -> None:
        pass


class DiesThinking(WalkerServer):
    def choose(self) -> Move:
        raise ValueError


class LosesTheKeyword(WalkerServer):
    async def myoushu(self) -> None:
        self.moves += 1
        await self.say(self.write(self.choose()))


class Misspells(WalkerServer):
    async def myoushu(self) -> None:
        self.moves += 1
        await self.say(f"TESUJ {self.write(self.choose())}")


class NoBrackets(WalkerServer):
    def write(self, move: Move) -> str:
        return f"{move[1]}, {move[2]}" if move[0] == "P" else super().write(move)


class NoComma(WalkerServer):
    def write(self, move: Move) -> str:
        return super().write(move).replace(",", "")


class Chess(WalkerServer):
    def write(self, move: Move) -> str:
        return f"{'abcdefghi'[move[1]]}{move[2] + 1}{move[0].lower().replace('p', '')}"


class FlatWalls(WalkerServer):
    def write(self, move: Move) -> str:
        return f"({move[1]}, {move[2]}, {move[0]})" if move[0] != "P" else super().write(move)


class MovesTwice(WalkerServer):
    async def myoushu(self) -> None:
        await super().myoushu()
        await self.say(f"TESUJI {self.write(self.step())}")


class WritesRowFirst(WalkerServer):
    def write(self, move: Move) -> str:
        return super().write((move[0], move[2], move[1]) if move[0] == "P" else move)


class CountsRowsUp(WalkerServer):
    def write(self, move: Move) -> str:
        return super().write((move[0], move[1], 8 - move[2]) if move[0] == "P" else move)


class WritesFromOne(WalkerServer):
    def write(self, move: Move) -> str:
        return super().write((move[0], move[1] + 1, move[2] + 1) if move[0] == "P" else move)


class WallsAtTheEdge(WalkerServer):
    def wall(self) -> Move | None:
        return ("h", 3, 8)


class SwapsWalls(WalkerServer):
    def read(self, text: str) -> Move:
        kind, c, r = super().read(text)
        return (kind, c, r) if kind == "P" else (kind, r, c)

    def write(self, move: Move) -> str:
        return super().write(move if move[0] == "P" else (move[0], move[2], move[1]))


class SwapsWallsOfOthers(WalkerServer):
    async def atari(self, player: int, move: Move) -> None:
        kind, c, r = move
        if player != self.player and kind != "P":
            move = kind, r, c
        await super().atari(player, move)


class TransposesWalls(WalkerServer):
    async def atari(self, player: int, move: Move) -> None:
        kind, c, r = move
        if player != self.player and kind != "P":
            move = "v" if kind == "h" else "h", r, c
        await super().atari(player, move)


class ReadsWalls(WalkerServer):
    """Misreads the walls of others."""

    def misread(self, kind: str, c: int, r: int) -> Move:
        return kind, c, r

    async def atari(self, player: int, move: Move) -> None:
        if player != self.player and move[0] != "P":
            move = self.misread(*move)
        await super().atari(player, move)


class WallsFromOne(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return kind, c - 1, r - 1


class WallsFromTheBottom(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return kind, c, 7 - r


class WallsBelowTheirRow(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return kind, c, 8 - r


class WallsAbove(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return (kind, c, r - 1) if kind == "h" else (kind, c - 1, r)


class HorizontalWallsAbove(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return (kind, c, r - 1) if kind == "h" else (kind, c, r)


class VerticalWallsLeft(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return (kind, c, r) if kind == "h" else (kind, c - 1, r)


class WallsToTheLeft(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return (kind, c - 1, r) if kind == "h" else (kind, c, r - 1)


class WallsToTheRight(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return kind, c + 1, r


class WallsBelow(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return kind, c, r + 1


class WallsFromTheRight(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return kind, 7 - c, r


class TurnsWalls(ReadsWalls):
    def misread(self, kind: str, c: int, r: int) -> Move:
        return "v" if kind == "h" else "h", c, r


class SeesNoWalls(WalkerServer):
    async def atari(self, player: int, move: Move) -> None:
        if move[0] == "P" or player == self.player:
            await super().atari(player, move)


class ShortBoard(Board):
    def edges(self, wall: Move) -> list[frozenset[Square]]:
        return super().edges(wall)[:1]


class ShortWalls(WalkerServer):
    def make_board(self, players: int) -> Board:
        return ShortBoard(players)


class ShortVerticalBoard(Board):
    def edges(self, wall: Move) -> list[frozenset[Square]]:
        return super().edges(wall)[: 1 if wall[0] == "v" else 2]


class ShortVerticalWalls(WalkerServer):
    def make_board(self, players: int) -> Board:
        return ShortVerticalBoard(players)


class ShortHorizontalBoard(Board):
    def edges(self, wall: Move) -> list[frozenset[Square]]:
        return super().edges(wall)[: 1 if wall[0] == "h" else 2]


class ShortHorizontalWalls(WalkerServer):
    def make_board(self, players: int) -> Board:
        return ShortHorizontalBoard(players)


class SwapsPawns(WalkerServer):
    wall_every = 1000

    async def atari(self, player: int, move: Move) -> None:
        if player != self.player and move[0] == "P":
            move = "P", move[2], move[1]
        await super().atari(player, move)


class SeesNoPawns(WalkerServer):
    wall_every = 1000

    async def atari(self, player: int, move: Move) -> None:
        if move[0] != "P" or player == self.player:
            await super().atari(player, move)


class SeesOnlyItself(WalkerServer):
    async def atari(self, player: int, move: Move) -> None:
        if player == self.player:
            await super().atari(player, move)


class ForgetsItself(WalkerServer):
    async def atari(self, player: int, move: Move) -> None:
        if player != self.player:
            await super().atari(player, move)


class FollowsTwoPlayers(WalkerServer):
    """Ignores the moves of players 3 and 4, even its own."""

    wall_every = 1000

    async def atari(self, player: int, move: Move) -> None:
        if player <= 2:
            await super().atari(player, move)


class ReadsRowFirst(WalkerServer):
    """Swaps column and row in all moves that it reads, even its own."""

    def read(self, text: str) -> Move:
        kind, c, r = super().read(text)
        return kind, r, c


class ReadsSquaresRowFirst(WalkerServer):
    def read(self, text: str) -> Move:
        kind, c, r = super().read(text)
        return (kind, r, c) if kind == "P" else (kind, c, r)


class ReadsFromOne(WalkerServer):
    def read(self, text: str) -> Move:
        kind, c, r = super().read(text)
        return kind, c - 1, r - 1


class ReadsFromTheBottom(WalkerServer):
    def read(self, text: str) -> Move:
        kind, c, r = super().read(text)
        return (kind, c, 8 - r) if kind == "P" else (kind, c, 7 - r)


class Millionaire(Board):
    @property
    def walls_at_start(self) -> int:
        return 100


class CountsNoWalls(WalkerServer):
    wall_every = 1

    def make_board(self, players: int) -> Board:
        return Millionaire(players)


class TenOfFour(Board):
    @property
    def walls_at_start(self) -> int:
        return 10


class TenWallsOfFour(WalkerServer):
    wall_every = 1

    def make_board(self, players: int) -> Board:
        return TenOfFour(players)


class PawnlessBoard(Board):
    def steps(self, player: int) -> set[Square]:
        return set(self.open_from(self.pawns[player]))


class StepsOnPawns(WalkerServer):
    wall_every = 1000

    def make_board(self, players: int) -> Board:
        return PawnlessBoard(players)


class BoldBoard(Board):
    """Jumps over pawns regardless of what is behind them."""

    def steps(self, player: int) -> set[Square]:
        here = self.pawns[player]
        others = {square for number, square in self.pawns.items() if number != player}
        found = set()
        for there in self.open_from(here):
            straight = 2 * there[0] - here[0], 2 * there[1] - here[1]
            found.add(straight if there in others else there)
        return found - others


class JumpsOverWalls(WalkerServer):
    def make_board(self, players: int) -> Board:
        return BoldBoard(players)


class ClassroomBoard(Board):
    def steps(self, player: int) -> set[Square]:
        here = self.pawns[player]
        others = {square for number, square in self.pawns.items() if number != player}
        found = set()
        for there in self.open_from(here):
            found |= set(self.open_from(there)) - others - {here} if there in others else {there}
        return found


class PlaysClassroom(WalkerServer):
    def make_board(self, players: int) -> Board:
        return ClassroomBoard(players)

    def step(self) -> Move:
        # Prefers to jump sideways.
        here = self.board.pawns[self.player]
        ways = self.board.ways(self.player)
        aside = [
            square
            for square in self.board.steps(self.player)
            if abs(square[0] - here[0]) == 1 and abs(square[1] - here[1]) == 1
        ]
        best = min(aside, key=lambda square: (ways.get(square, 99), square), default=None)
        return super().step() if best is None else ("P", *best)


class CrossesWalls(WalkerServer):
    def wall(self) -> Move | None:
        for kind, c, r in self.board.walls:
            return "v" if kind == "h" else "h", c, r
        return super().wall()


class OverlapsWalls(WalkerServer):
    def wall(self) -> Move | None:
        for kind, c, r in self.board.walls:
            return (kind, c + 1, r) if kind == "h" and c < 7 else (kind, c, r + 1) if r < 7 else (kind, c, r)
        return super().wall()


class RepeatsAWall(WalkerServer):
    def wall(self) -> Move | None:
        return next(iter(self.board.walls), super().wall())


class ShutsIn(WalkerServer):
    """Builds a box around another player's pawn, whatever the others do."""

    wall_every = 1

    def wall(self) -> Move | None:
        board = self.board
        for player, (c, r) in board.pawns.items():
            if player == self.player:
                continue
            for wall in (
                ("h", c, r),
                ("h", c, r - 1),
                ("v", c, r),
                ("v", c - 1, r),
                ("v", c, r - 1),
                ("v", c - 1, r - 1),
            ):
                if board.fits(wall) and board.left[self.player]:
                    return wall
        return None


class WallsOffTheChecker(WalkerServer):
    """First blocks the step to the left of the start, which the checker would make next."""

    def choose(self) -> Move:
        wall = ("v", 3, 0)
        return wall if self.moves == 1 and self.board.fits(wall) else super().choose()


class WallsWhereTheyPay(WalkerServer):
    """Places the wall that costs the opponent nearest to its goal most, while that opponent is ahead."""

    def choose(self) -> Move:
        if self.way(self.nearest()) < self.way(self.player) and (wall := self.wall()) is not None:
            return wall
        return self.step()

    def way(self, player: int) -> int:
        return self.board.ways(player).get(self.board.pawns[player], 99)

    def nearest(self) -> int:
        others = [player for player in self.board.pawns if player != self.player]
        return min(others, key=self.way, default=self.player)

    def may_place(self, wall: Move) -> bool:
        return self.board.left[self.player] > 0 and self.board.fits(wall) and self.board.leaves_paths(wall)

    def wall(self) -> Move | None:
        rival = self.nearest()
        column, row = self.board.pawns[rival]
        places = [(c, r) for c in range(column - 2, column + 2) for r in range(row - 2, row + 2)]
        best, most = None, self.way(rival)
        for wall in [(kind, c, r) for kind in "hv" for c, r in places]:
            if self.may_place(wall) and (way := self.way_behind(wall, rival)) > most:
                best, most = wall, way
        return best

    def way_behind(self, wall: Move, rival: int) -> int:
        closed = self.board.closed
        self.board.closed = closed | set(self.board.edges(wall))
        try:
            return self.way(rival)
        finally:
            self.board.closed = closed


class ShutsInWhereItPays(WallsWhereTheyPay):
    def may_place(self, wall: Move) -> bool:
        return self.board.left[self.player] > 0 and self.board.fits(wall)


class CountsNoWallsWhereTheyPay(WallsWhereTheyPay):
    def may_place(self, wall: Move) -> bool:
        return self.board.fits(wall) and self.board.leaves_paths(wall)


class WritesWallsRowFirst(WallsWhereTheyPay):
    """Swaps column and row of walls that it writes, but not of those that it reads."""

    def write(self, move: Move) -> str:
        return super().write(move if move[0] == "P" else (move[0], move[2], move[1]))


class TurnsTheWallsThatItWrites(WallsWhereTheyPay):
    def write(self, move: Move) -> str:
        turned = {"h": "v", "v": "h", "P": "P"}[move[0]]
        return super().write((turned, *move[1:]))


class CrossesWallsWhereTheyPay(WallsWhereTheyPay):
    """Checks only for overlapping walls of the same orientation."""

    def may_place(self, wall: Move) -> bool:
        kind, c, r = wall
        across, down = (1, 0) if kind == "h" else (0, 1)
        near = {wall, (kind, c + across, r + down), (kind, c - across, r - down)}
        is_free = max(c, r) < 8 and min(c, r) >= 0 and near.isdisjoint(self.board.walls)
        return is_free and self.board.left[self.player] > 0 and self.board.leaves_paths(wall)


class OverlapsWallsWhereTheyPay(WallsWhereTheyPay):
    """Checks only for the same wall and a crossing one."""

    def may_place(self, wall: Move) -> bool:
        kind, c, r = wall
        near = {wall, ("v" if kind == "h" else "h", c, r)}
        is_free = max(c, r) < 8 and min(c, r) >= 0 and near.isdisjoint(self.board.walls)
        return is_free and self.board.left[self.player] > 0 and self.board.leaves_paths(wall)


class SidewaysBoard(Board):
    """Always jumps sideways, never straight."""

    def steps(self, player: int) -> set[Square]:
        here = self.pawns[player]
        others = {square for number, square in self.pawns.items() if number != player}
        found = set()
        for there in self.open_from(here):
            straight = 2 * there[0] - here[0], 2 * there[1] - here[1]
            found |= set(self.open_from(there)) - others - {here, straight} if there in others else {there}
        return found


class JumpsSidewaysOnly(WalkerServer):
    wall_every = 1000

    def make_board(self, players: int) -> Board:
        return SidewaysBoard(players)


class BlindSidewaysBoard(Board):
    """Ignores walls beside the pawn that it jumps around."""

    def steps(self, player: int) -> set[Square]:
        here = self.pawns[player]
        others = {square for number, square in self.pawns.items() if number != player}
        found = set()
        for there in self.open_from(here):
            straight = 2 * there[0] - here[0], 2 * there[1] - here[1]
            if there not in others:
                found.add(there)
            elif straight in self.open_from(there):
                found.add(straight)
            else:
                (c, r), aside = there, int(there[0] == here[0])
                found |= {(c + aside, r + 1 - aside), (c - aside, r - 1 + aside)}
        return {square for square in found - others if max(square) < 9 and min(square) >= 0}


class JumpsRoundWalls(WalkerServer):
    wall_every = 1000

    def make_board(self, players: int) -> Board:
        return BlindSidewaysBoard(players)


class LooksAheadOnly(Board):
    """Checks for walls only in front of its pawn, not beside it."""

    def open_from(self, here: Square) -> Iterator[Square]:
        yield from super().open_from(here)
        for there in ((here[0] - 1, here[1]), (here[0] + 1, here[1])):
            if 0 <= there[0] < 9 and there not in set(super().open_from(here)):
                yield there


class WalksThroughVerticalWalls(WalkerServer):
    def make_board(self, players: int) -> Board:
        return LooksAheadOnly(players)


class WalksThroughHorizontalWalls(WalkerServer):
    """Ignores the horizontal walls of others."""

    async def atari(self, player: int, move: Move) -> None:
        if move[0] != "h" or player == self.player:
            await super().atari(player, move)


class ForgetsOldWalls(WalkerServer):
    """Remembers only the last four walls."""

    wall_every = 1000
    room = 4

    def make(self, player: int, move: Move) -> None:
        super().make(player, move)
        for wall in list(self.board.walls)[: -self.room]:
            del self.board.walls[wall]
        self.board.remove_walls_of(0)


class ForgetsWallsOnItsWay(WalkerServer):
    """Ignores walls in the first step of a path."""

    def step(self) -> Move:
        here = self.board.pawns[self.player]
        ways = self.board.ways(self.player)
        near = [(here[0] + across, here[1] + down) for across, down in ((0, 1), (1, 0), (-1, 0), (0, -1))]
        others = set(self.board.pawns.values())
        return (
            "P",
            *min((there for there in near if there in ways and there not in others), key=ways.__getitem__),
        )


class PlansAhead(WalkerServer):
    """Plans two steps at once, and makes the second even if a wall now blocks it."""

    wall_every = 1000
    planned: Square | None = None

    def step(self) -> Move:
        if self.planned is not None and self.planned not in self.board.pawns.values():
            planned, self.planned = self.planned, None
            return ("P", *planned)
        first = super().step()
        ways = self.board.ways(self.player)
        self.planned = min(self.board.open_from(first[1:]), key=lambda square: ways.get(square, 99))
        return first


class TwoSquaresAtOnce(WalkerServer):
    """Moves two squares if nothing is in the way."""

    def step(self) -> Move:
        first = super().step()
        here, board = self.board.pawns[self.player], self.board
        straight = 2 * first[1] - here[0], 2 * first[2] - here[1]
        is_free = straight in board.open_from(first[1:]) and straight not in board.pawns.values()
        return ("P", *straight) if is_free else first


class DiagonalBoard(Board):
    """Treats all eight squares around a pawn as its neighbours."""

    def steps(self, player: int) -> set[Square]:
        c, r = self.pawns[player]
        corners = {(c + across, r + down) for across in (-1, 1) for down in (-1, 1)}
        on_board = {corner for corner in corners if min(corner) >= 0 and max(corner) < self.size}
        return super().steps(player) | (on_board - set(self.pawns.values()))


class StepsDiagonally(WalkerServer):
    def make_board(self, players: int) -> Board:
        return DiagonalBoard(players)


class ThreeOnTheRight(Board):
    """Swaps the sides of players 3 and 4."""

    def __init__(self, players: int) -> None:
        super().__init__(players)
        if players == 4:
            self.pawns[3], self.pawns[4] = self.pawns[4], self.pawns[3]

    def is_goal(self, player: int, square: Square) -> bool:
        return super().is_goal({3: 4, 4: 3}.get(player, player), square)


class ExchangesThreeAndFour(WalkerServer):
    def make_board(self, players: int) -> Board:
        return ThreeOnTheRight(players)


class StepsOff(WalkerServer):
    def write(self, move: Move) -> str:
        return "(4, 9)" if move[0] == "P" else super().write(move)


class StaysWhereItIs(WalkerServer):
    def write(self, move: Move) -> str:
        here = self.board.pawns[self.player]
        return super().write(("P", *here) if move[0] == "P" else move)


class KeepsGhosts(WalkerServer):
    async def gote(self, player: int) -> bool:
        return player == self.player


class RemovesWalls(WalkerServer):
    async def gote(self, player: int) -> bool:
        self.board.remove_walls_of(player)
        return await super().gote(player)


class EndsWithOthers(WalkerServer):
    async def gote(self, player: int) -> bool:
        return True


class EndsWithTheLast(WalkerServer):
    async def gote(self, player: int) -> bool:
        return await super().gote(player) or len(self.board.pawns) == 1


class PlaysTwoOnly(WalkerServer):
    async def game(self, player: int, names: list[str]) -> None:
        assert len(names) == 2
        await super().game(player, names)


class TakesFourForTwo(WalkerServer):
    """Sets up two pawns regardless of the number of names."""

    def make_board(self, players: int) -> Board:
        return super().make_board(2)

    async def atari(self, player: int, move: Move) -> None:
        assert player in self.board.pawns
        await super().atari(player, move)


class ArguesWhenOut(WalkerServer):
    async def gote(self, player: int) -> bool:
        if player == self.player:
            await self.say("but why?")
        return await super().gote(player)


class PlaysOnce(WalkerServer):
    async def __call__(self, stream: trio.abc.Stream) -> None:
        if self.connections:
            return
        await super().__call__(stream)


class SeesNoWallsOnce(PlaysOnce, SeesNoWalls):
    """Plays a single game, so that its fault stays ambiguous."""


class AvoidsJumps(WalkerServer):
    def step(self) -> Move:
        ways, (column, row) = self.board.ways(self.player), self.board.pawns[self.player]

        def rank(square: Square) -> tuple[bool, int, Square]:
            is_jump = abs(square[0] - column) + abs(square[1] - row) > 1
            return is_jump, ways.get(square, 99), square

        return ("P", *min(self.board.steps(self.player), key=rank))


class DiesWithItsClient(WalkerServer):
    """Accepts no connection after a client has left in the middle of a game."""

    is_dead = False

    async def __call__(self, stream: trio.abc.Stream) -> None:
        if self.is_dead:
            return
        self.is_over = False
        await super().__call__(stream)
        self.is_dead = not self.is_over

    async def handle(self, line: str) -> bool:
        self.is_over = await super().handle(line)
        return self.is_over


class AnswersTheEnd(WalkerServer):
    async def kikashi(self) -> bool:
        await self.say("good game")
        return True


class KeepsItsBoard(WalkerServer):
    def make_board(self, players: int) -> Board:
        if hasattr(self, "board") and self.board.players == players:
            return self.board
        return super().make_board(players)


class ReadsPackets(WalkerServer):
    """Treats the result of one read as a message."""

    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        return [data.decode().strip()], b""


class ReadsOneLineOfAPacket(WalkerServer):
    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        lines, rest = super().cut(data)
        return lines[:1], rest


class ChokesOnCr(WalkerServer):
    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        *lines, rest = data.split(b"\n")
        return [line.decode() for line in lines], rest

    async def handle(self, line: str) -> bool:
        if line.endswith("\r"):
            raise ValueError
        return await super().handle(line)


class ChokesOnBlanks(WalkerServer):
    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        *lines, rest = data.split(b"\n")
        return [line.decode().removesuffix("\r") for line in lines], rest

    async def handle(self, line: str) -> bool:
        if line.endswith(" "):
            raise ValueError
        return await super().handle(line)


class WantsColons(WalkerServer):
    async def game(self, player: int, names: list[str]) -> None:
        if not all(":" in name for name in names):
            raise ValueError
        await super().game(player, names)


class FindsItselfByName(WalkerServer):
    async def game(self, player: int, names: list[str]) -> None:
        await super().game(names.index(self.name) + 1, names)


class Slow(WalkerServer):
    async def myoushu(self) -> None:
        await trio.sleep(6)
        await super().myoushu()


class TooSlow(WalkerServer):
    async def myoushu(self) -> None:
        await trio.sleep(11)
        await super().myoushu()


class GoesNowhere(WalkerServer):
    wall_every = 100

    def step(self) -> Move:
        steps = self.board.steps(self.player)
        ways = self.board.ways(self.player)
        return ("P", *max(steps, key=lambda square: (ways[square], square)))


class GoesNowhereAsFour(GoesNowhere):
    def step(self) -> Move:
        return super().step() if self.player == 4 else WalkerServer.step(self)


class SmallLetters(WalkerServer):
    async def say(self, text: str) -> None:
        await super().say(text.replace("TESUJI", "tesuji"))


class Cramped(WalkerServer):
    def write(self, move: Move) -> str:
        return super().write(move).replace(" ", "")


class CrLf(WalkerServer):
    line_end = "\r\n"


class PlainName(WalkerServer):
    name = "walker"


class WalksAway(WalkerServer):
    """Walks away from its goal line except for every eighth move."""

    wall_every = 100

    def step(self) -> Move:
        ways = self.board.ways(self.player)
        choose = min if self.moves % 8 == 2 else max
        return ("P", *choose(self.board.steps(self.player), key=lambda square: (ways[square], square)))


class ExchangesGoals(WalkerServer):
    """Walks to the goal line of the player opposite."""

    def make_board(self, players: int) -> Board:
        return ExchangedBoard(players)


class ExchangedBoard(Board):
    def is_goal(self, player: int, square: Square) -> bool:
        return super().is_goal({1: 2, 2: 1, 3: 4, 4: 3}[player], square)


class AimsAtRow8(WalkerServer):
    """Walks to row 8 as player 3."""

    def make_board(self, players: int) -> Board:
        return DownwardBoard(players)


class DownwardBoard(Board):
    def is_goal(self, player: int, square: Square) -> bool:
        return super().is_goal(1 if player == 3 else player, square)


class DiesOfUnknownLines(WalkerServer):
    async def handle(self, line: str) -> bool:
        if line.split(maxsplit=1)[0] not in {"HELLO", "GAME", "MYOUSHU", "ATARI", "GOTE", "KIKASHI"}:
            raise ValueError
        return await super().handle(line)


class AnswersUnknownLines(DiesOfUnknownLines):
    async def handle(self, line: str) -> bool:
        try:
            return await super().handle(line)
        except ValueError:
            await self.say("ERROR unknown command")
            return False


class HangsOnTheSecondConnection(WalkerServer):
    async def __call__(self, stream: trio.abc.Stream) -> None:
        if self.connections:
            await trio.sleep_forever()
        await super().__call__(stream)


class StraightBoard(Board):
    """Knows no jumps to the side."""

    def steps(self, player: int) -> set[Square]:
        here = self.pawns[player]
        others = {square for number, square in self.pawns.items() if number != player}
        found = set()
        for there in self.open_from(here):
            straight = 2 * there[0] - here[0], 2 * there[1] - here[1]
            if there not in others:
                found.add(there)
            elif straight in set(self.open_from(there)) - others:
                found.add(straight)
        return found


class JumpsStraightOnly(WalkerServer):
    wall_every = 1000

    def make_board(self, players: int) -> Board:
        return StraightBoard(players)


class BuildsAndJumpsStraight(JumpsStraightOnly):
    """Places all its walls before it walks."""

    wall_every = 1


class HindersAndJumpsStraight(WallsWhereTheyPay):
    def make_board(self, players: int) -> Board:
        return StraightBoard(players)


class BuildsAndAimsAtRow8(AimsAtRow8):
    """Places all its walls before it walks."""

    wall_every = 1


class AimsAtRow8FromTheRight(AimsAtRow8):
    """Walks on to the right when it believes that it has won."""

    def step(self) -> Move:
        ways = self.board.ways(self.player)
        steps = self.board.steps(self.player)
        return ("P", *min(steps, key=lambda square: (ways.get(square, 99), -square[0], -square[1])))


class IgnoresThreeAndFour(WalkerServer):
    """Believes that every game has two players, and skips the lines about others."""

    async def game(self, player: int, names: list[str]) -> None:
        await super().game(player if player < 3 else player - 2, names[:2])

    async def atari(self, player: int, move: Move) -> None:
        if player < 3:
            await super().atari(player, move)


class PlaysOnlyForTwo(WalkerServer):
    """Moves only when it believes that it is its turn among two."""

    last = 2

    async def game(self, player: int, names: list[str]) -> None:
        await super().game(player, names)
        self.last = 2

    async def atari(self, player: int, move: Move) -> None:
        await super().atari(player, move)
        self.last = player

    async def myoushu(self) -> None:
        if self.last == 3 - self.player:
            await super().myoushu()


class WaitsForTheOpponent(WalkerServer):
    """Hangs in games of four, where it has more than one opponent."""

    async def game(self, player: int, names: list[str]) -> None:
        (self.opponent,) = [number for number in range(1, len(names) + 1) if number != player][:1]
        await super().game(player, names)
        if len(names) != 2:
            await trio.sleep_forever()


class NeverCountsWalls(WalkerServer):
    """Places a wall every third move, however many it has placed."""

    def make_board(self, players: int) -> Board:
        return Millionaire(players)


class ChecksItselfOnly(WallsWhereTheyPay):
    """Looks only for its own path when it places a wall."""

    def may_place(self, wall: Move) -> bool:
        board = self.board
        return board.left[self.player] > 0 and board.fits(wall) and self.leaves_path(wall, [self.player])

    def leaves_path(self, wall: Move, players: list[int]) -> bool:
        closed = self.board.closed
        self.board.closed = closed | set(self.board.edges(wall))
        try:
            return all(self.board.pawns[player] in self.board.ways(player) for player in players)
        finally:
            self.board.closed = closed


class ChecksPlayersOneAndThree(ChecksItselfOnly):
    def leaves_path(self, wall: Move, players: list[int]) -> bool:
        return super().leaves_path(wall, [player for player in self.board.pawns if player in {1, 3}])


class ChecksBeforeTheWall(ChecksItselfOnly):
    """Looks for paths on the board without the new wall."""

    def leaves_path(self, wall: Move, players: list[int]) -> bool:
        return all(self.board.pawns[player] in self.board.ways(player) for player in self.board.pawns)


class ChecksForAnyEdge(ChecksItselfOnly):
    """Is satisfied with a path to any edge of the board."""

    def leaves_path(self, wall: Move, players: list[int]) -> bool:
        closed = self.board.closed
        self.board.closed = closed | set(self.board.edges(wall))
        try:
            lines = [self.board.ways(player) for player in self.board.pawns]
            return all(any(pawn in line for line in lines) for pawn in self.board.pawns.values())
        finally:
            self.board.closed = closed


#: Codes of findings, and servers with these bugs.
BUGS: list[tuple[str, type[WalkerServer]]] = [
    ("LAN-101", Silent),
    ("LAN-102", HangsUp),
    ("LAN-103", SaysHello),
    ("LAN-104", TwoNames),
    ("LAN-104", Nameless),
    ("LAN-105", Welcomes),
    ("LAN-106", PlainName),
    ("LAN-107", SaysMore),
    ("LAN-107", LogsFirst),
    ("LAN-108", CrLf),
    ("LAN-109", Endless),
    ("LAN-110", Babbles),
    ("LAN-111", Confirms),
    ("LAN-111", ConfirmsTheGame),
    ("LAN-111", LogsItsThoughts),
    ("LAN-111", MovesUnasked),
    ("LAN-112", CountsFromZero),
    ("LAN-112", AlwaysFirst),
    ("LAN-112", InOrderOfPlay),
    ("LAN-113", DiesOfTheGame),
    ("LAN-113", DiesOfAWall),
    ("LAN-114", PlaysTwoOnly),
    ("LAN-114", TakesFourForTwo),
    ("LAN-115", ExchangesThreeAndFour),
    ("LAN-121", NeverMoves),
    ("LAN-121", TooSlow),
    ("LAN-122", DiesThinking),
    ("LAN-123", LosesTheKeyword),
    ("LAN-123", Misspells),
    ("LAN-124", NoBrackets),
    ("LAN-124", NoComma),
    ("LAN-124", Chess),
    ("LAN-124", FlatWalls),
    ("LAN-125", SmallLetters),
    ("LAN-125", Cramped),
    ("LAN-126", MovesTwice),
    ("LAN-131", WritesRowFirst),
    ("LAN-132", CountsRowsUp),
    ("LAN-133", WritesFromOne),
    ("LAN-134", WallsAtTheEdge),
    ("LAN-135", WritesWallsRowFirst),
    ("LAN-135", TurnsTheWallsThatItWrites),
    ("LAN-139", TwoSquaresAtOnce),
    ("LAN-140", ForgetsOldWalls),
    ("LAN-147", SeesNoWallsOnce),
    ("LAN-141", SwapsWalls),
    ("LAN-141", SwapsWallsOfOthers),
    ("LAN-141", TransposesWalls),
    ("LAN-142", WallsFromOne),
    ("LAN-143", WallsFromTheBottom),
    ("LAN-143", WallsBelowTheirRow),
    ("LAN-144", WallsAbove),
    ("LAN-144", HorizontalWallsAbove),
    ("LAN-144", VerticalWallsLeft),
    ("LAN-145", WallsToTheLeft),
    ("LAN-146", TurnsWalls),
    ("LAN-147", SeesNoWalls),
    ("LAN-147", WalksThroughVerticalWalls),
    ("LAN-147", WalksThroughHorizontalWalls),
    ("LAN-147", ForgetsWallsOnItsWay),
    ("LAN-147", PlansAhead),
    ("LAN-148", ShortWalls),
    ("LAN-148", ShortVerticalWalls),
    ("LAN-148", ShortHorizontalWalls),
    ("LAN-149", WallsToTheRight),
    ("LAN-149", WallsBelow),
    ("LAN-149", WallsFromTheRight),
    ("LAN-151", SwapsPawns),
    ("LAN-152", SeesNoPawns),
    ("LAN-147", SeesOnlyItself),
    ("LAN-153", ForgetsItself),
    ("LAN-153", FollowsTwoPlayers),
    ("LAN-154", ReadsRowFirst),
    ("LAN-154", ReadsSquaresRowFirst),
    ("LAN-154", ReadsFromOne),
    ("LAN-154", ReadsFromTheBottom),
    ("LAN-155", CountsNoWalls),
    ("LAN-155", TenWallsOfFour),
    ("LAN-155", CountsNoWallsWhereTheyPay),
    ("LAN-156", StepsOnPawns),
    ("LAN-157", JumpsOverWalls),
    ("LAN-157", JumpsRoundWalls),
    ("LAN-158", PlaysClassroom),
    ("LAN-158", JumpsSidewaysOnly),
    ("LAN-159", CrossesWalls),
    ("LAN-159", CrossesWallsWhereTheyPay),
    ("LAN-160", OverlapsWalls),
    ("LAN-160", OverlapsWallsWhereTheyPay),
    ("LAN-160", RepeatsAWall),
    ("LAN-161", KeepsGhosts),
    ("LAN-162", RemovesWalls),
    ("LAN-163", ShutsIn),
    ("LAN-163", ShutsInWhereItPays),
    ("LAN-164", StepsDiagonally),
    ("LAN-165", StepsOff),
    ("LAN-166", StaysWhereItIs),
    ("LAN-167", EndsWithTheLast),
    ("LAN-168", ArguesWhenOut),
    ("LAN-169", EndsWithOthers),
    ("LAN-171", PlaysOnce),
    ("LAN-172", DiesWithItsClient),
    ("LAN-173", AnswersTheEnd),
    ("LAN-174", KeepsItsBoard),
    ("LAN-181", ReadsPackets),
    ("LAN-182", ReadsOneLineOfAPacket),
    ("LAN-183", ChokesOnCr),
    ("LAN-184", ChokesOnBlanks),
    ("LAN-185", WantsColons),
    ("LAN-185", FindsItselfByName),
    ("LAN-191", Slow),
    ("LAN-192", WalksAway),
    ("LAN-193", GoesNowhere),
    ("LAN-193", GoesNowhereAsFour),
    ("LAN-193", ExchangesGoals),
    ("LAN-193", AimsAtRow8),
    ("LAN-193", BuildsAndAimsAtRow8),
    ("LAN-193", AimsAtRow8FromTheRight),
    ("LAN-194", DiesOfUnknownLines),
    ("LAN-194", AnswersUnknownLines),
    ("LAN-195", HangsOnTheSecondConnection),
    ("LAN-196", JumpsStraightOnly),
    ("LAN-196", BuildsAndJumpsStraight),
    ("LAN-196", HindersAndJumpsStraight),
    ("LAN-114", IgnoresThreeAndFour),
    ("LAN-114", PlaysOnlyForTwo),
    ("LAN-114", WaitsForTheOpponent),
    ("LAN-155", NeverCountsWalls),
    ("LAN-163", ChecksItselfOnly),
    ("LAN-163", ChecksPlayersOneAndThree),
    ("LAN-163", ChecksBeforeTheWall),
    ("LAN-163", ChecksForAnyEdge),
]


class MovesAtOnce(WalkerServer):
    """Makes its own move when it sends it instead of when it is reported."""

    async def myoushu(self) -> None:
        self.moves += 1
        move = self.choose()
        self.make(self.player, move)
        await self.say(f"TESUJI {self.write(move)}")

    async def atari(self, player: int, move: Move) -> None:
        if player != self.player:
            await super().atari(player, move)


class OnlyWalks(WalkerServer):
    wall_every = 1000


class OnlyBuilds(WalkerServer):
    wall_every = 1


class Thinks(WalkerServer):
    async def myoushu(self) -> None:
        await trio.sleep(4)
        await super().myoushu()


class GreetsLate(WalkerServer):
    async def hello(self) -> None:
        await trio.sleep(4)
        await super().hello()


class OneByteAtATime(WalkerServer):
    async def say(self, text: str) -> None:
        for letter in text + self.line_end:
            await self.stream.send_all(letter.encode())
            await trio.sleep(0.001)


class StaysConnected(WalkerServer):
    """Waits for the client to close the connection."""

    async def kikashi(self) -> bool:
        return False

    async def gote(self, player: int) -> bool:
        await super().gote(player)
        return False


class PrefersTheRight(WalkerServer):
    """Prefers other columns, and thus other paths around the walls."""

    def step(self) -> Move:
        ways = self.board.ways(self.player)
        best = min(
            self.board.steps(self.player), key=lambda square: (ways.get(square, 99), (-square[0], -square[1]))
        )
        return ("P", *best)


class Wanders(WalkerServer):
    """Chooses steps pseudo-randomly."""

    def choose(self) -> Move:
        steps = sorted(self.board.steps(self.player))
        return ("P", *steps[(self.moves * 7 + 3) % len(steps)])


class LongName(WalkerServer):
    name = "ann:" + "n" * 196


class OneAtATime(WalkerServer):
    """Accepts the next connection when the last one has ended."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = trio.Lock()

    async def __call__(self, stream: trio.abc.Stream) -> None:
        async with self._lock:
            await super().__call__(stream)


class LonelyName(WalkerServer):
    name = "!"


class WritesW(WalkerServer):
    """Writes w for a vertical wall: "an h or w"."""

    def write(self, move: Move) -> str:
        return super().write(move).replace("v", "w")


class LikeThoseOf2016(PlaysClassroom, WantsColons, ReadsPackets, CrLf):
    """Has all the usual faults of programs of that class, but plays more than one game."""

    async def gote(self, player: int) -> bool:
        if player != self.player:
            raise ValueError
        return True


#: Servers that follow the document, or break it no more than the programs of 2016.
UNUSUAL: list[type[WalkerServer]] = [
    MovesAtOnce,
    OnlyWalks,
    OnlyBuilds,
    WallsOffTheChecker,
    WallsWhereTheyPay,
    Thinks,
    GreetsLate,
    OneByteAtATime,
    StaysConnected,
    PrefersTheRight,
    Wanders,
    LongName,
    OneAtATime,
    LonelyName,
    WritesW,
    CrLf,
    SmallLetters,
    Cramped,
    PlaysClassroom,
    PlainName,
    WalksAway,
    PlaysOnce,
]
