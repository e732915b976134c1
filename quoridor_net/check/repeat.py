"""Scripts that repeat a finding: what the checker said, with nothing but Python's own library."""

from __future__ import annotations

from itertools import groupby

from quoridor_net.check.findings import Finding
from quoridor_net.text import printable

_HEAD = '''\
#!/usr/bin/env python3
"""Repeats {code}: the program {title}.

Expected: {expected}

The exit status is 1 when the program does the same again, 0 when it does something else at that point,
and 125 when it does something else before, or cannot be reached or started: then this script shows nothing.
"""

import queue
import socket
import subprocess
import sys
import threading
import time

# Who is at the other end, whether it is sent, and what: or what came back when this script was made.
LINES = [
{lines}]
# What came then, and what followed: "the end", "nothing", or "" if that was not waited for. From whom, and
# how many seconds are waited.
LAST = [
{last}]
ENDING = {ending!r}
WHO = {who}
SECONDS = {seconds!r}
'''

_PEER = '''

class Peer:
    """The other end of a connection; what comes from it is kept until it is read."""

    def __init__(self, send, receive):
        self.send = send
        self.data = b""
        self.is_closed = False
        self.coming = queue.Queue()
        threading.Thread(target=self.receive_all, args=(receive,), daemon=True).start()

    def receive_all(self, receive):
        data = b"-"
        while data:
            try:
                data = receive(4096)
            except OSError:
                data = b""
            self.coming.put(data)

    def read(self, wanted):
        """Return ``wanted``, or what comes instead of it, or within some seconds, or before the end."""
        until = time.monotonic() + SECONDS
        while len(self.data) < len(wanted) and wanted.startswith(self.data) and not self.is_closed:
            try:
                data = self.coming.get(timeout=max(0, until - time.monotonic()))
            except queue.Empty:
                break
            self.is_closed = not data
            self.data += data
        data, self.data = self.data[: len(wanted)], self.data[len(wanted) :]
        return data


def end(status, sentence):
    """Stop at once, whatever still runs."""
    print(sentence, flush=True)
    for program in PROGRAMS:
        program.kill()
    sys.exit(status)


def repeat(peers):
    """Say what the checker said, and look whether the same comes back."""
    for number, is_sent, data in LINES:
        if is_sent:
            # Some programs read one line at a time.
            time.sleep(0.05)
            print(number, ">", data, flush=True)
            try:
                peers[number].send(data)
            except OSError:
                end(125, "The connection ended before the fault.")
        else:
            answer = peers[number].read(data)
            print(number, "<", answer, flush=True)
            if answer != data:
                end(125, "This time it does something else before the fault: fix its random numbers.")
    is_same = True
    for number, data in LAST:
        answer = peers[number].read(data)
        print(number, "<", answer, flush=True)
        is_same = is_same and answer == data
    if is_same and ENDING:
        ending = peers[WHO].read(b"?") or ("the end" if peers[WHO].is_closed else "nothing")
        print(WHO, "<", ending, flush=True)
        is_same = ending == ENDING
    end(1 if is_same else 0, "The same again." if is_same else "Something else than before.")


PROGRAMS = []
'''

_CONNECTING = """
address = sys.argv[1] if len(sys.argv) > 1 else {address!r}
host, _, port = address.rpartition(":")
try:
    connection = socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS)
except (OSError, ValueError) as error:
    end(125, f"{{address}} cannot be reached: {{error}}")
connection.settimeout(None)
repeat({{1: Peer(connection.sendall, connection.recv)}})
"""

_STARTING = """
command = sys.argv[1:] or {command!r}
try:
    PROGRAMS.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0))
except OSError as error:
    end(125, f"The engine cannot be started: {{error}}")
repeat({{1: Peer(PROGRAMS[0].stdin.write, PROGRAMS[0].stdout.read)}})
"""

_LISTENING = """
listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range({servers})]
addresses = [f"127.0.0.1:{{listener.getsockname()[1]}}" for listener in listeners]
host, port = addresses[0].split(":")
command = []
for word in sys.argv[1:] or {command!r}:
    word = word.replace("{{address}}", addresses[0]).replace("{{host}}", host).replace("{{port}}", port)
    command += addresses if word == "{{addresses}}" else [word]
try:
    PROGRAMS.append(subprocess.Popen(command))
except OSError as error:
    end(125, f"The client cannot be started: {{error}}")
peers = {{}}
until = time.monotonic() + SECONDS
for number, listener in enumerate(listeners, 1):
    listener.settimeout(0.2)
    while number not in peers:
        is_late = time.monotonic() > until or PROGRAMS[0].poll() is not None
        try:
            connection, _ = listener.accept()
        except OSError:
            if is_late:
                end(125, f"The client does not connect to {{addresses[number - 1]}}.")
        else:
            connection.settimeout(None)
            peers[number] = Peer(connection.sendall, connection.recv)
repeat(peers)
"""


def connecting_script(finding: Finding, address: str, seconds: float) -> str:
    """Return a script that connects to the server at ``address`` and repeats the finding."""
    return _beginning(finding, seconds) + _CONNECTING.format(address=address)


def starting_script(finding: Finding, command: list[str], seconds: float) -> str:
    """Return a script that starts an engine and repeats the finding on its standard input and output."""
    return _beginning(finding, seconds) + _STARTING.format(command=command)


def listening_script(finding: Finding, command: list[str], seconds: float) -> str:
    """Return a script that is the servers, starts the client and repeats the finding."""
    return _beginning(finding, seconds) + _LISTENING.format(command=command, servers=finding.peers)


def _beginning(finding: Finding, seconds: float) -> str:
    """Return what all scripts have; a single peer is number 1, the how manieth connection it ever was."""
    several = finding.peers > 1
    # What is sent stays in the pieces in which it was sent.
    said: list[tuple[int, bool, bytes]] = []
    for (peer, is_sent), lines in groupby(finding.dialogue, key=lambda line: (line.peer, line.is_sent)):
        pieces = [line.data for line in lines]
        said += [
            (peer if several else 1, is_sent, data) for data in (pieces if is_sent else [b"".join(pieces)])
        ]
    # What came last is what is looked at.
    last: list[tuple[int, bytes]] = []
    while said and not said[-1][1]:
        number, _, data = said.pop()
        last.insert(0, (number, data))
    head = _HEAD.format(
        code=finding.code,
        title=finding.rule.title,
        expected=_plain(finding.expected),
        lines="".join(f"    {row},\n" for row in said),
        last="".join(f"    {row},\n" for row in last),
        ending="the end" if finding.closed else "nothing" if finding.silent else "",
        who=finding.peer if several else 1,
        seconds=seconds,
    )
    return head + _PEER


def _plain(text: str) -> str:
    """Return ``text`` fit to stand in quotes."""
    return printable(text.encode("ascii", "replace"), 200).replace("\\", "/").replace('"', "'")
