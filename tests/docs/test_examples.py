"""Python examples in the documentation run and print what they show."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.docs.pages import blocks, name_of, pages

pytestmark = pytest.mark.compiled("engine")


EXAMPLES = [page for page in pages() if any(block.startswith(">>>") for block in blocks(page, "python"))]


@pytest.mark.parametrize("page", EXAMPLES, ids=name_of)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a page as one session: later blocks use names and files of earlier ones."""
    monkeypatch.chdir(tmp_path)
    text = "\n".join(block for block in blocks(page, "python") if block.startswith(">>>"))
    examples = doctest.DocTestParser().get_doctest(text, {}, name_of(page), name_of(page), 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=report.append)
    assert not report, "".join(report)


def test_the_pages_have_examples() -> None:
    names = {name_of(page) for page in EXAMPLES}
    assert names >= {
        "docs/recipes.md",
        "docs/reference/notations.md",
        "docs/reference/position-line.md",
    }
