"""Passes on the `memref` dialect; each module defines one."""

from __future__ import annotations

from passes.memref.flatten_vector_elements import MemrefFlattenVectorElementsPass

__all__ = ["MemrefFlattenVectorElementsPass"]
