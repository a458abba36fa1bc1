"""Operations of the XeGPU dialect."""

from xegpu.dialects.xegpu.folding import constant_index as constant_index
from xegpu.dialects.xegpu.ops.access import HintedOp as HintedOp
from xegpu.dialects.xegpu.ops.dpas import LAYOUTS as LAYOUTS, MAP_NAMES as MAP_NAMES, SG_MAPS as SG_MAPS
