"""The training commands; each is imported only when it runs."""

from __future__ import annotations

from quoridor_net.cli.lazy_group import Lazy, lazy_group

COMMANDS = {
    "games": Lazy("training.games:main", "Play games of the engine against itself, for training."),
    "network": Lazy("training.network:main", "Train the network for two players; needs PyTorch."),
    "weights": Lazy("training.weights:main", "Fit the weights of the linear evaluation."),
    "book": Lazy("training.book:main", "Build the opening book."),
    "balanced": Lazy("training.balanced:main", "Find balanced openings for tournaments."),
    "clobber": Lazy("training.clobber:main", "Train the evaluation of Clobber."),
    "seat-network": Lazy("training.seat_network:main", "Train the network for four players."),
    "styles": Lazy("training.styles:main", "Fit the styles of the opponent model."),
    "puzzles": Lazy("training.puzzles:main", "Find the puzzles of the pages, proved by the exact solver."),
    "chances": Lazy("training.chances:main", "Fit the scales of winning chances."),
}


@lazy_group(COMMANDS)
def main() -> None:
    """Rebuild what the engines have learned: networks, weights, book, openings."""


if __name__ == "__main__":
    main(prog_name="python -m training")
