"""Limits of the sizes of values."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, OpResult

from passes.convert_xegpu_to_xe.lowering.values import LoweredValues, UniformConstant
from passes.kernel.register_types import element_count, element_type
from xegpu.diagnostics import CompileError
from xegpu.targets import Target


class ValueSizes:
    """Refuses operations with vectors that registers and scratch space cannot hold, before time is spent on them.

    `limit` is the size in bytes of the largest value: parts of it that are not in use wait in scratch space.
    """

    def __init__(self, target: Target, values: LoweredValues):
        self.limit = target.platform.max_scratch_bytes
        self._target = target
        self._values = values

    def check(self, op: Operation, type: Attribute, lanes: int = 1) -> None:
        """Refuses an operation with a value of a type that is too large."""
        data_type = element_type(type)
        size = 0 if data_type is None else element_count(type) * data_type.size * lanes
        if size > self.limit:
            each = f" in each of {lanes} work-items" if lanes > 1 else ""
            raise CompileError(
                op,
                f"needs {size} bytes for {type}{each}: a thread of {self._target.name} has "
                f"{self.limit} besides its registers; use smaller vectors",
            )

    def check_operation(self, op: Operation) -> None:
        """Refuses an operation if a vector that it may need registers for is too large; scalars never are."""
        for result in op.results:
            if type(result.type) is VectorType and op.name != "arith.constant":
                self.check(op, result.type, self._values.lanes_of(result))
        for operand in op.operands:
            if type(operand.type) is not VectorType:
                continue
            # The results of operations have been checked there, but for constants, which may need no registers.
            if isinstance(operand, OpResult) and operand.op.name != "arith.constant":
                continue
            if not (op.name.startswith("vector.") and isinstance(self._values[operand], UniformConstant)):
                self.check(op, operand.type, self._values.lanes_of(operand))
