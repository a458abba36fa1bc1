"""Calls of intrinsics, whose lowerings are a table by their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.llvm import CallIntrinsicOp
from xdsl.ir import Attribute, SSAValue

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import element_count, element_type
from xegpu.isa.model import DataType


@dataclass(frozen=True)
class IntrinsicCall:
    """A call; `name` is that of the intrinsic without its types."""

    lowering: KernelLowering
    op: CallIntrinsicOp
    name: str

    @property
    def emit(self) -> XeEmitter:
        """The emitter of the kernel."""
        return self.lowering.emit

    @property
    def result_type(self) -> Attribute | None:
        """The type of the result, if there is one."""
        return None if self.op.ress is None else self.op.ress.type

    @property
    def result_element(self) -> DataType:
        """The type of the result's elements; a call without a result that registers hold is refused."""
        element = None if self.result_type is None else element_type(self.result_type)
        if element is None:
            self.refuse(f"has a result of type {self.result_type}, which registers do not hold")
        return element

    @property
    def result_count(self) -> int:
        """The number of the result's elements."""
        return 0 if self.result_type is None else element_count(self.result_type)

    def refuse(self, reason: str) -> NoReturn:
        """Ends compilation with an error that names the intrinsic."""
        self.lowering.refuse(self.op, f"calls '{self.op.intrin.data}', which {reason}")

    def argument(self, index: int) -> SSAValue:
        """Returns an argument."""
        if index >= len(self.op.args):
            self.refuse(f"has {len(self.op.args)} arguments: expected {index + 1} or more")
        return self.op.args[index]

    def number(self, index: int) -> Number:
        """Returns a number or vector, which is that of the whole subgroup."""
        return self.lowering.uniform(self.op, self.argument(index))

    def elements(self, index: int) -> Elements:
        """Returns a number or vector in registers."""
        return self.lowering.operand(self.op, self.argument(index), 1)

    def constant(self, index: int) -> int:
        """Returns the bits of a number that has to be known when the kernel is compiled."""
        number = self.number(index)
        if not isinstance(number, UniformConstant):
            self.refuse(f"has a number that is computed at run time as argument {index + 1}: it must be constant")
        return number.bits


Handler = Callable[[IntrinsicCall], Number | None]
INTRINSICS: dict[str, Handler] = {}
"""The lowerings by names without types, filled by `lowers_intrinsic`; they return the result."""


def lowers_intrinsic(*names: str) -> Callable[[Handler], Handler]:
    """Registers a function as the lowering of intrinsics."""

    def register(handler: Handler) -> Handler:
        INTRINSICS.update(dict.fromkeys(names, handler))
        return handler

    return register


@lowers(CallIntrinsicOp)
def intrinsic(lowering: KernelLowering, op: CallIntrinsicOp) -> None:
    parts = op.intrin.data.split(".")
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    name = next((each for each in names if each in INTRINSICS), None)
    if name is None:
        lowering.refuse(op, f"calls '{op.intrin.data}', which kernels have no instruction for")
    result = INTRINSICS[name](IntrinsicCall(lowering, op, name))
    if op.ress is not None and result is not None:
        lowering.values[op.ress] = result
