"""All findings there can be, by code: the data that reports and documentation are made from."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from attrs import frozen

from quoridor_net.check.findings import Rule, Severity

#: What can be checked: the names of the catalogues, in the order of the documentation.
SUBJECTS = ("lan_server", "lan_client", "athens", "olympiad", "replay")


@frozen
class Catalogue:
    """What can be wrong with one kind of program.

    Attributes:
        document: the document that says what is right.
        rules: what can be found, by code.
    """

    document: str
    rules: dict[str, Rule]


@lru_cache
def catalogue(subject: str) -> Catalogue:
    """Return the catalogue of one of :data:`SUBJECTS`."""
    text = files("quoridor_net.check").joinpath("data", f"{subject}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    rules = [Rule(**{**row, "severity": Severity(row["severity"])}) for row in table["rule"]]
    return Catalogue(table["document"], {rule.code: rule for rule in rules})
