"""The HTML page shows what the text shows, and lets nothing of a program's name through."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from attrs import evolve

from quoridor_net.grading.grade import Grade
from quoridor_net.grading.html_report import html_report
from quoridor_net.grading.rubric import default_rubric, parse_rubric
from tests.grading.grades import empty_grade, partial_grade, whole_grade

HOSTILE = '</title></main><script>alert(1)</script><img src="http://evil/x">'

#: Elements without an end tag.
VOID = {"meta", "link", "br", "img"}


class Nesting(HTMLParser):
    """Checks that every element is closed, and collects the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.elements: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def read(grade: Grade) -> Nesting:
    """Return the parsed page of a grade."""
    page = html_report(grade, parse_rubric(default_rubric()).award(grade))
    parsed = Nesting()
    parsed.feed(page)
    parsed.close()
    assert parsed.open == []
    return parsed


@pytest.mark.parametrize("grade", [whole_grade(), partial_grade(), empty_grade()])
def test_page_is_whole_and_has_no_scripts(grade: Grade) -> None:
    parsed = read(grade)
    assert "script" not in parsed.elements
    assert f"seed {grade.seed}" in parsed.text


def test_page_shows_all_parts_of_a_grade() -> None:
    text = read(whole_grade()).text
    for expected in (
        "Grade of ann:bot", "1 of 4 checks passed", "LAN-141", "illegal_move", "on a scale from 0",
        "Winning chance 25% instead of 75%.", "Fix LAN-141 first;",
    ):  # fmt: skip
        assert expected in text
    assert "Partial grade" not in text
    assert "Partial grade: the grading was interrupted." in read(partial_grade()).text
    assert "cannot be started: No such file or directory" in read(empty_grade()).text


def test_the_whole_scale_of_levels_is_inside_its_drawing() -> None:
    page = html_report(whole_grade(), parse_rubric(default_rubric()).award(whole_grade()))
    scale = page[page.index('<svg class="scale"') :].partition("</svg>")[0]
    _, _, width, _ = re.findall(r'viewBox="(\d+) (\d+) (\d+) (\d+)"', scale)[0]
    # Room for the number below the last mark.
    marks = [int(place) for place in re.findall(r'<text x="(\d+)"', scale)]
    assert 0 < min(marks) == int(width) - max(marks)


def test_boards_mark_the_better_step_and_cross_out_the_played_one() -> None:
    page = html_report(whole_grade(), parse_rubric(default_rubric()).award(whole_grade()))
    assert page.count('class="marked"') == page.count('class="refused"') == 1


def test_names_and_remarks_cannot_add_elements() -> None:
    grade = evolve(whole_grade(), name=HOSTILE, subject=HOSTILE, remarks=[HOSTILE])
    parsed = read(grade)
    assert not {"script", "img"} & parsed.elements
    assert HOSTILE in parsed.text


def test_page_loads_nothing() -> None:
    page = html_report(whole_grade(), parse_rubric(default_rubric()).award(whole_grade()))
    assert re.findall(r'(?:src|href)="(?!data:)', page) == []
    assert "default-src 'none'" in page
