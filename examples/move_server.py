"""A move server of the 2016 Quoridor protocol in Python that needs only the standard library.

    python move_server.py --port 5858

docs/rules.md has the rules (R1, R2 ... below) and docs/handout.md the protocol. Squares are (column, row),
counted from 0 at the top left. The wall (c, r, "h") lies below (c, r) and (c + 1, r), and (c, r, "v") lies
right of (c, r) and (c, r + 1).
"""

from __future__ import annotations

import argparse
import contextlib
import re
import socketserver
from collections import deque

NAME = "exp:walker"  # some clients expect three characters before the colon
SIZE = 9
UNREACHABLE = 999
DIRECTIONS = [(0, 1), (0, -1), (1, 0), (-1, 0)]

Square = tuple[int, int]
Wall = tuple[int, int, str]


class Board:
    """The position and its legal moves."""

    def __init__(self, players: int) -> None:
        starts = {1: (4, 0), 2: (4, 8), 3: (0, 4), 4: (8, 4)}
        # Only players in the game have a pawn here.
        self.pawns: dict[int, Square] = {player: starts[player] for player in range(1, players + 1)}
        self.walls_left = dict.fromkeys(self.pawns, 10 if players == 2 else 5)
        self.walls: set[Wall] = set()

    def is_open(self, start: Square, direction: Square) -> bool:
        """Return whether no edge or wall blocks the path to the neighbouring square (R5)."""
        column, row = start[0] + direction[0], start[1] + direction[1]
        if not (0 <= column < SIZE and 0 <= row < SIZE):
            return False
        column, row = min(column, start[0]), min(row, start[1])
        if direction[0] == 0:  # up or down: a horizontal wall may begin here or one column to the left
            return not self.walls & {(column, row, "h"), (column - 1, row, "h")}
        return not self.walls & {(column, row, "v"), (column, row - 1, "v")}

    def distance(self, player: int, start: Square) -> int:
        """Return the number of steps from a square to the player's goal line; pawns do not block it (R11)."""
        # The goal is a row (axis 1) for players 1 and 2, a column (axis 0) for 3 and 4; the last for 1 and 3.
        axis, goal = (1 if player <= 2 else 0), (SIZE - 1 if player in {1, 3} else 0)
        steps = {start: 0}
        queue = deque([start])
        while queue:
            square = queue.popleft()
            if square[axis] == goal:
                return steps[square]
            for direction in DIRECTIONS:
                beside = square[0] + direction[0], square[1] + direction[1]
                if beside not in steps and self.is_open(square, direction):
                    steps[beside] = steps[square] + 1
                    queue.append(beside)
        return UNREACHABLE

    def path_length(self, player: int) -> int:
        """Return the number of steps from the player's pawn to its goal line."""
        return self.distance(player, self.pawns[player])

    def legal_steps(self, player: int) -> list[Square]:
        """Return the squares that the player's pawn may step to (R6 to R9)."""
        found = []
        taken = set(self.pawns.values())
        column, row = here = self.pawns[player]
        for right, down in DIRECTIONS:
            beside = column + right, row + down
            behind = column + 2 * right, row + 2 * down
            if not self.is_open(here, (right, down)):
                continue
            if beside not in taken:
                found.append(beside)
            elif self.is_open(beside, (right, down)) and behind not in taken:
                found.append(behind)  # straight over the other pawn
            else:
                for turn in DIRECTIONS:  # to its sides; our own pawn is on the fourth square
                    side = beside[0] + turn[0], beside[1] + turn[1]
                    if self.is_open(beside, turn) and side not in taken:
                        found.append(side)
        return found

    def is_legal_wall(self, player: int, wall: Wall) -> bool:
        """Return whether the player may place this wall."""
        column, row, kind = wall
        if self.walls_left[player] == 0 or not (0 <= column < SIZE - 1 and 0 <= row < SIZE - 1):
            return False
        along, down = (1, 0) if kind == "h" else (0, 1)
        closed: set[Wall] = {  # R10: the same wall, one across it, and those that overlap it
            (column, row, "h"),
            (column, row, "v"),
            (column - along, row - down, kind),
            (column + along, row + down, kind),
        }
        if self.walls & closed:
            return False
        self.walls.add(wall)
        all_have_a_path = all(self.path_length(other) < UNREACHABLE for other in self.pawns)  # R11
        self.walls.remove(wall)
        return all_have_a_path

    def make(self, player: int, move: Square | Wall) -> None:
        """Make a move that the client reported."""
        if len(move) == 2:
            self.pawns[player] = move
        else:
            self.walls.add(move)
            self.walls_left[player] -= 1


# The player: the part to improve.


def best_wall(board: Board, player: int, rival: int, reach: int, gain: int) -> Wall | None:
    """Return the wall near the rival that lengthens its path most, compared with ours, and over ``gain``."""
    best = None
    column, row = board.pawns[rival]
    lead = board.path_length(rival) - board.path_length(player)
    for wall in [
        (c, r, kind)
        for c in range(column - reach, column + reach)
        for r in range(row - reach, row + reach)
        for kind in "hv"
    ]:
        if board.is_legal_wall(player, wall):
            board.walls.add(wall)
            gained = board.path_length(rival) - board.path_length(player) - lead
            board.walls.remove(wall)
            if gained > gain:
                best, gain = wall, gained
    return best


def choose(board: Board, player: int) -> Square | Wall | None:
    """Choose a move for ``player``, whose turn it is; None without a legal move."""
    rivals = [other for other in board.pawns if other != player]
    rival = min(rivals, key=board.path_length, default=player)
    if board.path_length(rival) < board.path_length(player):  # the rival is closer: block it
        wall = best_wall(board, player, rival, reach=2, gain=0)
        if wall is not None:
            return wall
    steps = board.legal_steps(player)
    if steps:
        return min(steps, key=lambda square: board.distance(player, square))
    return best_wall(board, player, rival, reach=SIZE, gain=-UNREACHABLE)  # no legal step: any legal wall


# The protocol.


def parse_move(text: str) -> Square | Wall | None:
    """Parse a move such as ``(4, 1)`` or ``[(3, 1), h]``; return None for other text."""
    text = re.sub(r"\s", "", text).lower()
    if found := re.fullmatch(r"\(([0-8]),([0-8])\)", text):
        return int(found[1]), int(found[2])
    if found := re.fullmatch(r"\[\(([0-7]),([0-7])\),([hvw])\]", text):
        # The specification once says "h or w".
        return int(found[1]), int(found[2]), "h" if found[3] == "h" else "v"
    return None


def format_move(move: Square | Wall) -> str:
    """Format ``move`` for the protocol."""
    return f"({move[0]}, {move[1]})" if len(move) == 2 else f"[({move[0]}, {move[1]}), {move[2]}]"


class Session(socketserver.StreamRequestHandler):
    """The games of one client, in a separate thread."""

    board: Board | None = None
    player = 0

    def handle(self) -> None:
        """Answer lines until the game is over or the client has disconnected."""
        # TCP carries bytes, not lines: a line can arrive in parts, and several can arrive at once.
        # readline handles that; the number is its maximum length in bytes.
        with contextlib.suppress(ConnectionError):
            while line := self.rfile.readline(1024):
                if not self.answer(line.decode("utf-8", "replace")):
                    return

    def answer(self, line: str) -> bool:
        """Answer one line; return False once the game is over for this player. Invalid lines are ignored."""
        word, number, rest = [*line.split(maxsplit=2), "", "", ""][:3]
        word, names = word.upper(), rest.split()
        player = int(number) if re.fullmatch("[1-4]", number) else 0
        if word == "HELLO":
            self.send(f"IAM {NAME}")
        elif word == "GAME" and 0 < player <= len(names) and len(names) in {2, 4}:
            self.board, self.player = Board(len(names)), player
        elif self.board is not None and word == "MYOUSHU":
            # The move is made only when ATARI reports it, like all moves.
            move = choose(self.board, self.player)
            if move is not None:
                self.send(f"TESUJI {format_move(move)}")
        elif self.board is not None and player in self.board.pawns:
            move = parse_move(rest)
            if word == "ATARI" and move is not None:
                self.board.make(player, move)
            elif word == "GOTE":
                del self.board.pawns[player]  # its walls stay
                return player != self.player
            elif word == "KIKASHI":
                return False
        return True

    def send(self, line: str) -> None:
        """Send a line in one write."""
        self.wfile.write(f"{line}\n".encode())


class Server(socketserver.ThreadingTCPServer):
    """One thread per client, for concurrent games."""

    allow_reuse_address = True  # allow a restart at once
    daemon_threads = True


def main() -> None:
    """Listen until Ctrl-C."""
    parser = argparse.ArgumentParser(description="A move server of the 2016 Quoridor protocol.")
    parser.add_argument("--port", type=int, required=True)
    with Server(("", parser.parse_args().port), Session) as server:
        print(f"{NAME} is ready on port {server.server_address[1]}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
