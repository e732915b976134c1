"""The pages as one self-contained HTML document, with scripts, styles, texts and data."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import quoridor_net
from quoridor_net.match import Event
from quoridor_net.match.encoding import as_object
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.web.bundle import STYLES, join_script, join_styles, read_static
from quoridor_net.web.texts import LANGUAGES, texts_of


def standalone_page(
    mode: str, title: str, games: Mapping[int, Iterable[Event]], tournament: Mapping[str, Any] | None = None
) -> str:
    """Return the pages as one document.

    Args:
        mode: first page, as in ``/site.json``: ``replay`` or ``tournament``.
        title: title of the document.
        games: the events of each game, by number.
        tournament: the tournament document; None for a single game.
    """
    data = _embed(mode, title, games, tournament)
    script = join_script().replace("</script", "<\\/script")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    body = f"""<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="embedded">{data}</script>
<script>{script}</script>"""
    # Only this script runs, even if an entrant's name contains another.
    return document(title, body, STYLES, f"script-src 'sha256-{digest}'")


def document(title: str, body: str, styles: Iterable[str], scripts: str = "") -> str:
    """Return a self-contained HTML document, which loads nothing.

    Args:
        title: its title.
        body: the contents of its body, as HTML.
        styles: the style sheets of the pages to include, by name.
        scripts: a directive that allows scripts; none run without it.
    """
    icon = _as_address(read_static("icon.svg"))
    sheets = join_styles(icon, styles)
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    policy = f"{policy}; {scripts}" if scripts else policy
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="quoridor-net {quoridor_net.__version__}">
<title>{escape(title)}</title>
<link rel="icon" href="{icon}">
<style>
{sheets}</style>
</head>
<body>
{body}
</body>
</html>
"""


def _embed(
    mode: str, title: str, games: Mapping[int, Iterable[Event]], tournament: Mapping[str, Any] | None
) -> str:
    abilities = dict.fromkeys(("seats", "signup", "analysis"), False)
    about = {"mode": mode, "version": quoridor_net.__version__, "title": title}
    site = about | {"notation": BoardPicture.STANDARD.value} | abilities
    texts = {language: texts_of(language) for language in LANGUAGES}
    packed = {number: _pack(events) for number, events in games.items()}
    everything = {"site": site, "texts": texts, "games": packed, "tournament": tournament}
    # Only this character can end a script element.
    return json.dumps(everything, separators=(",", ":")).replace("<", "\\u003c")


def _pack(events: Iterable[Event]) -> str:
    """Compress events (RFC 1951) and encode them in base64; a page unpacks a game when it shows it."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    text = json.dumps([as_object(event) for event in events], separators=(",", ":")).encode()
    return base64.b64encode(compressor.compress(text) + compressor.flush()).decode()


def _as_address(image: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(image.encode()).decode()}"
