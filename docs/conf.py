"""Settings of the documentation; ``make docs`` builds it."""

from __future__ import annotations

import re
from importlib.metadata import version as installed_version

from sphinx.application import Sphinx

project = "quoridor-net"
author = "the quoridor-net authors"
project_copyright = author
version = release = installed_version("quoridor-net")

extensions = ["myst_parser"]
exclude_patterns = ["_build"]

# Options begin with two hyphens, which must not become a dash.
smartquotes = False

# Every heading can be linked to by the anchor that it has on a repository's web view.
myst_heading_anchors = 6

# The manual page is the page of commands, which is made from their help.
man_pages = [("reference/commands", "quoridor", "Quoridor over the network", author, 1)]
man_show_urls = False

html_theme = "furo"
html_title = "quoridor-net"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False


def add_contents(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the tables of contents of the side bar to the front page: for each section, the pages it links to.

    The page itself has none, because a repository's web view would show their source.
    """
    if page == "index":
        for section in re.split(r"^## ", source[0], flags=re.MULTILINE)[1:]:
            entries = "\n".join(re.findall(r"\]\(([\w/-]+)\.md\)", section))
            source[0] += (
                f"\n```{{toctree}}\n:hidden:\n:caption: {section.splitlines()[0]}\n\n{entries}\n```\n"
            )


def name_other_files(_app: Sphinx, page: str, source: list[str]) -> None:
    """Replace links to files outside this folder, which are not built, by their names in the repository."""
    up = "../" * (page.count("/") + 1)
    source[0] = re.sub(rf"\[([^\]]+)\]\({re.escape(up)}([\w./-]+)[^)]*\)", r"\1 (`\2`)", source[0])


def setup(app: Sphinx) -> None:
    """Connect the functions above to the reading of pages."""
    app.connect("source-read", add_contents)
    app.connect("source-read", name_other_files)
