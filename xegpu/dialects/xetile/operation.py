"""The common base of all ops of the dialect."""

from __future__ import annotations

from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, IRDLOption, ParsePropInAttrDict, opt_prop_def

from xegpu.dialects.xegpu import CacheHints
from xegpu.dialects.xetile.attributes import CacheHintAttr

NO_HINTS = CacheHints()


class TileOperation(IRDLOperation):
    """An op whose inherent attributes stand in `{...}`, beside discardable ones."""

    irdl_options: tuple[IRDLOption, ...] = (ParsePropInAttrDict(),)


class HintedOperation(TileOperation):
    """An op that accesses memory, with a hint for each cache level."""

    l1_hint = opt_prop_def(CacheHintAttr)
    l2_hint = opt_prop_def(CacheHintAttr)
    l3_hint = opt_prop_def(CacheHintAttr)

    @property
    def hint_attributes(self) -> dict[str, CacheHintAttr | None]:
        return {"l1_hint": self.l1_hint, "l2_hint": self.l2_hint, "l3_hint": self.l3_hint}

    @property
    def hints(self) -> CacheHints:
        return CacheHints(*(None if hint is None else hint.data for hint in self.hint_attributes.values()))


def hint_properties(hints: CacheHints) -> dict[str, Attribute]:
    """The properties of an op with `hints`."""
    return {f"{level}_hint": CacheHintAttr(hint) for level, hint in hints._asdict().items() if hint is not None}
