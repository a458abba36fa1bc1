"""Ops that read and replace parts of a vector.

xDSL lacks the ops with strides; the others are replaced for MLIR 22's rules.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, ArrayAttr, DenseArrayBase, IndexType, IntegerAttr, VectorType, i64
from xdsl.dialects.utils import DynamicIndexList, split_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
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

from xegpu.dialects.upstream.vector.types import vector_type, with_dims, with_leading

Position = Sequence[SSAValue | int]
I64Array = ArrayAttr[IntegerAttr[I64]]


def _part_at(vector: VectorType, depth: int) -> Attribute:
    """The type of the part of `vector` that `depth` indices select."""
    rank = vector.get_num_dims()
    return with_dims(vector, range(depth, rank)) if depth < rank else vector.element_type


def _verify_position(vector: VectorType, static: Sequence[int], dynamic: int, part: Attribute) -> None:
    if static.count(DYNAMIC_INDEX) != dynamic:
        raise VerifyException(f"expected {static.count(DYNAMIC_INDEX)} dynamic positions, got {dynamic}")
    if len(static) > vector.get_num_dims():
        raise VerifyException(f"expected position of rank at most {vector.get_num_dims()}, got {len(static)}")
    for number, (index, size) in enumerate(zip(static, vector.get_shape(), strict=False)):
        if index != DYNAMIC_INDEX and not 0 <= index < size:
            raise VerifyException(f"expected position #{number + 1} to be from 0 to {size - 1}, got {index}")
    expected = _part_at(vector, len(static))
    if part != expected:
        raise VerifyException(f"expected {expected} at {len(static)} indices of {vector}, got {part}")


@irdl_custom_directive
class PartFromVector(CustomDirective):
    """`f32 from vector<8x16xf32>`, or the vector's type alone in older texts: the position says what its part is."""

    part: TypeDirective
    vector: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        start = parser.pos
        first = parser.parse_type()
        if parser.parse_optional_keyword("from") is not None:
            self.part.set(state, (first,))
            self.vector.set(state, (parser.parse_type(),))
            return
        position = state.properties["static_position"]
        assert isa(position, DenseArrayBase)
        if not isinstance(first, VectorType) or len(position) > first.get_num_dims():
            parser.raise_error(f"expected 'from', or a vector with {len(position)} dimensions", start, parser.pos)
        self.part.set(state, (_part_at(first, len(position)),))
        self.vector.set(state, (first,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.part.print(printer, state, op)
        printer.print_string(" from")
        state.should_emit_space, state.last_was_punctuation = True, False
        self.vector.print(printer, state, op)


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """One part of a vector: an element or a vector of the innermost dimensions.

    `%r = vector.extract %v[3, %i] : f32 from vector<8x16xf32>`
    """

    name = "vector.extract"
    vector = operand_def(VectorType)
    dynamic_position = var_operand_def(IndexType)
    static_position = prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    traits = traits_def(Pure())
    custom_directives = (DynamicIndexList, PartFromVector)
    assembly_format = (
        "$vector `` custom<DynamicIndexList>($dynamic_position, $static_position)"
        " attr-dict `:` custom<PartFromVector>(type($result), type($vector))"
    )

    def __init__(self, vector: SSAValue | Operation, position: Position):
        static, dynamic = split_dynamic_index_list(position, DYNAMIC_INDEX)
        super().__init__(
            operands=[vector, dynamic],
            result_types=[_part_at(vector_type(SSAValue.get(vector)), len(static))],
            properties={"static_position": DenseArrayBase.from_list(i64, static)},
        )

    def verify_(self) -> None:
        _verify_position(
            vector_type(self.vector),
            self.static_position.get_values(),
            len(self.dynamic_position),
            self.result.type,
        )


@irdl_op_definition
class InsertOp(IRDLOperation):
    """`%r = vector.insert %x, %v [3, %i] : f32 into vector<8x16xf32>` gives `%v` with one part replaced."""

    name = "vector.insert"
    T: ClassVar = VarConstraint("T", base(VectorType))

    source = operand_def()
    dest = operand_def(T)
    dynamic_position = var_operand_def(IndexType)
    static_position = prop_def(DenseArrayBase.constr(i64))
    result = result_def(T)

    traits = traits_def(Pure())
    custom_directives = (DynamicIndexList,)
    assembly_format = (
        "$source `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position)"
        " attr-dict `:` type($source) `into` type($dest)"
    )

    def verify_(self) -> None:
        dest = vector_type(self.dest)
        _verify_position(dest, self.static_position.get_values(), len(self.dynamic_position), self.source.type)


def _integers(array: I64Array) -> list[int]:
    return [entry.value.data for entry in array]


def _array(values: Sequence[int]) -> I64Array:
    return ArrayAttr(IntegerAttr(value, i64) for value in values)


def _verify_box(
    shape: Sequence[int], offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int], whole: VectorType
) -> None:
    """The box of `sizes` at `offsets` lies inside `shape`."""
    if not len(offsets) == len(sizes) == len(strides) <= len(shape):
        raise VerifyException(
            f"expected offsets, sizes and strides of one rank, at most {len(shape)}, got {list(offsets)}, "
            f"{list(sizes)} and {list(strides)}"
        )
    if any(stride != 1 for stride in strides):
        raise VerifyException(f"expected strides to be 1, got {list(strides)}")
    for dim, (extent, offset, size) in enumerate(zip(shape, offsets, sizes, strict=False)):
        if offset < 0 or size < 1 or offset + size > extent:
            raise VerifyException(f"{size} elements at offset {offset} do not lie inside dimension {dim} of {whole}")


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """A box of a vector; dimensions without an entry are taken whole.

    `%r = vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]}
    : vector<8x16xf32> to vector<2x4xf32>`
    """

    name = "vector.extract_strided_slice"
    vector = operand_def(VectorType)
    offsets = prop_def(I64Array)
    sizes = prop_def(I64Array)
    strides = prop_def(I64Array)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$vector attr-dict `:` type($vector) `to` type($result)"

    def __init__(self, vector: SSAValue | Operation, offsets: Sequence[int], sizes: Sequence[int]):
        source = vector_type(SSAValue.get(vector))
        super().__init__(
            operands=[vector],
            result_types=[with_leading(source, sizes)],
            properties={
                "offsets": _array(offsets),
                "sizes": _array(sizes),
                "strides": _array([1] * len(offsets)),
            },
        )

    def verify_(self) -> None:
        source, sizes = vector_type(self.vector), _integers(self.sizes)
        _verify_box(source.get_shape(), _integers(self.offsets), sizes, _integers(self.strides), source)
        expected = with_leading(source, sizes)
        if self.result.type != expected:
            raise VerifyException(f"expected result type to be {expected}, got {self.result.type}")


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """A vector with a box replaced; the box covers the innermost dimensions.

    `%r = vector.insert_strided_slice %box, %v {offsets = [0, 2], strides = [1, 1]}
    : vector<2x4xf32> into vector<8x16xf32>`
    """

    name = "vector.insert_strided_slice"
    T: ClassVar = VarConstraint("T", base(VectorType))

    source = operand_def(VectorType)
    dest = operand_def(T)
    offsets = prop_def(I64Array)
    strides = prop_def(I64Array)
    result = result_def(T)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source `,` $dest attr-dict `:` type($source) `into` type($dest)"

    def __init__(self, source: SSAValue | Operation, dest: SSAValue | Operation, offsets: Sequence[int]):
        rank = vector_type(SSAValue.get(source)).get_num_dims()
        super().__init__(
            operands=[source, dest],
            result_types=[SSAValue.get(dest).type],
            properties={"offsets": _array(offsets), "strides": _array([1] * rank)},
        )

    def verify_(self) -> None:
        source, dest = vector_type(self.source), vector_type(self.dest)
        offsets, strides = _integers(self.offsets), _integers(self.strides)
        if source.element_type != dest.element_type:
            raise VerifyException(f"expected equal element types, got {source} and {dest}")
        if len(offsets) != dest.get_num_dims():
            raise VerifyException(f"expected {dest.get_num_dims()} offsets, got {len(offsets)}")
        if len(strides) != source.get_num_dims() or len(strides) > len(offsets):
            raise VerifyException(
                f"expected {source.get_num_dims()} strides, at most {dest.get_num_dims()}, got {len(strides)}"
            )
        outer = len(offsets) - len(strides)
        sizes = [1] * outer + list(source.get_shape())
        _verify_box(dest.get_shape(), offsets, sizes, [1] * outer + strides, dest)
