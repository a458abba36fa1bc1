"""Ops that make vectors of single elements, and take vectors apart.

xDSL has none of them.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerType, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.traits import BroadcastInterface
from xegpu.dialects.upstream.vector.types import vector_type

MAX_ELEMENTS = 1 << 16
"""Results that one op may reasonably have; the bound keeps a small text from making a huge op."""


@irdl_op_definition
class SplatOp(IRDLOperation, BroadcastInterface):
    """`%r = vector.splat %x : vector<16xf32>`: a vector with the same value everywhere, as older versions say it."""

    name = "vector.splat"
    T: ClassVar = VarConstraint("T", AnyAttr())

    input = operand_def(T)
    aggregate = result_def(VectorType.constr(T))

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($aggregate)"

    @property
    def repeated(self) -> SSAValue:
        return self.input


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """`%r = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>`: a vector of the scalars, row-major."""

    name = "vector.from_elements"
    T: ClassVar = VarConstraint("T", AnyAttr())

    elements = var_operand_def(T)
    dest = result_def(VectorType.constr(T))

    traits = traits_def(Pure())
    assembly_format = "$elements attr-dict `:` type($dest)"

    def __init__(self, elements: Sequence[SSAValue | Operation], result_type: VectorType):
        super().__init__(operands=[elements], result_types=[result_type])

    def verify_(self) -> None:
        if len(self.elements) != (expected := self.dest.type.element_count()):
            raise VerifyException(f"expected {expected} elements for {self.dest.type}, got {len(self.elements)}")


@irdl_custom_directive
class ElementsOf(CustomDirective):
    """The type of a vector, which has a result for each element."""

    source: TypeDirective
    elements: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        vector = parser.parse_type()
        if not isa(vector, VectorType) or vector.element_count() > MAX_ELEMENTS:
            parser.raise_error(f"expected a vector of at most {MAX_ELEMENTS} elements", position, parser.pos)
        self.source.set(state, (vector,))
        self.elements.set(state, (vector.element_type,) * vector.element_count())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.source.print(printer, state, op)


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """`%a, %b, %c, %d = vector.to_elements %v : vector<2x2xf32>`: all elements as scalars, row-major."""

    name = "vector.to_elements"
    source = operand_def(VectorType)
    elements = var_result_def()

    traits = traits_def(Pure())
    custom_directives = (ElementsOf,)
    assembly_format = "$source attr-dict `:` custom<ElementsOf>(type($source), type($elements))"

    def __init__(self, source: SSAValue | Operation):
        vector = vector_type(SSAValue.get(source))
        super().__init__(operands=[source], result_types=[[vector.element_type] * vector.element_count()])

    def verify_(self) -> None:
        vector = vector_type(self.source)
        if self.result_types != (vector.element_type,) * vector.element_count():
            raise VerifyException(
                f"expected {vector.element_count()} results of type {vector.element_type} for {vector}, got "
                f"{len(self.results)}"
            )


@irdl_op_definition
class StepOp(IRDLOperation):
    """`%r = vector.step : vector<16xindex>`: 0, 1, 2, ..."""

    name = "vector.step"
    result = result_def(VectorType.constr(IndexType()))

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, size: int):
        super().__init__(result_types=[VectorType(IndexType(), [size])])

    def verify_(self) -> None:
        if self.result.type.get_num_dims() != 1:
            raise VerifyException(f"expected a vector of rank 1, got {self.result.type}")


_INDEX_OPERAND = base(IntegerType) | base(IndexType)


def _verify_position(vector: VectorType, position: SSAValue | None) -> None:
    if vector.get_num_dims() > 1 or (position is None) != (vector.get_num_dims() == 0):
        raise VerifyException(f"expected a position for a vector of rank 1, none for rank 0, got {vector}")


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """`%r = vector.extractelement %v[%i : index] : vector<16xf32>`: an element, as older versions say it."""

    name = "vector.extractelement"
    T: ClassVar = VarConstraint("T", AnyAttr())

    vector = operand_def(VectorType.constr(T))
    position = opt_operand_def(_INDEX_OPERAND)
    result = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector)"

    def verify_(self) -> None:
        _verify_position(vector_type(self.vector), self.position)


@irdl_op_definition
class InsertElementOp(IRDLOperation):
    """The vector with an element replaced, as older versions say it.

    `%r = vector.insertelement %x, %v[%i : index] : vector<16xf32>`
    """

    name = "vector.insertelement"
    T: ClassVar = VarConstraint("T", AnyAttr())
    V: ClassVar = VarConstraint("V", VectorType.constr(T))

    source = operand_def(T)
    dest = operand_def(V)
    position = opt_operand_def(_INDEX_OPERAND)
    result = result_def(V)

    traits = traits_def(Pure())
    assembly_format = "$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` type($dest)"

    def verify_(self) -> None:
        _verify_position(vector_type(self.dest), self.position)
