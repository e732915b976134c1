"""The page of decisions has every section that code and tests cite."""

from __future__ import annotations

import re
import subprocess

from tests.docs.pages import DOCS, ROOT

SECTIONS = re.findall(r"^## (.+)$", (DOCS / "decisions.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_page_has_the_expected_sections() -> None:
    assert SECTIONS == ["Rules", "Notations", "Protocol", "Verdicts", "Dependencies", "Measuring"]


def test_citations_name_a_section() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    cited: list[tuple[str, str]] = []
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".json", ".toml"} and path.is_file():
            text = re.sub(r"\s+(?:# |#: )?", " ", path.read_text(encoding="utf-8"))
            cited += [(name, found) for found in re.findall(r"docs/decisions\.md, (\w+)", text)]
    assert [(name, found) for name, found in cited if found not in SECTIONS] == []
