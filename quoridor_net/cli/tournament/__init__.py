"""``quoridor tournament``: Quoridor tournaments, from two engines to a whole class."""

from __future__ import annotations

from quoridor_net.cli.lazy_group import Lazy, lazy_group

COMMANDS = {
    "add": Lazy("quoridor_net.cli.tournament.control:add", "Add an entrant to a tournament."),
    "award": Lazy("quoridor_net.cli.tournament.control:award", "Award a game that has not started."),
    "backup": Lazy("quoridor_net.cli.tournament.archive:backup", "Copy the file of a tournament."),
    "games": Lazy("quoridor_net.cli.tournament.archive:games", "Write the games of a tournament as replays."),
    "pair": Lazy("quoridor_net.cli.tournament.control:pair", "Choose pairings of the next round."),
    "renew": Lazy("quoridor_net.cli.tournament.control:renew", "Announce a new version of an entrant."),
    "resume": Lazy("quoridor_net.cli.tournament.run:resume", "Resume a tournament."),
    "run": Lazy("quoridor_net.cli.tournament.run:run", "Play a tournament."),
    "set": Lazy("quoridor_net.cli.tournament.control:set_", "Change a setting of a tournament."),
    "show": Lazy("quoridor_net.cli.tournament.show:show", "Show standings, crosstable and games."),
    "stop": Lazy("quoridor_net.cli.tournament.control:stop", "Finish the running games, then pause."),
    "verify": Lazy("quoridor_net.cli.tournament.archive:verify", "Replay every move and check every table."),
    "withdraw": Lazy("quoridor_net.cli.tournament.control:withdraw", "Withdraw an entrant."),
}


@lazy_group(COMMANDS)
def tournament() -> None:
    """Play tournaments between move servers, engines and built-in players."""
