"""Passes on the `memref` dialect; each module defines one."""

from passes.memref.flatten_vector_elements import MemrefFlattenVectorElementsPass as MemrefFlattenVectorElementsPass
