"""Ops that mix two vectors element by element, and take such a mixture apart.

xDSL has none of them.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import VectorType
from xdsl.irdl import IRDLOperation, VarConstraint, base, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.vector.types import vector_type


def _with_last(vector: VectorType, size: int) -> VectorType:
    return VectorType(vector.element_type, [*vector.get_shape()[:-1], size], vector.scalable_dims)


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """`%r = vector.interleave %a, %b : vector<16xf32> -> vector<32xf32>`: a0, b0, a1, b1, ... of each row."""

    name = "vector.interleave"
    T: ClassVar = VarConstraint("T", base(VectorType))

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"

    @staticmethod
    def _result_type(source: VectorType) -> VectorType:
        if not source.get_num_dims():
            return VectorType(source.element_type, [2])
        return _with_last(source, 2 * source.get_shape()[-1])

    def verify_(self) -> None:
        expected = self._result_type(vector_type(self.lhs))
        if self.result.type != expected:
            raise VerifyException(f"expected a result of type {expected}, got {self.result.type}")


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """`%even, %odd = vector.deinterleave %v : vector<16xf32> -> vector<8xf32>`: every other element of each row."""

    name = "vector.deinterleave"
    T: ClassVar = VarConstraint("T", base(VectorType))

    source = operand_def(VectorType)
    res1 = result_def(T)
    res2 = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"

    def verify_(self) -> None:
        source = vector_type(self.source)
        if not source.get_num_dims() or source.get_shape()[-1] % 2:
            raise VerifyException(f"expected an even number of elements in the last dimension, got {source}")
        expected = _with_last(source, source.get_shape()[-1] // 2)
        if self.res1.type != expected:
            raise VerifyException(f"expected results of type {expected}, got {self.res1.type}")
