"""Settings of the documentation; ``make docs`` builds it."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

# The directives of this folder are imported as docs.diagrams.
sys.path.insert(0, str(Path(__file__).parents[1]))

project = "quoridor-net"
author = "the quoridor-net authors"
project_copyright = author
version = release = installed_version("quoridor-net")

extensions = [
    "docs.diagrams.directives",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]

# Both games have a Position and an IllegalMoveError; a short name in a docstring means the nearer one.
suppress_warnings = ["ref.python"]

# Options begin with two hyphens, which must not become a dash.
smartquotes = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = True
napoleon_numpy_docstring = False

# The manual page is the page of commands, which is made from their help.
man_pages = [("reference/commands", "quoridor", "Quoridor over the network", author, 1)]
man_show_urls = False

html_theme = "furo"
html_title = "quoridor-net"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
