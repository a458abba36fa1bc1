"""The site that Sphinx makes of the pages; `scripts/site` builds it."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

from sphinx.application import Sphinx

from xegpu import __version__

sys.path.extend(str(path) for path in Path(__file__).parents[:2])

from lexers import MlirLexer, XeAssemblyLexer

from tests.structure import offered

project = "xegpu-toolkit"
release = version = __version__
author = "the authors of xegpu-toolkit"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
nitpicky = False
default_role = "code"  # docstrings write names as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks hold the outputs of a run that a test repeats
html_theme = "furo"
html_title = project
copybutton_prompt_text = "$ "

# Signatures name classes by their last name, and several packages have a `Target` or offer a `CompileError`.
suppress_warnings = ["ref.python"]


def setup(app: Sphinx) -> None:
    """Registers the lexers of MLIR and of assembly, and what packages offer."""
    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("asm", XeAssemblyLexer)
    if app.tags.has("links"):
        app.connect("source-read", _leave_out_docstrings)
        return
    # Autodoc leaves out what a package imports, unless `__all__` names it.
    for page in Path(__file__).with_name("api").glob("*.md"):
        for package in re.findall(r"automodule:: (\S+)", page.read_text()):
            vars(import_module(package)).setdefault("__all__", sorted(offered(package)))


def _leave_out_docstrings(_app: Sphinx, page: str, source: list[str]) -> None:
    """Spares a build that checks links (`-t links`) most of its time."""
    source[0] = re.sub(r"^```{eval-rst}\n\.\. automodule::.*?^```$", "", source[0], flags=re.MULTILINE | re.DOTALL)
