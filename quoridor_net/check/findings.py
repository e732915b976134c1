"""What a check found: rules that were broken, and what crossed the wire when they were."""

from __future__ import annotations

import enum

from attrs import define, evolve, field, frozen


class Severity(enum.StrEnum):
    """How bad a finding is."""

    #: The document is broken: games will be lost by it.
    MUST = "must"
    #: Other programs will stumble over it, or the document only recommends otherwise.
    SHOULD = "should"
    #: Worth knowing.
    NOTE = "note"


@frozen
class Rule:
    """One row of the catalogue: what can be found wrong.

    Attributes:
        code: its stable name, such as ``LAN-141``.
        severity: how bad it is.
        title: the fault in a few words, beginning with a verb whose subject is the program.
        section: the document and the section that say so.
        sentence: what stands there, with … where words are left out.
        cause: what usually causes the fault, in a sentence.
        hint: how to mend it, in a sentence or two.
        quoted: whether the sentence is the document's; if not, it says what follows from the document.
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
        """The sentence, in quotation marks if it is quoted, and the section."""
        return f"“{self.sentence}” ({self.section})" if self.quoted else f"{self.sentence} ({self.section})"


@frozen
class WireLine:
    """Bytes that crossed the wire.

    Attributes:
        peer: who was at the other end, where there are several: 1 unless said otherwise.
        is_sent: whether the checker sent them.
        data: the bytes, a line end included if there was one.
    """

    is_sent: bool
    data: bytes
    peer: int = 1


@frozen
class Finding:
    """A rule that was broken, once.

    Attributes:
        rule: the row of the catalogue.
        expected: what should have come, in words.
        sent: the bytes sent last before it happened.
        received: the bytes that came; empty when none did.
        dialogue: everything that crossed the wire in that conversation until then.
        drawing: the position in lines of text; empty where there is none.
        detail: what is known beyond the rule, a sentence; may be empty.
        closed: whether the program had closed the connection.
        silent: whether it was silent when the time for something more was up.
        peers: how many connections there were at the same time.
        peer: which of them it happened on.
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
    """How one check ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@frozen
class CheckOutcome:
    """One check and how it ended.

    Attributes:
        name: of the check, without blanks.
        title: what was looked at.
        verdict: how it ended.
        remark: what was seen, or why it was skipped; may be empty.
        codes: of what was found in it.
    """

    name: str
    title: str
    verdict: CheckVerdict
    remark: str = ""
    codes: tuple[str, ...] = ()


@define
class Report:
    """Everything that a run of the checker found.

    Attributes:
        subject: what was checked, for people.
        document: the document it was checked against.
        noun: what kind of program it is: server, client, engine or file.
        findings: each code once, the worst first; of the same severity, what was found first.
        outcomes: the checks, in the order in which they ran.
        remarks: what could not be seen, and other sentences for people.
        is_interrupted: whether the run was ended before all checks were.
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
        """Whether all that can be looked at was, and no rule was broken that has to be kept."""
        musts = [finding for finding in self.findings if finding.severity is Severity.MUST]
        return self.is_checked and not self.is_interrupted and not musts

    @property
    def is_checked(self) -> bool:
        """Whether anything could be looked at."""
        return any(outcome.verdict is not CheckVerdict.SKIPPED for outcome in self.outcomes)

    def add(self, finding: Finding) -> None:
        """Add a finding, unless there is one of the same code."""
        if all(finding.code != other.code for other in self.findings):
            self.findings.append(finding)

    def only(self, code: str) -> Report:
        """Return this report with the findings of ``code``, and those that kept it from being looked at."""
        kept = [
            finding for finding in self.findings if finding.code == code or finding.severity is Severity.MUST
        ]
        return evolve(self, findings=kept)
