"""Fences and barriers."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import BaseAttr, ParsePropInAttrDict, opt_operand_def, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.ops.attributes import ImmediateAttr, Read, ReadAttr
from xegpu.dialects.xe.ops.base import InstructionOp, check_range
from xegpu.dialects.xe.ops.types import GRFType
from xegpu.isa.model import FenceFields, Flush, Immediate, MemoryScope, Unit

_UNITS = {unit.text: unit for unit in Unit}
_FLUSHES = {flush.text: flush for flush in Flush}
_SCOPES = {scope.text: scope for scope in MemoryScope}


class FenceOp(InstructionOp):
    """A fence of one memory: all threads in `scope` see the accesses before it.

    ```mlir
    xe.fence {flush = "none", scope = "gpu", unit = "ugm"}
    ```
    """

    unit = prop_def(StringAttr)
    flush = prop_def(StringAttr)
    scope = prop_def(StringAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    def __init__(self, fence: FenceFields):
        super().__init__(
            properties={
                "unit": StringAttr(fence.unit.text),
                "flush": StringAttr(fence.flush.text),
                "scope": StringAttr(fence.scope.text),
            }
        )

    def fence(self) -> FenceFields:
        """The fields of the instruction."""
        return FenceFields(_UNITS[self.unit.data], _FLUSHES[self.flush.data], _SCOPES[self.scope.data])

    def verify_(self) -> None:
        for what, name, known in (
            ("unit", self.unit, _UNITS),
            ("flush", self.flush, _FLUSHES),
            ("scope", self.scope, _SCOPES),
        ):
            if name.data not in known:
                raise VerifyException(f"unknown {what} '{name.data}', expected one of {', '.join(known)}")


class BarrierOp(InstructionOp):
    """A signal to a barrier of the work-group, a wait, or both. A named barrier is in a register or a constant.

    ```mlir
    xe.barrier
    ```
    ```mlir
    xe.nbarrier.signal[%b : !xe.grf<64, 64>] {read = #xe.read<ud, 8, [0, 1, 0]>}
    ```
    """

    source = opt_operand_def(GRFType)
    read = opt_prop_def(BaseAttr(ReadAttr) | BaseAttr(ImmediateAttr))

    irdl_options = (ParsePropInAttrDict(),)
    # Brackets: without them, the result of the next line would be read as the source.
    assembly_format = "(`[` $source^ `:` type($source) `]`)? attr-dict"

    def __init__(self, source: tuple[SSAValue, Read] | Immediate | None = None):
        read = None
        if source is not None:
            read = ImmediateAttr(source) if isinstance(source, Immediate) else ReadAttr(source[1])
        super().__init__(operands=[source[0] if isinstance(source, tuple) else None], properties={"read": read})

    def verify_(self) -> None:
        if (self.read is not None) != (self.SPEC.sources > 0):
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs' if self.SPEC.sources else 'takes no'} `read`")
        if (self.source is not None) != isinstance(self.read, ReadAttr):
            raise VerifyException("a register and its `read` go together")
        if self.source is not None and isinstance(self.read, ReadAttr):
            check_range("the source", self.read.data.offset, self.read.data.type.size, self.source)
