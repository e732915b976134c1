"""A tiny Athens engine with one bad habit, named by its first argument. It imports nothing of the project.

Black goes one square aside and straight down, white straight up, so the two never meet and white wins.
"""

from __future__ import annotations

import os
import signal
import sys
import time

#: Variables that an engine may or may not find in its environment.
WANTED = ("SECRET_TOKEN", "PATH", "LC_TIME", "PYTHONUNBUFFERED")

#: Ways of writing a successful response, by habit.
FORMS = {
    "no_blank": "={}\n\n",
    "blank_first": " = {} \n\n",
    "one_newline": "= {}\n",
    "many_newlines": "\n\n= {}\n\n\n\n",
    "prompt": "quoridor> = {}\n\n",
    "debug_lines": "thinking\n# depth 3\n  eval 5\n= {}\nnodes 77\n\nbye\n",
    "replies_twice": "= {}\n\n=\n\n",
    "words_after": "= {} winrate:0.87\n\n",
    "control_characters": "\a=\t{}\b\n\n",
    "split_reply": "= \n{}\n\n",
    "split_by_blank_line": "= \n\n{}\n",
    "comment_inside": "= # here it comes\n# now\n{}\n\n",
}


class SloppyEngine:
    def __init__(self, habit: str) -> None:
        # The habit shows during the setup of the board instead of the game.
        self.is_early = habit.startswith("early_")
        self.habit = habit.removeprefix("early_")
        self.size = 9
        self.moves = {"black": 0, "white": 0}
        self.commands = 0
        self.games = 0
        # An error held back until the next command arrives.
        self.held = ""

    def write(self, text: str) -> None:
        if self.habit == "cr_lf":
            text = text.replace("\n", "\r\n")
        sys.stdout.write(text)
        if self.habit != "block_buffered":
            sys.stdout.flush()

    def answer(self, text: str) -> None:
        if self.habit == "one_byte_at_a_time":
            for letter in f"= {text}\n\n":
                self.write(letter)
        elif self.habit in FORMS and (text or self.habit != "split_by_blank_line"):
            self.write(FORMS[self.habit].format(text))
        elif self.habit == "lower_case":
            self.write(f"= {text.lower()}\n\n")
        else:
            self.write(f"= {text}\n\n" if text else "=\n\n")

    def genmove(self, colour: str) -> str:
        done = self.moves[colour]
        self.moves[colour] += 1
        column = self.size // 2
        if colour == "white":
            return f"{'ABCDEFGHIJKLMNOPQRSTUVWXY'[column]}{done + 2}"
        return f"{'ABCDEFGHIJKLMNOPQRSTUVWXY'[column - 1]}{self.size - done}"

    def misbehave(self, command: str) -> None:  # noqa: C901 - a list of habits
        """Show the harmful habits."""
        moved = sum(self.moves.values())
        match self.habit, command:
            case "litters", "clear_board":
                for _ in range(20):
                    if (child := os.fork()) == 0:
                        os.fork()
                        os._exit(0)
                    os.waitpid(child, 0)
                time.sleep(0.2)
            case "litters", "genmove":
                time.sleep(600)
            case "crashes_on_clear_board", "clear_board":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "crashes_on_second_game", "boardsize":
                if moved:
                    os.abort()
            case "crashes_in_second_game", ("genmove" | "playmove"):
                # In the second move of either side.
                if self.games > 1 and moved:
                    os.abort()
            case "crashes_early_in_second_game", ("genmove" | "playmove"):
                if self.games > 1:
                    os.abort()
            case "raises", "genmove":
                raise RuntimeError("I give up")
            case "ends", "genmove":
                sys.exit(0)
            case (("hangs" | "ignores_signals" | "forks" | "escapes" | "breeds" | "hides"), "genmove"):
                time.sleep(600)
            case "late", "genmove":
                time.sleep(1.0)
            case "signals", "genmove":
                # Send the signal given by the second argument to the parent, once.
                if moved < 2:
                    os.kill(os.getppid(), int(sys.argv[2]))
            case "suspends", "genmove":
                if moved < 2:
                    os.kill(os.getppid(), signal.SIGSTOP)
                    time.sleep(1.2)
                    os.kill(os.getppid(), signal.SIGCONT)
            case "floods", "genmove":
                # Long lines, because the reader needs more time for many short ones.
                line = "all work and no play makes Jack a dull boy " * 20
                while True:
                    sys.stdout.write(f"{line}\n" * 50)
            case "endless_line", "genmove":
                while True:
                    sys.stdout.write("x" * 10000)
            case "fills_memory", "genmove":
                hoard = []
                while True:
                    hoard.append(bytearray(1 << 20))
            case "burns_time", "genmove":
                while True:
                    pass
            case "needs_room", "genmove":
                print(
                    "Error occurred during initialization of VM\nCould not reserve enough space", flush=True
                )
                sys.exit(1)
            case "has_stand_in", "genmove":
                sys.stderr.write(
                    "engine: loads\nengine: not ready: known openings and the simple player move\n"
                )
            case "screams", "genmove":
                sys.stderr.write("error! " * 1_000_000)
            case "leaves_zombies", _:
                # Its child dies, so its grandchild has lost its parent when it dies.
                if (child := os.fork()) == 0:
                    os.fork()
                    os._exit(0)
                os.waitpid(child, 0)
            case "leaves_when_idle", "playmove":
                self.answer("")
                sys.exit(3)

    def run(self) -> None:  # noqa: C901 - a list of habits
        if self.habit == "ignores_signals":
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
                signal.signal(number, signal.SIG_IGN)
        sleep = [sys.executable, "-S", "-c", "import time; time.sleep(600)", *sys.argv[2:]]
        if self.habit == "has_helper" and os.fork() == 0:
            os.setsid()
            os.execve(sys.executable, sleep, {})
        if self.habit in {"forks", "escapes", "hides", "leaves_helpers"}:
            for _ in range(3):
                if os.fork() == 0:
                    if self.habit != "forks":
                        os.setsid()
                        if os.fork():
                            os._exit(0)
                    if self.habit in {"hides", "leaves_helpers"}:
                        os.execve(sys.executable, sleep, {})
                    time.sleep(600)
        if self.habit == "breeds":
            for _ in range(6):
                if os.fork() == 0:
                    breed()
        if self.habit == "silent":
            time.sleep(600)
        if self.habit == "refuses_seed" and "-seed" in sys.argv:
            sys.stderr.write("usage: engine\n")
            sys.exit(2)
        if self.habit == "crashes_at_start":
            sys.exit("no weights")
        for line in sys.stdin:
            self.commands += 1
            self.do(line.split())

    def do(self, words: list[str]) -> None:  # noqa: C901 - a list of commands
        command = words[0]
        self.write(self.held)
        self.held = ""
        self.misbehave("genmove" if self.is_early and command == "boardsize" else command)
        match command:
            case "boardsize":
                self.size = int(words[1])
                self.games += 1
                if self.habit == "refuses_size" or (self.habit == "refuses_second_game" and self.games > 1):
                    self.write("? unacceptable size\n\n")
                    return
                self.answer("")
            case "clear_board":
                self.moves = {"black": 0, "white": 0}
                self.answer("")
            case "name":
                names = {
                    "nameless": "? I know no such thing\n\n",
                    "empty_name": "=\n\n",
                    "silent_on_name": "",
                    "tells_environment": f"= {' '.join(name for name in WANTED if name in os.environ)}\n\n",
                    "writes_utf8": "= Zo\u00eb \u00e0 \u65e5\u672c\n\n",
                    "paints_name": "= \u009b2J Sloppy" + "y" * 1000 + "\n\n",
                }
                if self.habit == "holds_complaints":
                    self.held = "? unknown command\n\n"
                    return
                self.write(names.get(self.habit, "= Sloppy\n\n"))
            case "genmove":
                if self.habit in {"thinks", "ponders"}:
                    time.sleep(0.05 if self.habit == "thinks" else 0.5)
                text = {
                    "illegal": "E5",
                    "illegal_wall": "A1 h",
                    "off_board": "Z1",
                    "garbage": "my best move",
                    "empty": "",
                    "resigns": "Resign",
                }.get(self.habit)
                if self.habit == "complains_first":
                    self.write("? illegal placement\n\n")
                if self.habit == "fails":
                    self.write("? no idea\n\n")
                    return
                self.answer(self.genmove(words[1]) if text is None else text)
            case "playmove":
                complaints = {"refuses_moves": "illegal move", "knows_no_moves": "Unknown_Command: playmove"}
                if self.habit in complaints:
                    self.write(f"? {complaints[self.habit]}\n\n")
                    return
                self.answer("")
            case "winner":
                answers = {
                    "says_black": "= true black\n\n",
                    "silent_on_winner": "",
                    "says_true": "= True\n\n",
                }
                self.write(answers.get(self.habit, "= true white\n\n"))
            case "known_command" if self.habit != "knows_limits":
                self.write("? false\n\n")
            case "known_command":
                self.write("= true\n\n")
            case "quit":
                if self.habit == "ignores_quit":
                    while True:
                        time.sleep(600)
                self.answer("")
                sys.exit(0)
            case _:
                self.answer("")


def breed() -> None:
    """Continue as a new process in a new session every 20 ms, for 20 s."""
    for _ in range(1000):
        os.setsid()
        time.sleep(0.02)
        if os.fork():
            os._exit(0)
    os._exit(0)


if __name__ == "__main__":
    SloppyEngine(sys.argv[1]).run()
