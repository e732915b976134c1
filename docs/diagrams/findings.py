"""The findings of the checker, printed from its catalogues."""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.findings import Rule


class Findings(SphinxDirective):
    """What can be found in one kind of program, by code."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the name of the document and a list of the codes."""
        found = catalogue(self.arguments[0])
        listed = nodes.definition_list()
        for rule in found.rules.values():
            listed += self._item(rule, found.noun)
        return [nodes.paragraph("", f"Document: {found.document}."), listed]

    def _item(self, rule: Rule, noun: str) -> nodes.definition_list_item:
        code = nodes.literal(rule.code, rule.code)
        target = nodes.make_id(rule.code)
        title = nodes.Text(f" {rule.severity}: the {noun} {rule.title}")
        term = nodes.term("", "", code, title, ids=[target])
        parts = (
            ("Document", rule.said),
            ("Cause", rule.cause),
            ("Mend", rule.hint),
        )
        paragraphs = [
            nodes.paragraph("", "", nodes.strong("", f"{name}: "), nodes.Text(text)) for name, text in parts
        ]
        return nodes.definition_list_item("", term, nodes.definition("", *paragraphs))
