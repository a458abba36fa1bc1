"""Cache hints of XeGPU to the cache control of messages: the nearest pair of levels that hardware has."""

from __future__ import annotations

from xegpu.dialects.xegpu import CacheHint, CacheHints
from xegpu.isa.messages import CacheControl

_UNCACHED = CacheHint.UNCACHED

_LOADS = {
    CacheHint.UNCACHED: (CacheControl.UC_UC, CacheControl.UC_CA),
    CacheHint.CACHED: (CacheControl.CA_UC, CacheControl.CA_CA),
    CacheHint.STREAMING: (CacheControl.ST_UC, CacheControl.ST_CA),
    CacheHint.READ_INVALIDATE: (CacheControl.RI_CA, CacheControl.RI_CA),
}
_STORES = {
    CacheHint.UNCACHED: (CacheControl.UC_UC, CacheControl.UC_CA),
    CacheHint.CACHED: (CacheControl.RI_CA, CacheControl.RI_CA),
    CacheHint.WRITE_THROUGH: (CacheControl.CA_UC, CacheControl.CA_CA),
    CacheHint.STREAMING: (CacheControl.ST_UC, CacheControl.ST_CA),
    CacheHint.WRITE_BACK: (CacheControl.RI_CA, CacheControl.RI_CA),
}
"""By the L1 hint: the control with an uncached and with a cached L3 (write-back has read-invalidate's code)."""


def load_cache(hints: CacheHints) -> CacheControl:
    """Cache control of a load or prefetch; L2 hints are ignored, and so are levels that nothing is said about."""
    return _control(hints, _LOADS, CacheHint.CACHED)


def store_cache(hints: CacheHints) -> CacheControl:
    """Cache control of a store."""
    return _control(hints, _STORES, CacheHint.WRITE_BACK)


def _control(
    hints: CacheHints, table: dict[CacheHint, tuple[CacheControl, CacheControl]], usual: CacheHint
) -> CacheControl:
    if hints.l1 is None and hints.l3 is None:
        return CacheControl.DEFAULT
    first = hints.l1 if hints.l1 is not None else (_UNCACHED if hints.l3 is _UNCACHED else usual)
    return table[first][0 if hints.l3 is _UNCACHED else 1]
