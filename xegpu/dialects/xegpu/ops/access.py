"""The common base of ops that access memory through a descriptor."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from xdsl.ir import Attribute
from xdsl.irdl import operand_def, opt_prop_def

from xegpu.dialects.xegpu.attributes import CacheHint, CacheHintAttr
from xegpu.dialects.xegpu.generations.generations import NO_LAYOUT, TranslatedOp
from xegpu.dialects.xegpu.types import TensorDescType, descriptor_type


class CacheHints(NamedTuple):
    """A hint for each cache level; None says nothing about it."""

    l1: CacheHint | None = None
    l2: CacheHint | None = None
    l3: CacheHint | None = None

    def properties(self) -> dict[str, Attribute]:
        return {f"{level}_hint": CacheHintAttr(hint) for level, hint in self._asdict().items() if hint is not None}


NO_HINTS = CacheHints()


class AccessOp(TranslatedOp):
    """An access through a descriptor, with a hint for each cache level."""

    tensor_desc = operand_def(TensorDescType)
    l1_hint = opt_prop_def(CacheHintAttr)
    l2_hint = opt_prop_def(CacheHintAttr)
    l3_hint = opt_prop_def(CacheHintAttr)

    TRANSLATIONS: ClassVar = {"layout": NO_LAYOUT}

    @property
    def desc(self) -> TensorDescType:
        """The type of the descriptor."""
        return descriptor_type(self.tensor_desc)

    @property
    def hint_attributes(self) -> dict[str, CacheHintAttr | None]:
        return {"l1_hint": self.l1_hint, "l2_hint": self.l2_hint, "l3_hint": self.l3_hint}

    @property
    def hints(self) -> CacheHints:
        return CacheHints(*(None if hint is None else hint.data for hint in self.hint_attributes.values()))
