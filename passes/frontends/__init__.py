"""Front ends: what brings kernels in other languages to MLIR.

`docs/frontends.md` describes what they agree on.
"""

from __future__ import annotations

from passes.frontends.languages import LANGUAGES, import_source, import_spirv, language_of, tools_of

__all__ = ["LANGUAGES", "import_source", "import_spirv", "language_of", "tools_of"]
