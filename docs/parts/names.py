"""The public names of the packages, with signatures and the first paragraphs of their docstrings."""

from __future__ import annotations

import enum
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from types import ModuleType
from typing import Any

from docs.parts.markdown import escape

#: Longest signature on one line, in characters.
WIDTH = 60

PACKAGES = (
    "quoridor_net.outcome",
    "quoridor_net.rules",
    "quoridor_net.notation",
    "quoridor_net.notation.lan",
    "quoridor_net.notation.athens",
    "quoridor_net.notation.standard",
    "quoridor_net.notation.reading",
    "quoridor_net.notation.position_line",
    "quoridor_net.protocols.common",
    "quoridor_net.protocols.common.errors",
    "quoridor_net.protocols.common.line_buffer",
    "quoridor_net.protocols.common.role",
    "quoridor_net.protocols.common.transcript",
    "quoridor_net.protocols.lan",
    "quoridor_net.protocols.athens",
    "quoridor_net.replay",
    "quoridor_net.analysis",
    "quoridor_net.analysis.encoding",
    "quoridor_net.engine",
    "quoridor_net.clobber",
    "quoridor_net.players",
    "quoridor_net.match",
    "quoridor_net.ui",
    "quoridor_net.tournament",
    "quoridor_net.tournament.formats",
    "quoridor_net.tournament.journal",
    "quoridor_net.check",
    "quoridor_net.grading",
    "quoridor_net.testing",
    "quoridor_net.testing.move_servers",
    "quoridor_net.testing.clobber_clients",
    "client.referee",
    "server.athens",
)


class _Written(str):
    """An annotation that signatures show as it is written, without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def write_names() -> str:
    """Return a section for each package, with its names in alphabetical order; each name stands once."""
    described: dict[int, str] = {}
    return "\n\n".join("\n\n".join(_package(name, described)) for name in PACKAGES)


def _package(name: str, described: dict[int, str]) -> Iterator[str]:
    module = importlib.import_module(name)
    yield f"## {name}"
    yield _first_paragraph(module)
    elsewhere: dict[str, list[str]] = {}
    for member in sorted(_public(module)):
        found = getattr(module, member)
        known = described.get(id(found))
        if known is not None:
            elsewhere.setdefault(known, []).append(f"`{member}`")
        elif inspect.isclass(found) or inspect.isroutine(found):
            described[id(found)] = name
            yield from _describe(member, found)
        else:
            yield f"### {member}"
            yield f"A constant: `{_value(found)}`."
    for package, members in elsewhere.items():
        yield f"Also from [{package}](#{_anchor(package)}): {', '.join(members)}."


def _public(module: ModuleType) -> list[str]:
    listed: list[str] | None = getattr(module, "__all__", None)
    if listed is not None:
        return listed
    return [
        name
        for name, found in vars(module).items()
        if not name.startswith("_") and getattr(found, "__module__", None) == module.__name__
    ]


def _describe(name: str, found: Any) -> Iterator[str]:
    yield f"### {name}"
    if not inspect.isclass(found):
        word = "async def" if inspect.iscoroutinefunction(found) else "def"
        yield f"```python\n{word} {name}{_signature(found)}\n```"
    elif not issubclass(found, enum.Enum):
        yield f"```python\nclass {name}{_signature(found)}\n```"
    yield _first_paragraph(found)
    if inspect.isclass(found):
        members = "\n".join(_members(found))
        if members:
            yield members


def _members(found: type) -> Iterator[str]:
    if issubclass(found, enum.Enum):
        yield "- Members: " + ", ".join(f"`{member.name}` (`{member.value!r}`)" for member in found) + "."
    attributes: dict[str, Any] = {}
    for base in reversed([base for base in found.__mro__ if base.__module__.startswith("quoridor_net")]):
        attributes |= vars(base)
    for name, member in attributes.items():
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        is_property = isinstance(function, property | cached_property)
        if name.startswith("_") or not (inspect.isfunction(function) or is_property):
            continue
        if not inspect.getdoc(getattr(found, name)):
            continue
        if is_property:
            yield f"- `{name}`: {_first_paragraph(function)}"
        else:
            yield f"- `{name}{_signature(getattr(found, name), bound=True)}`: {_first_paragraph(function)}"


def _signature(found: Any, *, bound: bool = False) -> str:
    try:
        signature = inspect.signature(found)
    except ValueError:
        return "(...)"
    parameters = [
        each.replace(annotation=_Written(each.annotation)) if isinstance(each.annotation, str) else each
        for each in signature.parameters.values()
    ]
    if bound and parameters and parameters[0].name == "self":
        del parameters[0]
    result = signature.return_annotation
    if inspect.isclass(found):
        result = inspect.Signature.empty
    elif isinstance(result, str):
        result = _Written(result)
    # Objects without a literal form, such as factories, differ from run to run.
    text = re.sub(r"<[^>]*>", "...", str(inspect.Signature(parameters, return_annotation=result)))
    if bound or len(text) <= WIDTH:
        return text
    start, end = text[1:].rsplit(")", 1)
    lines = re.split(r", (?=\*{0,2}\w+(?:[:=]|,|$)|[*/],)", start)
    return "(\n    " + ",\n    ".join(lines) + f",\n){end}"


def _first_paragraph(found: Any) -> str:
    text = " ".join((inspect.getdoc(found) or "").split("\n\n")[0].split())
    # Roles and double backquotes of docstrings become code.
    parts = re.split(r"(?::[a-z:]+:)?``?~?([^`]+)``?", text)
    return "".join(f"`{part}`" if number % 2 else escape(part) for number, part in enumerate(parts))


def _value(found: Any) -> str:
    text = repr(found)
    return text if len(text) < 60 and " at 0x" not in text else type(found).__name__


def _anchor(heading: str) -> str:
    return heading.replace(".", "")
