"""Words that overhang: atomics of 32 bits at the ends of allocations.

Elements of one or two bytes are updated by exchanges of the aligned word around them, which can begin before an
allocation or end after it. A GPU checks pages, so that this works; here the loads and exchanges of such words may
access device memory if any byte of the word is in an allocation. The bytes that are in none (or, where the message
writes, in none that is writable) read as zero and keep their values.
"""

from __future__ import annotations

from xegpu.isa import OpSpec
from xegpu.isa.model import DataSize

WORD_BYTES = DataSize.D32.memory_bytes
_MNEMONICS = frozenset({"atomic_load", "atomic_icas"})


def may_overhang(spec: OpSpec, size: int) -> bool:
    """Returns whether an atomic on elements of `size` bytes may overhang allocations."""
    return size == WORD_BYTES and spec.mnemonic in _MNEMONICS
