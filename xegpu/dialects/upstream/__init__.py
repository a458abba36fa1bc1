"""Extensions and corrections of xDSL's own dialects, one module or folder each, meant for upstreaming."""

from __future__ import annotations

from xegpu.dialects.upstream.traits import BroadcastInterface, Elementwise, ReductionInterface, TransposeInterface

__all__ = ["BroadcastInterface", "Elementwise", "ReductionInterface", "TransposeInterface"]
