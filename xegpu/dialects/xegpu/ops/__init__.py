"""Operations of the XeGPU dialect."""

from __future__ import annotations

from xegpu.dialects.xegpu.ops.access import HintedOp
from xegpu.dialects.xegpu.ops.dpas import LAYOUTS, MAP_NAMES, SG_MAPS
from xegpu.dialects.xegpu.ops.folding import constant_index

__all__ = [
    "LAYOUTS",
    "MAP_NAMES",
    "SG_MAPS",
    "HintedOp",
    "constant_index",
]
