"""Scripts that repeat a finding: what the checker said, with nothing but Python's own sockets."""

from __future__ import annotations

from itertools import groupby

from quoridor_net.check.findings import Finding
from quoridor_net.text import printable

_HEAD = '''\
#!/usr/bin/env python3
"""Repeats {code}: the program {title}.

Expected: {expected}
"""
'''

_CONNECTING = """
import socket
import sys

# What is sent, and what came back when this script was made.
LINES = [
{lines}]

host, _, port = (sys.argv[1] if len(sys.argv) > 1 else {address!r}).rpartition(":")
with socket.create_connection((host.strip("[]"), int(port)), timeout={seconds}) as connection:
    answers = connection.makefile("rb")
    for is_sent, data in LINES:
        if is_sent:
            print(">", data)
            connection.sendall(data)
            continue
        try:
            answer = answers.readline()
        except TimeoutError:
            sys.exit("nothing came")
        print("<", answer)
        if answer != data:
            sys.exit(f"this time it is not {{data!r}}: run the script again, or fix the random numbers")
    try:
        print("<", answers.readline(), "(expected: {expected})")
    except TimeoutError:
        print("nothing comes")
"""

_STARTING = """
import subprocess
import sys

# What is sent, and what came back when this script was made.
LINES = [
{lines}]

command = sys.argv[1:] or {command!r}
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
    for is_sent, data in LINES:
        if is_sent:
            print(">", data)
            engine.stdin.write(data)
            engine.stdin.flush()
        else:
            # Waits for ever if nothing comes: Ctrl-C.
            print("<", engine.stdout.read(len(data)))
    engine.kill()
"""

_LISTENING = """
import socket
import subprocess
import sys
import time

# By server: what came, and what is sent.
LINES = [
{lines}]

listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range({servers})]
addresses = [f"127.0.0.1:{{listener.getsockname()[1]}}" for listener in listeners]
words = sys.argv[1:] or {command!r}
{starting}
with subprocess.Popen(command) as program:
    peers = []
    for listener in listeners:
        listener.settimeout({seconds})
        connection, _ = listener.accept()
        connection.settimeout({seconds})
        peers.append((connection, connection.makefile("rb")))
    for server, is_sent, data in LINES:
        connection, lines = peers[server - 1]
        if is_sent:
            print(server, ">", data)
            connection.sendall(data)
            continue
        try:
            print(server, "<", lines.readline(), "(when this script was made:", data, ")")
        except TimeoutError:
            print(server, "< nothing comes")
    time.sleep(1)
    program.kill()
"""


def connecting_script(finding: Finding, address: str, seconds: float) -> str:
    """Return a script that connects to the server at ``address`` and repeats the finding."""
    # What came last is what is looked at.
    lines = list(finding.dialogue)
    while lines and not lines[-1].is_sent:
        lines.pop()
    # Requests that were answered are answered again; the rest is sent in the pieces in which it was sent.
    rows = "".join(f"    ({line.is_sent}, {line.data!r}),\n" for line in lines)
    return _head(finding) + _CONNECTING.format(
        lines=rows, address=address, seconds=seconds, expected=_plain(finding.expected)
    )


def starting_script(finding: Finding, command: list[str]) -> str:
    """Return a script that starts an engine and repeats the finding on its standard input and output."""
    rows = "".join(
        f"    ({is_sent}, {b''.join(line.data for line in lines)!r}),\n"
        for is_sent, lines in groupby(finding.dialogue, key=lambda line: line.is_sent)
    )
    return _head(finding) + _STARTING.format(lines=rows, command=command)


def listening_script(finding: Finding, command: list[str], servers: int, seconds: float) -> str:
    """Return a script that is the servers, starts the client and repeats the finding."""
    rows = "".join(f"    ({line.peer}, {line.is_sent}, {line.data!r}),\n" for line in finding.dialogue)
    starting = (
        "command = [part for word in words for part in (addresses if word == '{addresses}' else [word])]"
    )
    if any("{address}" in word for word in command):
        starting = "command = [word.replace('{address}', addresses[0]) for word in words]"
    return _head(finding) + _LISTENING.format(
        lines=rows, command=command, servers=servers, seconds=seconds, starting=starting
    )


def _head(finding: Finding) -> str:
    return _HEAD.format(code=finding.code, title=finding.rule.title, expected=_plain(finding.expected))


def _plain(text: str) -> str:
    """Return ``text`` fit to stand in quotes."""
    return printable(text.encode("ascii", "replace"), 200).replace("\\", "/").replace('"', "'")
