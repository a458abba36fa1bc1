"""Front ends, which translate kernels in other languages to MLIR.

`docs/frontends.md` describes what they agree on.
"""

from __future__ import annotations

from passes.frontends.languages import (
    LANGUAGES,
    SpirvSource,
    import_source,
    import_spirv,
    inspect_spirv,
    language_of,
    link_spirv,
    text_of_spirv,
    tools_of,
    translate_opencl,
)
from passes.frontends.stages import observing

__all__ = [
    "LANGUAGES",
    "SpirvSource",
    "import_source",
    "import_spirv",
    "inspect_spirv",
    "language_of",
    "link_spirv",
    "observing",
    "text_of_spirv",
    "tools_of",
    "translate_opencl",
]
