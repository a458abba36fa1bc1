"""Ops on vectors whose length the machine decides.

xDSL has none of them.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, VectorType, i64
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.vector.types import vector_type


@irdl_op_definition
class VectorScaleOp(IRDLOperation):
    """`%r = vector.vscale`: by how much the machine multiplies scalable dimensions."""

    name = "vector.vscale"
    res = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "attr-dict"


@irdl_custom_directive
class Position(CustomDirective):
    """An integer without its type."""

    pos: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.pos.set(state, IntegerAttr(parser.parse_integer(allow_boolean=False), i64))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        pos = self.pos.get(op)
        assert isa(pos, IntegerAttr)
        printer.print_string(str(pos.value.data))
        state.should_emit_space = state.last_was_punctuation = False


def _verify_part(part: VectorType, whole: VectorType, pos: int) -> None:
    """`part` is a fixed vector that fits into one of the pieces of `whole`."""
    if part.get_num_dims() != 1 or whole.get_num_dims() != 1 or any(part.scalable_dims) or not all(whole.scalable_dims):
        raise VerifyException(f"expected a fixed and a scalable vector of one dimension, got {part} and {whole}")
    if part.element_type != whole.element_type:
        raise VerifyException(f"expected equal element types, got {part} and {whole}")
    size = part.get_shape()[0]
    if pos < 0 or pos % size:
        raise VerifyException(f"expected a position that is a multiple of {size}, got {pos}")


@irdl_op_definition
class ScalableInsertOp(IRDLOperation):
    """A scalable vector with a part of fixed size replaced, from an element on.

    `%r = vector.scalable.insert %v, %s[4] : vector<4xf32> into vector<[4]xf32>`
    """

    name = "vector.scalable.insert"
    T: ClassVar = VarConstraint("T", base(VectorType))

    value_to_store = operand_def(VectorType)
    dest = operand_def(T)
    pos = prop_def(IntegerAttr[I64])
    res = result_def(T)

    traits = traits_def(Pure())
    custom_directives = (Position,)
    assembly_format = (
        "$value_to_store `,` $dest `[` custom<Position>($pos) `]` attr-dict"
        " `:` type($value_to_store) `into` type($dest)"
    )

    def verify_(self) -> None:
        _verify_part(vector_type(self.value_to_store), vector_type(self.dest), self.pos.value.data)


@irdl_op_definition
class ScalableExtractOp(IRDLOperation):
    """A part of fixed size of a scalable vector, from an element on.

    `%r = vector.scalable.extract %s[4] : vector<4xf32> from vector<[4]xf32>`
    """

    name = "vector.scalable.extract"
    source = operand_def(VectorType)
    pos = prop_def(IntegerAttr[I64])
    res = result_def(VectorType)

    traits = traits_def(Pure())
    custom_directives = (Position,)
    assembly_format = "$source `[` custom<Position>($pos) `]` attr-dict `:` type($res) `from` type($source)"

    def verify_(self) -> None:
        _verify_part(self.res.type, vector_type(self.source), self.pos.value.data)
