"""Parts of the documentation that are made from the program itself when it is built.

``position LINE`` draws a position, ``state-diagram ROLE`` draws a transition table,
``transition-table ROLE`` prints it, ``findings SUBJECT`` lists what the checker finds,
``commands`` describes every ``quoridor`` command from its own options,
``present-toctree`` is a toctree of those pages that exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import click
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.directives.other import TocTree
from sphinx.util.docutils import SphinxDirective

from docs.diagrams.findings import Findings
from docs.diagrams.pictured_position import pictured_position
from docs.diagrams.state_diagram import ROLES, Transition, draw, transitions
from quoridor_net.cli.main import main
from quoridor_net.protocols.athens import transitions as athens
from quoridor_net.protocols.olympiad import transitions as clobber
from quoridor_net.rules import Step
from quoridor_net.rules.svg import board_svg

#: What ``transition-table`` can print: the roles that are drawn, and those of the other protocols.
TABLES: dict[str, tuple[Transition, ...]] = {
    **{name: role.transitions for name, role in ROLES.items()},
    "athens-engine": transitions(athens.ENGINE_SENDS, athens.ENGINE_RECEIVES),
    "athens-controller": transitions(athens.CONTROLLER_SENDS, athens.CONTROLLER_RECEIVES),
    "clobber-server": transitions(clobber.SERVER_SENDS, clobber.SERVER_RECEIVES),
    "clobber-client": transitions(clobber.CLIENT_SENDS, clobber.CLIENT_RECEIVES),
}


class StateDiagram(SphinxDirective):
    """The drawing of a role, inline, so that it follows the light or dark colours of the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the drawing."""
        return [nodes.raw("", draw(self.arguments[0]), format="html")]


class PositionPicture(SphinxDirective):
    """A drawing of a position with the moves that its options name, and the content below it."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"steps": str, "illegal": str, "jumps": str}

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        pictured = pictured_position(self.arguments[0], self.options)
        steps = [move.square for move in pictured.steps if isinstance(move, Step)]
        drawing = board_svg(pictured.position, steps, pictured.illegal)
        figure = nodes.container("", nodes.raw("", drawing, format="html"), classes=["position"])
        self.state.nested_parse(self.content, self.content_offset, figure)
        if steps:
            figure += nodes.paragraph("", f"Steps: {'; '.join(map(str, steps))}")
        if pictured.illegal:
            reasons = [f"{move} ({kind.value})" for move, kind in pictured.illegal.items()]
            figure += nodes.paragraph("", f"Not allowed: {'; '.join(reasons)}")
        return [figure]


class TransitionTable(SphinxDirective):
    """The transition table of a role."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        entries = TABLES[self.arguments[0]]
        order = list(type(entries[0].state))
        rows = sorted(entries, key=lambda transition: order.index(transition.state))
        return [
            table(
                ("In state", "it", "the message", "and is then"),
                [
                    (row.state.value, row.direction.value, f"`{row.kind.value}", row.following.value)
                    for row in rows
                ],
            )
        ]


class Commands(SphinxDirective):
    """One section for every ``quoridor`` command: usage, purpose, options; subcommands likewise."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        top = click.Context(main, info_name="quoridor", **main.context_settings)
        return list(self._sections(main, top))

    def _sections(self, group: click.Group, context: click.Context) -> Iterator[nodes.Node]:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            inner = click.Context(command, parent=context, info_name=name, **command.context_settings)
            section = self._section(command, inner)
            if isinstance(command, click.Group):
                section += list(self._sections(command, inner))
            yield section

    def _section(self, command: click.Command, context: click.Context) -> nodes.Element:
        name = context.command_path
        section = nodes.section(ids=[nodes.make_id(name)], names=[name])
        section += nodes.title("", name)
        usage = " ".join(command.get_usage(context).removeprefix("Usage: ").split())
        section += nodes.literal_block(usage, usage, language="text")
        for paragraph in (command.help or "").split("\n\n"):
            section += nodes.paragraph("", " ".join(paragraph.split()))
        options = [option for option in command.get_params(context) if isinstance(option, click.Option)]
        # Not a table: on the manual page that would be narrower than its words.
        meanings = nodes.definition_list()
        for written, meaning in filter(None, (option.get_help_record(context) for option in options)):
            term = nodes.term("", "", nodes.literal(written, written))
            meanings += nodes.definition_list_item(
                "", term, nodes.definition("", nodes.paragraph("", meaning))
            )
        section += meanings
        self.state.document.note_explicit_target(section)
        return section


class PresentTocTree(TocTree):
    """A table of contents that leaves out pages that are not there."""

    def run(self) -> list[nodes.Node]:
        """Return the toctree."""
        present = [line for line in self.content if line.strip() in self.env.found_docs]
        self.content = StringList(present, source="")
        return super().run()


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> nodes.table:
    """Return a table; a cell that begins with a backquote is set as code."""
    group = nodes.tgroup(cols=len(head))
    group += [nodes.colspec(colwidth=1) for _ in head]
    group += nodes.thead("", _row(head))
    group += nodes.tbody("", *(_row(row) for row in rows))
    return nodes.table("", group)


def _row(cells: tuple[str, ...]) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        text = cell.removeprefix("`")
        content = nodes.Text(text) if text == cell else nodes.literal(text, text)
        row += nodes.entry("", nodes.paragraph("", "", content))
    return row


def setup(app: Sphinx) -> dict[str, Any]:
    """Announce the directives to Sphinx."""
    app.add_directive("position", PositionPicture)
    app.add_directive("state-diagram", StateDiagram)
    app.add_directive("transition-table", TransitionTable)
    app.add_directive("commands", Commands)
    app.add_directive("findings", Findings)
    app.add_directive("present-toctree", PresentTocTree)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
