"""All findings there can be, by code: the data that reports and documentation are made from."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from attrs import frozen

from quoridor_net.check.findings import Report, Rule, Severity

#: What can be checked: the names of the catalogues, in the order of the documentation.
SUBJECTS = ("lan_server", "lan_client", "athens", "olympiad", "replay")


@frozen
class Catalogue:
    """What can be wrong with one kind of program.

    Attributes:
        document: the document that says what is right.
        noun: what kind of program it is.
        rules: what can be found, by code.
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
    rules = [Rule(**{**row, "severity": Severity(row["severity"])}) for row in table["rule"]]
    return Catalogue(table["document"], table["noun"], {rule.code: rule for rule in rules})
