"""Front ends: what brings kernels in other languages to MLIR.

`docs/frontends.md` describes what they agree on.
"""

from __future__ import annotations
