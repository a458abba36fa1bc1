"""The site that Sphinx makes of the pages; `scripts/site` builds it."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

from xegpu import __version__

sys.path.insert(0, str(Path(__file__).parent))

from lexers import MlirLexer, XeAssemblyLexer

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


def setup(app: Sphinx) -> None:
    """Registers the lexers of MLIR and of assembly."""
    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("asm", XeAssemblyLexer)
