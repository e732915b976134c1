"""The line of a program's last words that names its error."""

from __future__ import annotations

import pytest

from quoridor_net.programs.last_words import SHOWN, find_exception, find_telling_line, is_frame

JAVA = b"""\
Exception in thread "main" java.lang.NumberFormatException: For input string: "port"
\tat java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:67)
\tat java.base/java.lang.Integer.parseInt(Integer.java:668)
\tat MoveServer.main(MoveServer.java:12)
"""

JAVA_WITH_CAUSE = b"""\
java.lang.ExceptionInInitializerError
\tat MoveServer.main(MoveServer.java:12)
Caused by: java.lang.NullPointerException: no board
\tat Board.<clinit>(Board.java:3)
\t... 1 more
"""

JAVA_NOT_COMPILED = b"""\
MoveServer.java:3: error: ';' expected
    int port = 1
                ^
1 error
error: compilation failed
"""

PYTHON = b"""\
Traceback (most recent call last):
  File "bot.py", line 3, in <module>
    board["E9"]
    ~~~~~^^^^^^
KeyError: 'E9'
"""

CPP = b"""\
terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 9) >= this->size() (which is 9)
Aborted
"""

GO = b"""\
panic: runtime error: index out of range [9] with length 9

goroutine 1 [running]:
main.main()
\t/home/ann/bot.go:5 +0x1d
exit status 2
"""

RUST = b"""\
thread 'main' panicked at src/main.rs:3:5:
index out of bounds: the len is 9 but the index is 9
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""

NODE = b"""\
/home/ann/bot.js:3
  throw new Error("no board")
  ^

Error: no board
    at Object.<anonymous> (/home/ann/bot.js:3:9)
    at node:internal/main/run_main_module:28:49

Node.js v20.11.0
"""

SANITIZER = b"""\
=================================================================
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602
READ of size 4 at 0x602000000014 thread T0
    #0 0x55 in main bot.c:5
SUMMARY: AddressSanitizer: heap-buffer-overflow bot.c:5 in main
==7==ABORTING
"""


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            JAVA,
            (
                'Exception in thread "main" java.lang.NumberFormatException: For input string: "port"'
                " (at MoveServer.main(MoveServer.java:12))"
            ),
        ),
        (
            JAVA_WITH_CAUSE,
            (
                "java.lang.ExceptionInInitializerError; Caused by: java.lang.NullPointerException: no board"
                " (at MoveServer.main(MoveServer.java:12))"
            ),
        ),
        (JAVA_NOT_COMPILED, "MoveServer.java:3: error: ';' expected"),
        (b"Note: one\nNote: two\nerror: compilation failed\n", "error: compilation failed"),
        (PYTHON, "KeyError: 'E9'"),
        (b"Exception in thread Thread-1 (serve):\n" + PYTHON, "KeyError: 'E9'"),
        (
            CPP,
            (
                "terminate called after throwing an instance of 'std::out_of_range': what():  "
                "vector::_M_range_check: __n (which is 9) >= this->size() (which is 9)"
            ),
        ),
        (GO, "panic: runtime error: index out of range [9] with length 9"),
        (
            RUST,
            "thread 'main' panicked at src/main.rs:3:5: index out of bounds: the len is 9 but the index is 9",
        ),
        (NODE, "Error: no board (at Object.<anonymous> (/home/ann/bot.js:3:9))"),
        (SANITIZER, "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602"),
        (b"bot: bot.c:5: main: Assertion `x < 9' failed.\n", "bot: bot.c:5: main: Assertion `x < 9' failed."),
        (b"starting\nError: no port.\n\n", "Error: no port."),
        (JAVA + b"Goodbye.\n", "Goodbye."),
        (b"\tat Board.move(Board.java:5)\n" * 3, "at Board.move(Board.java:5)"),
        (b"", ""),
    ],
)
def test_telling_line_names_the_error(words: bytes, line: str) -> None:
    assert find_telling_line(words) == line


def test_endless_recursion_is_named() -> None:
    trace = b"\tat Board.search(Board.java:120)\n" * 1024
    words = b'Exception in thread "main" java.lang.StackOverflowError\n' + trace
    assert "StackOverflowError (at Board.search(Board.java:120))" in find_telling_line(words)


def test_line_is_printable_and_short() -> None:
    line = find_telling_line(b"Error:\t\x1b[31m" + b"x" * 1000)
    assert line.isprintable()
    assert line.startswith("Error: \\x1b[31mxxx")
    assert len(line) <= SHOWN + 3


@pytest.mark.parametrize("words", [JAVA, PYTHON, NODE, CPP])
def test_exception_of_a_running_program_is_found(words: bytes) -> None:
    assert find_exception(b"ready\n" + words)


def test_ordinary_output_is_no_exception() -> None:
    assert not find_exception(b"listening on port 5858\nmove at (4, 1)\n")


@pytest.mark.parametrize("line", JAVA_WITH_CAUSE.decode().splitlines()[1:])
def test_lines_of_a_stack_trace_are_recognised(line: str) -> None:
    assert is_frame(line)
