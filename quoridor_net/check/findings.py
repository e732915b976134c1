"""Findings of a check: the broken rules, and the bytes on the wire when they were broken."""

from __future__ import annotations

import enum

from attrs import define, evolve, field, frozen


class Severity(enum.StrEnum):
    """The severity of a finding."""

    #: The program breaks the document and will lose games.
    MUST = "must"
    #: Other programs will fail on it, or the document only recommends the opposite.
    SHOULD = "should"
    #: Worth knowing.
    NOTE = "note"


@frozen
class Rule:
    """One row of the catalogue: a rule that a program can break.

    Attributes:
        code: stable identifier, such as ``LAN-141``.
        severity: severity of the fault.
        title: the fault in a few words, starting with a verb whose subject is the program.
        section: section of the document that states the rule.
        sentence: the rule, with … where words are left out.
        cause: usual cause of the fault.
        hint: how to fix it.
        quoted: whether the sentence is a quotation; otherwise it follows from the document.
    """

    code: str
    severity: Severity
    title: str
    section: str
    sentence: str
    cause: str
    hint: str
    quoted: bool = True

    @property
    def said(self) -> str:
        """The sentence, in quotation marks if it is a quotation, and its section."""
        return f"“{self.sentence}” ({self.section})" if self.quoted else f"{self.sentence} ({self.section})"


@frozen
class WireLine:
    """One line, or part of a line, sent or received by the checker.

    Attributes:
        is_sent: whether the checker sent it.
        data: the bytes, including the line end if there was one.
        peer: number of the peer, from 1.
    """

    is_sent: bool
    data: bytes
    peer: int = 1


@frozen
class Finding:
    """One violation of a rule.

    Attributes:
        rule: the row of the catalogue.
        expected: description of the correct answer.
        sent: the last bytes sent before it.
        received: the bytes received instead; empty if there were none.
        dialogue: the conversation up to this point.
        drawing: the position as lines of text; empty if there is none.
        detail: further information for the user; may be empty.
        closed: whether the program had closed the connection.
        silent: whether the program exceeded the time limit without sending anything more.
        peers: number of simultaneous connections.
        peer: number of the connection on which it happened, from 1.
    """

    rule: Rule
    expected: str
    sent: bytes = b""
    received: bytes = b""
    dialogue: tuple[WireLine, ...] = ()
    drawing: tuple[str, ...] = ()
    detail: str = ""
    closed: bool = False
    silent: bool = False
    peers: int = 1
    peer: int = 1

    @property
    def code(self) -> str:
        """The code of the rule."""
        return self.rule.code

    @property
    def severity(self) -> Severity:
        """The severity of the rule."""
        return self.rule.severity


class CheckVerdict(enum.StrEnum):
    """The result of one check."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@frozen
class CheckOutcome:
    """One check and its result.

    Attributes:
        name: identifier of the check, without spaces.
        title: description of the check.
        verdict: result of the check.
        remark: an observation, or the reason for skipping the check; may be empty.
        codes: codes of its findings.
    """

    name: str
    title: str
    verdict: CheckVerdict
    remark: str = ""
    codes: tuple[str, ...] = ()


@define
class Report:
    """The result of a run of the checker.

    Attributes:
        subject: name of the checked program or file, for users.
        document: title of the document that it was checked against.
        noun: kind of program: server, client, engine or file.
        findings: one finding per code, the most severe first, otherwise in the order of discovery.
        outcomes: the checks, in the order in which they ran.
        remarks: further sentences for users, for example about situations that did not occur.
        is_interrupted: whether the run ended before all checks had.
    """

    subject: str
    document: str
    noun: str
    findings: list[Finding] = field(factory=list)
    outcomes: list[CheckOutcome] = field(factory=list)
    remarks: list[str] = field(factory=list)
    is_interrupted: bool = False

    @property
    def passed(self) -> bool:
        """Whether the check ran to its end and found no *must*."""
        musts = [finding for finding in self.findings if finding.severity is Severity.MUST]
        return self.is_checked and not self.is_interrupted and not musts

    @property
    def is_checked(self) -> bool:
        """Whether at least one check ran."""
        return any(outcome.verdict is not CheckVerdict.SKIPPED for outcome in self.outcomes)

    def add(self, finding: Finding) -> None:
        """Add a finding, unless the report already has one with the same code."""
        if all(finding.code != other.code for other in self.findings):
            self.findings.append(finding)

    def only(self, code: str) -> Report:
        """Return this report with only the findings of ``code`` and those that may have hidden it."""
        kept = [
            finding for finding in self.findings if finding.code == code or finding.severity is Severity.MUST
        ]
        return evolve(self, findings=kept)
