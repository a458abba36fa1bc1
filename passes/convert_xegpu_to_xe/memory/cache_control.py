"""Maps XeGPU's cache hints to the cache control of messages: the nearest pair of levels that the hardware has."""

from __future__ import annotations

from collections.abc import Callable

from passes.kernel.memories import MessageMemory
from xegpu.diagnostics import remark
from xegpu.dialects.xegpu import CacheHint, CacheHints
from xegpu.dialects.xegpu.ops import HintedOp
from xegpu.isa.model import CacheControl

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
"""By the L1 hint: the control with an uncached and with a cached L3 (write-back is encoded as read-invalidate)."""


_WORDS = {
    CacheHint.UNCACHED: "uc",
    CacheHint.CACHED: "ca",
    CacheHint.STREAMING: "st",
    CacheHint.READ_INVALIDATE: "ri",
    CacheHint.WRITE_THROUGH: "wt",
    CacheHint.WRITE_BACK: "wb",
}


_PREFETCHES = {CacheControl.UC_UC: CacheControl.DEFAULT, CacheControl.RI_CA: CacheControl.CA_CA}
"""The controls that prefetches use in place of those that have no meaning for them."""


def cache_control(op: HintedOp, space: MessageMemory, control: Callable[[HintedOp], CacheControl]) -> CacheControl:
    """Returns the cache control of an access to global memory, None for shared local memory, which has no caches."""
    return control(op) if space is MessageMemory.GLOBAL else CacheControl.DEFAULT


def load_cache(op: HintedOp) -> CacheControl:
    """Returns the cache control of a load; L2 hints are ignored, as there is no such level."""
    control = _control(op.hints, _LOADS, CacheHint.CACHED)
    _report(op, control.load_text)
    return control


def prefetch_cache(op: HintedOp) -> CacheControl:
    """Returns the cache control of a prefetch."""
    control = _control(op.hints, _LOADS, CacheHint.CACHED)
    control = _PREFETCHES.get(control, control)
    _report(op, control.load_text)
    return control


def store_cache(op: HintedOp) -> CacheControl:
    """Returns the cache control of a store."""
    control = _control(op.hints, _STORES, CacheHint.WRITE_BACK)
    _report(op, control.store_text)
    return control


def _control(
    hints: CacheHints, table: dict[CacheHint, tuple[CacheControl, CacheControl]], usual: CacheHint
) -> CacheControl:
    if hints.l1 is None and hints.l3 is None:
        return CacheControl.DEFAULT
    first = hints.l1 if hints.l1 is not None else (_UNCACHED if hints.l3 is _UNCACHED else usual)
    return table[first][0 if hints.l3 is _UNCACHED else 1]


def _report(op: HintedOp, taken: str) -> None:
    """Emits a remark where messages have no control that matches the hints exactly."""
    given = {"l1_hint": op.hints.l1, "l3_hint": op.hints.l3}
    said = {name: hint for name, hint in given.items() if hint is not None}
    if said and ".".join(_WORDS[hint] for hint in said.values()) != taken:
        hints = ", ".join(f"{name} = {hint}" for name, hint in said.items())
        remark(op, f"takes the cache control {taken}, the nearest to {hints}")
