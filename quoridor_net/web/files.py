"""The files of the pages, kept in memory: to read and pack them for each request takes time from games."""

from __future__ import annotations

import gzip
from pathlib import Path

from attrs import frozen
from starlette.requests import Request
from starlette.responses import Response

#: Some systems have other opinions of their own.
_MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


@frozen
class _File:
    """A file as it was at some time.

    Attributes:
        tag: another one for other contents.
        data: the contents.
        packed: the same, compressed (gzip).
    """

    tag: str
    data: bytes
    packed: bytes


class Files:
    """The files of a folder, those that it holds when this is made and that pages have.

    Browsers ask each time whether they have changed: another version of this program may have others.

    Args:
        folder: with all that are served, by their names in it.
    """

    def __init__(self, folder: Path) -> None:
        self._paths = {
            path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
        }
        self._kept: dict[str, _File] = {}

    async def answer(self, request: Request) -> Response:
        """Return the file that is called as the end of the path says."""
        return self.response(request.path_params["name"], request)

    def response(self, name: str, request: Request) -> Response:
        """Return a file as the answer to ``request``; 404 if there is none of that name."""
        path = self._paths.get(name)
        if path is None:
            return Response("There is no such file.\n", 404, media_type="text/plain")
        file = self._read(name, path)
        headers = {"cache-control": "no-cache", "etag": file.tag, "vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                file.packed,
                headers=headers | {"content-encoding": "gzip"},
                media_type=_MEDIA_TYPES[path.suffix],
            )
        return Response(file.data, headers=headers, media_type=_MEDIA_TYPES[path.suffix])

    def _read(self, name: str, path: Path) -> _File:
        # Who works on the pages need not begin anew to see them.
        state = path.stat()
        tag = f'"{state.st_mtime_ns:x}-{state.st_size:x}"'
        if name not in self._kept or self._kept[name].tag != tag:
            data = path.read_bytes()
            self._kept[name] = _File(tag, data, gzip.compress(data, mtime=0))
        return self._kept[name]
