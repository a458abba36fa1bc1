"""Poison: the pattern that fills unwritten memory while reads of such memory are looked for.

Copies carry poison along, and every store replaces it, whoever makes it: a kernel, compiled code of the host, or the
caller. A word that holds it has therefore not been written. Words of random data equal it once in 2^32.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

POISON = 0x7FAD7F9D
"""The word: a NaN as f32, as two f16 and as two bf16, and no small number as integers of any width."""

POISON_BYTES = 4
_LIMIT = 64 << 20
_BYTES = np.array([POISON], "<u4").view(np.uint8)


def fill_with_poison(memory: NDArray[np.uint8]) -> None:
    """Fills memory that starts at a multiple of `POISON_BYTES`, up to 64 MiB: more would commit too many pages."""
    words = memory[: min(memory.size, _LIMIT) // POISON_BYTES * POISON_BYTES]
    words.view("<u4").fill(POISON)


def is_unwritten(memory: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns whether the bytes at some offsets belong to words of poison that lie in the memory as a whole."""
    start = memory.__array_interface__["data"][0]
    words = offsets - (start + offsets) % POISON_BYTES
    inside: NDArray[np.bool_] = (words >= 0) & (words + POISON_BYTES <= memory.size)
    if not inside.any():
        return inside
    held = memory[np.clip(words, 0, memory.size - POISON_BYTES)[..., None] + np.arange(POISON_BYTES)]
    inside &= (held == _BYTES).all(axis=-1)
    return inside
