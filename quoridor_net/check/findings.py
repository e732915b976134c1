"""Findings of a check: the broken rules, and the bytes on the wire when they were broken."""

from __future__ import annotations

import enum

from attrs import define, evolve, field, frozen


class Severity(enum.StrEnum):
    """The severity of a finding."""

    #: It loses or breaks games against correct programs.
    MUST = "must"
    #: It breaks a sentence of the document, or fails with some programs, without losing such games.
    SHOULD = "should"
    #: It is a matter of style.
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
        explains: codes of findings that this fault may cause as well.
    """

    code: str
    severity: Severity
    title: str
    section: str
    sentence: str
    cause: str
    hint: str
    quoted: bool = True
    explains: tuple[str, ...] = ()

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
        before: the conversations on earlier connections that the fault needs.
        follows: code of the finding that probably causes this one; empty if none does.
        alternatives: codes of faults that would explain it as well.
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
    before: tuple[tuple[WireLine, ...], ...] = ()
    follows: str = ""
    alternatives: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The code of the rule."""
        return self.rule.code

    @property
    def severity(self) -> Severity:
        """The severity of the rule."""
        return self.rule.severity

    def explains(self, other: Finding) -> bool:
        """Return whether this fault is a likely cause of ``other``."""
        return other.code in self.rule.explains or self.code in other.alternatives


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
        severity: the highest severity of its findings; None without findings.
        is_late: whether it was skipped to save time, because the program answers slowly; this breaks no rule.
    """

    name: str
    title: str
    verdict: CheckVerdict
    remark: str = ""
    codes: tuple[str, ...] = ()
    severity: Severity | None = None
    is_late: bool = False


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

    @property
    def is_cut_short(self) -> bool:
        """Whether a program that could be checked was not available for most checks."""
        skipped = [outcome for outcome in self.outcomes if outcome.verdict is CheckVerdict.SKIPPED]
        missing = [outcome for outcome in skipped if not outcome.is_late and not outcome.codes]
        return self.is_checked and not self.is_interrupted and len(missing) * 2 > len(self.outcomes)

    def add(self, finding: Finding) -> None:
        """Add a finding, unless the report already has one with the same code."""
        if all(finding.code != other.code for other in self.findings):
            self.findings.append(finding)

    def find_causes(self) -> None:
        """Mark the findings that another one explains, and put them behind the others."""
        explained = {code for finding in self.findings for code in finding.rule.explains}
        roots: list[Finding] = []
        sorted_findings = []
        for finding in sorted(self.findings, key=lambda finding: finding.code in explained):
            cause = next((root for root in roots if root.explains(finding)), None)
            if cause is None:
                roots.append(finding)
            sorted_findings.append(finding if cause is None else evolve(finding, follows=cause.code))
        # The sort is stable: findings of the same severity stay in the order in which they were found.
        order = {finding.code: number for number, finding in enumerate(self.findings)}
        sorted_findings.sort(key=lambda finding: order.get(finding.code, 0))
        sorted_findings.sort(
            key=lambda finding: (list(Severity).index(finding.severity), finding.follows != "")
        )
        self.findings = sorted_findings

    def only(self, code: str) -> Report:
        """Return this report with only the findings of ``code`` and those that may have hidden it."""
        kept = [
            finding for finding in self.findings if finding.code == code or finding.severity is Severity.MUST
        ]
        return evolve(self, findings=kept)
