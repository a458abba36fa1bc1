"""Extensions and corrections of xDSL's own dialects, one module or folder each, meant for upstreaming."""

from xegpu.dialects.upstream.traits import (
    BroadcastInterface as BroadcastInterface,
    Elementwise as Elementwise,
    ReductionInterface as ReductionInterface,
    TransposeInterface as TransposeInterface,
)
