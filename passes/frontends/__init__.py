"""Front ends, which translate kernels in other languages to MLIR.

`docs/frontends.md` describes what they agree on.
"""

from passes.frontends.languages import (
    LANGUAGES as LANGUAGES,
    SpirvSource as SpirvSource,
    import_source as import_source,
    import_spirv as import_spirv,
    inspect_spirv as inspect_spirv,
    language_of as language_of,
    link_spirv as link_spirv,
    text_of_spirv as text_of_spirv,
    tools_of as tools_of,
    translate_opencl as translate_opencl,
)
from passes.frontends.stages import observing as observing
