"""Scripts that reproduce a finding; they need only Python's standard library."""

from __future__ import annotations

from itertools import groupby

from quoridor_net.check.findings import Finding
from quoridor_net.text import printable

_HEAD = '''\
#!/usr/bin/env python3
"""Reproduce {code}: the program {title}.

Expected: {expected}

Exit status 1: the program does the same again. 0: it does something else at that point. 125: it does
something else earlier, or cannot be reached or started, so that the script proves nothing.
"""

import queue
import socket
import subprocess
import sys
import threading
import time

# Number of the peer, whether this script sends the bytes or expects them, and the bytes.
LINES = [
{lines}]
# Earlier connections that the fault needs, without the number. If IS_REFUSED, no connection follows them.
BEFORE = [
{before}]
IS_REFUSED = {refused}
# The bytes received in the end, and what followed from peer WHO: "the end", "nothing", or "" if the checker
# did not wait for it. SECONDS is the time limit for each answer.
LAST = [
{last}]
ENDING = {ending!r}
WHO = {who}
SECONDS = {seconds!r}
'''

_PEER = '''

class Peer:
    """The other end of a connection; a thread stores what it sends until it is read."""

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
        """Return ``wanted`` or the bytes that arrive instead, in time and before the connection ends."""
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
    """Print a sentence, kill the programs and exit."""
    print(sentence, flush=True)
    for program in PROGRAMS:
        program.kill()
    sys.exit(status)


def follow(peer, number, is_sent, data, may_be_gone=False):
    """Send bytes, or receive them and compare."""
    if is_sent:
        # Some programs understand only one line per read.
        time.sleep(0.05)
        print(number, ">", data, flush=True)
        try:
            peer.send(data)
        except OSError:
            if not may_be_gone:
                end(125, "The connection ended before the fault.")
        return
    answer = peer.read(data)
    print(number, "<", answer, flush=True)
    if answer != data:
        advice = "start it again, and fix its random seed."
        end(125, f"The program behaved differently before the fault, so this proves nothing: {advice}")


def repeat(peers):
    """Send what the checker sent, and compare the answers."""
    for index, (number, is_sent, data) in enumerate(LINES):
        # A program that ends at the last line may be gone before it is sent.
        may_be_gone = ENDING == "the end" and WHO == number and index == len(LINES) - 1
        follow(peers[number], number, is_sent, data, may_be_gone)
    is_same = True
    for number, data in LAST:
        answer = peers[number].read(data)
        print(number, "<", answer, flush=True)
        is_same = is_same and answer == data
    if is_same and ENDING:
        ending = peers[WHO].read(b"?") or ("the end" if peers[WHO].is_closed else "nothing")
        print(WHO, "<", ending, flush=True)
        is_same = ending == ENDING
    end(1 if is_same else 0, "The same fault again." if is_same else "The fault did not occur again.")


PROGRAMS = []
'''

_DIALLING = """

def dial(host, port, seconds):
    \"\"\"Connect within this many seconds, and return the connection or the error.\"\"\"
    until = time.monotonic() + seconds
    while True:
        try:
            connection = socket.create_connection((host, port), timeout=SECONDS)
        except OSError as error:
            if time.monotonic() > until or any(program.poll() is not None for program in PROGRAMS):
                return error
            time.sleep(0.02)
        else:
            connection.settimeout(None)
            return connection


def visit(host, port, seconds):
    \"\"\"Repeat the earlier connections, one after another, and then the one with the fault.\"\"\"
    for lines in BEFORE:
        connection = dial(host, port, seconds)
        if isinstance(connection, OSError):
            end(125, f"Cannot reach the server: {connection}")
        seconds = 1.0
        peer = Peer(connection.sendall, connection.recv)
        for is_sent, data in lines:
            follow(peer, 1, is_sent, data)
        try:
            connection.shutdown(socket.SHUT_WR)
            time.sleep(0.2)
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        connection.close()
        print("1 - end of a connection", flush=True)
    connection = dial(host, port, seconds)
    if isinstance(connection, OSError):
        if BEFORE and IS_REFUSED:
            end(1, "The same fault again.")
        end(125, f"Cannot reach the server: {connection}")
    if IS_REFUSED:
        end(0, "The fault did not occur again.")
    repeat({1: Peer(connection.sendall, connection.recv)})

"""

_CONNECTING = """
address = sys.argv[1] if len(sys.argv) > 1 else {address!r}
host, _, port = address.rpartition(":")
if not port.isdigit():
    end(125, f"{{address}} is not an address: write HOST:PORT.")
visit(host.strip("[]"), int(port), 0.0)
"""

_SERVING = """
command = sys.argv[1:] or {command!r}
port = {port!r}
if port is None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
command = [word.replace("{{port}}", str(port)) for word in command]
try:
    PROGRAMS.append(subprocess.Popen(command))
except OSError as error:
    end(125, f"Cannot start the server: {{error}}")
visit("localhost", port, SECONDS)
"""

_STARTING = """
command = sys.argv[1:] or {command!r}
try:
    PROGRAMS.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0))
except OSError as error:
    end(125, f"Cannot start the engine: {{error}}")
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
    end(125, f"Cannot start the client: {{error}}")
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
                end(125, f"The client did not connect to {{addresses[number - 1]}}.")
        else:
            connection.settimeout(None)
            peers[number] = Peer(connection.sendall, connection.recv)
repeat(peers)
"""


def write_server_script(finding: Finding, address: str, seconds: float) -> str:
    """Return a script that connects to the server at ``address`` and reproduces the finding."""
    return _write_beginning(finding, seconds) + _DIALLING + _CONNECTING.format(address=address)


def write_launched_server_script(
    finding: Finding, command: list[str], port: int | None, seconds: float
) -> str:
    """Return a script that starts the server, connects to it and reproduces the finding.

    Args:
        finding: the finding.
        command: the server and its arguments, among them ``{port}`` unless it listens on ``port``.
        port: its port; None for a free one.
        seconds: time limit for each answer, in seconds.
    """
    return _write_beginning(finding, seconds) + _DIALLING + _SERVING.format(command=command, port=port)


def write_engine_script(finding: Finding, command: list[str], seconds: float) -> str:
    """Return a script that starts an engine and reproduces the finding on its standard input and output."""
    return _write_beginning(finding, seconds) + _STARTING.format(command=command)


def write_client_script(finding: Finding, command: list[str], seconds: float) -> str:
    """Return a script that plays the servers, starts the client and reproduces the finding."""
    return _write_beginning(finding, seconds) + _LISTENING.format(command=command, servers=finding.peers)


def _write_beginning(finding: Finding, seconds: float) -> str:
    """Return the part that all scripts share; a single peer is number 1, whatever its number in the check."""
    several = finding.peers > 1
    # Sent bytes keep their division into pieces, because a fault may depend on it.
    said: list[tuple[int, bool, bytes]] = []
    for (peer, is_sent), lines in groupby(finding.dialogue, key=lambda line: (line.peer, line.is_sent)):
        pieces = [line.data for line in lines]
        said += [
            (peer if several else 1, is_sent, data) for data in (pieces if is_sent else [b"".join(pieces)])
        ]
    before = [[(line.is_sent, line.data) for line in lines] for lines in finding.before]
    # The last answers contain the fault.
    last: list[tuple[int, bytes]] = []
    while said and not said[-1][1]:
        number, _, data = said.pop()
        last.insert(0, (number, data))
    head = _HEAD.format(
        code=finding.code,
        title=finding.rule.title,
        expected=_plain(finding.expected),
        lines="".join(f"    {row},\n" for row in said),
        before="".join(f"    {rows},\n" for rows in before),
        refused=bool(finding.before) and not finding.dialogue,
        last="".join(f"    {row},\n" for row in last),
        ending="the end" if finding.closed else "nothing" if finding.silent else "",
        who=finding.peer if several else 1,
        seconds=seconds,
    )
    return head + _PEER


def _plain(text: str) -> str:
    """Return ``text`` in characters that are safe inside quotation marks."""
    return printable(text.encode("ascii", "replace"), 200).replace("\\", "/").replace('"', "'")
