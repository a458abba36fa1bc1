"""The common base of operations that access memory."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, opt_prop_def

from xegpu.dialects.xegpu.attributes import CacheHint, CacheHintAttr
from xegpu.dialects.xegpu.lane_maps import DISTRIBUTION, DistributionAttr


class CacheHints(NamedTuple):
    """A hint for each cache level; None says nothing about it."""

    l1: CacheHint | None = None
    l2: CacheHint | None = None
    l3: CacheHint | None = None

    def properties(self) -> dict[str, Attribute]:
        return {f"{level}_hint": CacheHintAttr(hint) for level, hint in self._asdict().items() if hint is not None}


NO_HINTS = CacheHints()


def access_properties(hints: CacheHints, layout: DistributionAttr | None) -> dict[str, Attribute]:
    """Returns the properties that accesses of all kinds have."""
    properties = hints.properties()
    if layout is not None:
        properties["layout"] = layout
    return properties


class HintedOp(IRDLOperation):
    """An access of memory with a hint for each cache level, and a layout for the value that it accesses."""

    l1_hint = opt_prop_def(CacheHintAttr)
    l2_hint = opt_prop_def(CacheHintAttr)
    l3_hint = opt_prop_def(CacheHintAttr)
    layout = opt_prop_def(DISTRIBUTION)

    @property
    def hint_attributes(self) -> dict[str, CacheHintAttr | None]:
        return {"l1_hint": self.l1_hint, "l2_hint": self.l2_hint, "l3_hint": self.l3_hint}

    @property
    def hints(self) -> CacheHints:
        return CacheHints(*(None if hint is None else hint.data for hint in self.hint_attributes.values()))
