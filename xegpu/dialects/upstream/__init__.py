"""What xDSL's own dialects lack for GPU programs, dialect by dialect, in the form in which xDSL could take it over."""

from __future__ import annotations

from xegpu.dialects.upstream.traits import BroadcastInterface, Elementwise, ReductionInterface, TransposeInterface

__all__ = ["BroadcastInterface", "Elementwise", "ReductionInterface", "TransposeInterface"]
