"""Ops that view a buffer in another shape, and that query its shape.

xDSL's ops of these names, `reinterpret_cast` aside, have no custom assembly; `transpose` and `reshape` are missing.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref as base
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    StridedLayoutAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.dialects.utils import (
    DynamicIndexList,
    parse_dynamic_index_list_without_types,
    split_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
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

from xegpu.dialects.upstream.memref.types import AnyMemRef, any_memref, are_cast_compatible, ranked_memref


@irdl_op_definition
class CastOp(IRDLOperation):
    """`%r = memref.cast %m : memref<4x8xf32> to memref<?x?xf32>`: the buffer, with less or more known of its type."""

    name = "memref.cast"
    source = operand_def(AnyMemRef)
    dest = result_def(AnyMemRef)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def __init__(self, source: SSAValue | Operation, result_type: MemRefType | UnrankedMemRefType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        if not are_cast_compatible(any_memref(self.source), any_memref(self.dest)):
            raise VerifyException(
                f"operand type '{self.source.type}' and result type '{self.dest.type}' are cast incompatible"
            )


@irdl_op_definition
class MemorySpaceCastOp(IRDLOperation):
    """The buffer, as one of another memory space.

    `%r = memref.memory_space_cast %m : memref<64xf32, #gpu.address_space<workgroup>> to memref<64xf32>`
    """

    name = "memref.memory_space_cast"
    source = operand_def(AnyMemRef)
    dest = result_def(AnyMemRef)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def verify_(self) -> None:
        source, dest = any_memref(self.source), any_memref(self.dest)
        if _without_space(source) != _without_space(dest):
            raise VerifyException(f"operand type '{source}' and result type '{dest}' differ in more than memory space")


def _without_space(memref: MemRefType | UnrankedMemRefType) -> Attribute:
    if isinstance(memref, UnrankedMemRefType):
        return UnrankedMemRefType.from_type(memref.element_type)
    return MemRefType(memref.element_type, memref.get_shape(), memref.layout)


@irdl_op_definition
class ExtractAlignedPointerAsIndexOp(IRDLOperation):
    """The address of the buffer that the elements lie in.

    `%r = memref.extract_aligned_pointer_as_index %m : memref<4x8xf32> -> index`
    """

    name = "memref.extract_aligned_pointer_as_index"
    source = operand_def(AnyMemRef)
    aligned_pointer = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"


@irdl_op_definition
class RankOp(IRDLOperation):
    """`%r = memref.rank %m : memref<*xf32>`: the number of dimensions."""

    name = "memref.rank"
    source = operand_def(AnyMemRef)
    rank = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source)"


class ExpandShapeOp(base.ExpandShapeOp):
    """The buffer with a dimension seen as several; nothing is moved.

    `%r = memref.expand_shape %m [[0, 1]] output_shape [8, %n] : memref<?xf32> into memref<8x?xf32>`

    Without `output_shape`, as older releases of MLIR write it, the sizes are those of the result.
    """

    @classmethod
    def parse(cls, parser: Parser) -> ExpandShapeOp:
        source = parser.parse_unresolved_operand()
        reassociation = parser.parse_attribute()
        position, sizes = parser.pos, None
        if parser.parse_optional_keyword("output_shape") is not None:
            sizes = parse_dynamic_index_list_without_types(parser, dynamic_index=DYNAMIC_INDEX)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_keyword("into")
        result = parser.parse_type()
        if sizes is None:
            shape = result.get_shape() if isinstance(result, MemRefType) else ()
            if DYNAMIC_INDEX in shape:
                parser.raise_error(f"expected 'output_shape [...]', because {result} leaves sizes open", position)
            sizes = [], shape
        dynamic, static = sizes
        return cls.build(
            operands=[
                parser.resolve_operand(source, source_type),
                [parser.resolve_operand(size, IndexType()) for size in dynamic],
            ],
            result_types=[result],
            properties={"reassociation": reassociation, "static_output_shape": DenseArrayBase.from_list(i64, static)},
            attributes=attributes,
        )


def _transposed(memref: MemRefType, permutation: Sequence[int]) -> MemRefType | None:
    """The type with its dimensions permuted; None when the strides of `memref` are not known as such."""
    strides, shape = memref.get_strides(), memref.get_shape()
    if strides is None:
        return None
    layout = StridedLayoutAttr([strides[dim] for dim in permutation], memref.get_offset())
    return MemRefType(memref.element_type, [shape[dim] for dim in permutation], layout, memref.memory_space)


@irdl_custom_directive
class Permutation(CustomDirective):
    """`(d0, d1) -> (d1, d0)`: an affine map without its keyword."""

    permutation: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.permutation.set(state, AffineMapAttr(parser.parse_affine_map()))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        permutation = self.permutation.get(op)
        assert isinstance(permutation, AffineMapAttr)
        state.print_whitespace(printer)
        printer.print_string(str(permutation.data))


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """The buffer with its dimensions in another order; nothing is moved.

    `%r = memref.transpose %m (d0, d1) -> (d1, d0) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>`
    """

    name = "memref.transpose"
    source = operand_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    custom_directives = (Permutation,)
    assembly_format = "$source custom<Permutation>($permutation) attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue | Operation, permutation: Sequence[int], result_type: MemRefType | None = None):
        results = tuple(AffineDimExpr(dim) for dim in permutation)
        super().__init__(
            operands=[source],
            result_types=[result_type or _transposed(ranked_memref(SSAValue.get(source)), permutation)],
            properties={"permutation": AffineMapAttr(AffineMap(len(results), 0, results))},
        )

    def verify_(self) -> None:
        source, affine_map = ranked_memref(self.source), self.permutation.data
        dims = [expr.position for expr in affine_map.results if isinstance(expr, AffineDimExpr)]
        is_permutation = len(dims) == len(affine_map.results) and sorted(dims) == list(range(affine_map.num_dims))
        if affine_map.num_symbols or not is_permutation:
            raise VerifyException(f"expected a permutation map, got {affine_map}")
        if affine_map.num_dims != source.get_num_dims():
            raise VerifyException(f"expected a permutation map of {source.get_num_dims()} dimensions, got {affine_map}")
        expected = _transposed(source, dims)
        if expected is not None and not _same_view(expected, self.result.type):
            raise VerifyException(f"expected a result of type {expected}, got {self.result.type}")


def _same_view(a: MemRefType, b: MemRefType) -> bool:
    """Returns whether both types have the same shape, strides and offset, in whichever form of layout."""
    if (a.element_type, a.get_shape(), a.memory_space) != (b.element_type, b.get_shape(), b.memory_space):
        return False
    return b.get_strides() is None or (a.get_strides(), a.get_offset()) == (b.get_strides(), b.get_offset())


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The elements in the same order, in a shape that a buffer holds.

    `%r = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>`
    """

    name = "memref.reshape"
    source = operand_def(AnyMemRef)
    shape = operand_def(MemRefType)
    result = result_def(AnyMemRef)

    traits = traits_def(Pure())
    assembly_format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        source, shape, result = any_memref(self.source), ranked_memref(self.shape), any_memref(self.result)
        if shape.get_num_dims() != 1 or not isinstance(shape.element_type, IntegerType | IndexType):
            raise VerifyException(f"expected a shape of one dimension of integers or index, got {shape}")
        if source.element_type != result.element_type:
            raise VerifyException(f"expected equal element types, got {source} and {result}")
        for memref in (source, result):
            if isinstance(memref, MemRefType) and not _is_identity(memref):
                raise VerifyException(f"source and result memref type should have identity layout, got {memref}")
        (size,) = shape.get_shape()
        if isinstance(result, UnrankedMemRefType):
            return
        if size == DYNAMIC_INDEX:
            raise VerifyException(f"cannot use a shape of dynamic length with the statically-ranked {result}")
        if size != result.get_num_dims():
            raise VerifyException(f"expected {result.get_num_dims()} entries of the shape for {result}, got {size}")


def _is_identity(memref: MemRefType) -> bool:
    plain = MemRefType(memref.element_type, memref.get_shape())
    return (memref.get_strides(), memref.get_offset()) == (plain.get_strides(), plain.get_offset())


@irdl_op_definition
class ReinterpretCastOp(IRDLOperation):
    """The same buffer with another offset, sizes and strides, in elements.

    `%r = memref.reinterpret_cast %m to offset: [%o], sizes: [%n, 4], strides: [4, 1]
    : memref<?xf32> to memref<?x4xf32, strided<[4, 1], offset: ?>>`
    """

    name = "memref.reinterpret_cast"
    source = operand_def(AnyMemRef)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)
    assembly_format = (
        "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets)"
        " `` `,` `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes)"
        " `` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides)"
        " attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        offset: SSAValue | int,
        sizes: Sequence[SSAValue | int],
        strides: Sequence[SSAValue | int],
        result_type: MemRefType,
    ):
        parts = [split_dynamic_index_list(part, DYNAMIC_INDEX) for part in ([offset], sizes, strides)]
        names = ("static_offsets", "static_sizes", "static_strides")
        super().__init__(
            operands=[source, *(dynamic for _, dynamic in parts)],
            result_types=[result_type],
            properties={
                name: DenseArrayBase.from_list(i64, static) for name, (static, _) in zip(names, parts, strict=True)
            },
        )

    def verify_(self) -> None:
        source, result = any_memref(self.source), ranked_memref(self.result)
        offsets, sizes, strides = (
            list(part.get_values()) for part in (self.static_offsets, self.static_sizes, self.static_strides)
        )
        for static, dynamic, what in (
            (offsets, self.offsets, "offset"),
            (sizes, self.sizes, "size"),
            (strides, self.strides, "stride"),
        ):
            verify_dynamic_index_list(static, dynamic, DYNAMIC_INDEX, f" in the {what} arguments")
        if len(offsets) != 1:
            raise VerifyException(f"expected 1 offset value, got {len(offsets)}")
        rank = result.get_num_dims()
        for values, what in ((sizes, "size"), (strides, "stride")):
            if len(values) != rank:
                raise VerifyException(f"expected {rank} {what} values, got {len(values)}")
        if any(size < 0 for size in sizes if size != DYNAMIC_INDEX):
            raise VerifyException(f"expected sizes of at least 0, got {sizes}")
        if (source.element_type, source.memory_space) != (result.element_type, result.memory_space):
            raise VerifyException(f"different element types or memory spaces of {source} and {result}")
        self._verify_described(result, sizes, strides, offsets[0])

    @staticmethod
    def _verify_described(result: MemRefType, sizes: Sequence[int], strides: Sequence[int], offset: int) -> None:
        """The type of the result agrees with the operands, or leaves sizes open."""

        def fits(declared: int | None, given: int) -> bool:
            return declared in (None, DYNAMIC_INDEX) or declared == given

        for dim, (declared, given) in enumerate(zip(result.get_shape(), sizes, strict=True)):
            if not fits(declared, given):
                raise VerifyException(
                    f"expected result type with size = {_word(given)} instead of {declared} in dim = {dim}"
                )
        layout = result.get_strides()
        if layout is None:
            if isinstance(result.layout, StridedLayoutAttr):
                return
            raise VerifyException(f"expected result type to have strided layout but found {result}")
        if not fits(result.get_offset(), offset):
            raise VerifyException(
                f"expected result type with offset = {_word(offset)} instead of {result.get_offset()}"
            )
        for dim, (stated, given) in enumerate(zip(layout, strides, strict=True)):
            if not fits(stated, given):
                raise VerifyException(
                    f"expected result type with stride = {_word(given)} instead of {stated} in dim = {dim}"
                )


def _word(value: int) -> str:
    return "dynamic" if value == DYNAMIC_INDEX else str(value)
