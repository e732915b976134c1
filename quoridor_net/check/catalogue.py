"""The catalogues of possible findings, by code: the data behind reports and documentation."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from attrs import frozen

from quoridor_net.check.findings import Report, Rule, Severity

#: Names of the catalogues, in the order of the documentation.
SUBJECTS = ("lan_server", "lan_client", "athens", "olympiad", "replay")


@frozen
class Catalogue:
    """The possible findings for one kind of program.

    Attributes:
        document: title of the document that the program is checked against.
        noun: kind of program: server, client, engine or file.
        rules: the rules that it can break, by code.
    """

    document: str
    noun: str
    rules: dict[str, Rule]


def report_on(subject: str, name: str) -> Report:
    """Return an empty report on ``name``, which is one of :data:`SUBJECTS`."""
    found = catalogue(subject)
    return Report(name, found.document, found.noun)


@lru_cache
def catalogue(subject: str) -> Catalogue:
    """Return the catalogue of one of :data:`SUBJECTS`."""
    text = files("quoridor_net.check").joinpath("data", f"{subject}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    rules = [
        Rule(**{**row, "severity": Severity(row["severity"]), "explains": tuple(row.get("explains", ()))})
        for row in table["rule"]
    ]
    return Catalogue(table["document"], table["noun"], {rule.code: rule for rule in rules})
