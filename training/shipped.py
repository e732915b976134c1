"""Paths of the shipped files that the training commands make."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1] / "quoridor_net"

NETWORK = _PACKAGE / "engine" / "evaluation" / "network.npz"
SEAT_NETWORK = _PACKAGE / "engine" / "maxn" / "network.npz"
STYLES = _PACKAGE / "engine" / "maxn" / "styles.npz"
BOOK = _PACKAGE / "engine" / "book.txt"
BALANCED = _PACKAGE / "tournament" / "quoridor" / "balanced.txt"
CLOBBER = _PACKAGE / "clobber" / "learned.py"
PUZZLES = _PACKAGE / "web" / "static" / "puzzle_list.js"
