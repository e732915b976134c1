"""The files of the pages, joined into one script and one style sheet.

Dozens of small modules would be requested one after another, because each names the next. Names contain a
hash of the content, so that browsers never ask twice for the same content, nor use that of another version.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from attrs import field, frozen
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

STATIC = Path(__file__).parent / "static"

#: The module that starts the pages, and the style sheets in the order in which they apply.
_MAIN = "main.js"
STYLES = ("base.css", "board.css", "pages.css", "study.css", "tournament.css")

#: The page, and the names that stand for the joined files in it.
_PAGE, _SCRIPT, _STYLE, _ICON = "index.html", "quoridor.js", "quoridor.css", "icon.svg"

# tests/web/js/modules.test.js checks that all modules match these patterns.
_IMPORT = re.compile(r'^import \{ [\w, ]+ \} from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)

#: Makes browsers ask again for what may change with another version of this program.
ASK_AGAIN = {"cache-control": "no-cache"}

#: Makes browsers keep files whose names change with their content; caches keep both forms.
KEEP = {"cache-control": "public, max-age=31536000, immutable", "vary": "Accept-Encoding"}


@frozen
class Asset:
    """A file of the pages.

    Attributes:
        name: its name, with a hash of its content.
        media_type: its media type.
        body: its content.
        packed: its content, compressed by gzip.
    """

    name: str
    media_type: str
    body: bytes
    packed: bytes = field(repr=False)

    @classmethod
    def make(cls, name: str, media_type: str, text: str) -> Asset:
        """Return the file ``name`` with ``text``."""
        body = text.encode()
        stem, _, suffix = name.partition(".")
        digest = hashlib.sha256(body).hexdigest()[:16]
        return cls(f"{stem}-{digest}.{suffix}", media_type, body, gzip.compress(body, mtime=0))


@cache
def load_assets() -> Mapping[str, Asset]:
    """Return all files that the page refers to, by name."""
    icon = Asset.make(_ICON, "image/svg+xml", read_static(_ICON))
    style = Asset.make(_STYLE, "text/css", join_styles(icon.name))
    script = Asset.make(_SCRIPT, "text/javascript", join_script())
    return {asset.name: asset for asset in (icon, style, script)}


@cache
def load_page() -> str:
    """Return the page, which refers to the files of :func:`load_assets`."""
    page = read_static(_PAGE)
    for asset in load_assets().values():
        stem, _, rest = asset.name.partition("-")
        page = page.replace(f"static/{stem}.{rest.rpartition('.')[2]}", f"static/{asset.name}")
    return page


def _drop_comments(code: str) -> str:
    """Return ``code`` without indentation and comments on lines of their own, a third of it."""
    kept, is_inside = [], False
    for line in code.splitlines():
        text = line.strip()
        if is_inside:
            is_inside = not text.endswith("*/")
        elif text.startswith("/*") and "*/" not in text:
            is_inside = True
        elif not text.startswith("//") and not (text.startswith("/*") and text.endswith("*/")):
            kept.append(f"{text}\n")
    return "".join(kept)


def join_script() -> str:
    """Return all modules of the pages as one script, each module after its imports."""
    texts: dict[str, str] = {}

    def visit(name: str) -> None:
        code = read_static(name)
        for imported in _IMPORT.findall(code):
            if imported not in texts:
                visit(imported)
        texts[name] = _drop_comments(_EXPORT.sub("", _IMPORT.sub("", code)))

    visit(_MAIN)
    code = "\n".join(texts.values())
    return f'"use strict";\n(() => {{\n{code}}})();\n'


def join_styles(icon: str, names: Iterable[str] = STYLES) -> str:
    """Return style sheets as one, which refers to the icon at the address ``icon``."""
    return _drop_comments("\n".join(map(read_static, names))).replace('url("icon.svg")', f'url("{icon}")')


def read_static(name: str) -> str:
    """Return the text of a file of the pages."""
    return (STATIC / name).read_text(encoding="utf-8")


async def send_page(_request: Request) -> Response:
    """Answer a request for the page."""
    return HTMLResponse(load_page(), headers=ASK_AGAIN)


async def send_asset(request: Request) -> Response:
    """Answer a request for a file of the page.

    Raises:
        HTTPException: there is no such file.
    """
    asset = load_assets().get(request.path_params["name"])
    if asset is None:
        raise HTTPException(404)
    headers, body = dict(KEEP), asset.body
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"], body = "gzip", asset.packed
    return Response(body, media_type=asset.media_type, headers=headers)
