"""Ops that make and move descriptors of dense blocks."""

from __future__ import annotations

from itertools import chain

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    UnitAttr,
    i32,
    i64,
)
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.printer import Printer
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.diagnostics import about
from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.folding import MixedList, is_only_user, replace, sums, with_constants
from xegpu.dialects.xegpu.memory import memory_space_number, static_strides
from xegpu.dialects.xegpu.syntax import (
    check_mixed,
    integers,
    mixed,
    parse_index_list,
    parse_optional_index_list,
    print_index_list,
    print_optional_offsets,
)
from xegpu.dialects.xegpu.types import TensorDescType, descriptor_type, is_scalar

ADDRESS_TYPES = (
    IntegerType(64, Signedness.UNSIGNED),
    IntegerType(32, Signedness.UNSIGNED),
    i64,
    i32,
)


class CreateNdDescPatterns(HasCanonicalizationPatternsTrait):
    """The canonicalization patterns of `create_nd_tdesc`."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (ConstantsOfCreate(),)


class UpdateNdOffsetPatterns(HasCanonicalizationPatternsTrait):
    """The canonicalization patterns of `update_nd_offset`."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (ConstantsOfUpdate(), ZeroUpdate(), UpdateOfUpdate(), UpdateOfCreate())


@irdl_op_definition
class CreateNdDescOp(IRDLOperation):
    """Describes the block of `source` that starts at `offsets`.

    `%td = xegpu.create_nd_tdesc %p[%i, 16], [%h, %w], [%ld, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>`

    Offsets and strides count elements; the block lies in the plane of the innermost dimensions. A static memref brings
    its own shape and strides, which explicit lists override. Without offsets the block is at the origin, and LLVM 22
    writes the lists as `%p, shape : [%h, %w], strides : [%ld, 1]`.
    """

    name = "xegpu.create_nd_tdesc"
    source = operand_def()
    offsets = var_operand_def(IndexType)
    shape = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    const_offsets = opt_prop_def(DenseArrayBase.constr(i64))
    const_shape = opt_prop_def(DenseArrayBase.constr(i64))
    const_strides = opt_prop_def(DenseArrayBase.constr(i64))
    keyword_lists = opt_prop_def(UnitAttr)
    """Shape and strides are written after their keywords, as in LLVM 22. Without a meaning otherwise."""
    tensor_desc = result_def(TensorDescType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure(), CreateNdDescPatterns())

    def __init__(
        self,
        source: SSAValue | Operation,
        offsets: MixedList | None,
        result_type: TensorDescType,
        shape: MixedList | None = None,
        strides: MixedList | None = None,
        *,
        keyword_lists: bool = False,
    ):
        properties: dict[str, Attribute] = {"keyword_lists": UnitAttr()} if keyword_lists else {}
        dynamic: list[list[SSAValue]] = []
        for name, values in (("const_offsets", offsets), ("const_shape", shape), ("const_strides", strides)):
            static, values_of_list = split_dynamic_index_list(values or (), DYNAMIC_INDEX)
            dynamic.append(values_of_list)
            if values is not None:
                properties[name] = DenseArrayBase.from_list(i64, static)
        super().__init__(operands=[source, *dynamic], result_types=[result_type], properties=properties)

    @property
    def rank(self) -> int:
        """The number of dimensions of the plane or of the memref that the descriptor is a block of."""
        if self.const_offsets is not None:
            return len(self.const_offsets)
        if self.const_shape is not None:
            return len(self.const_shape)
        source, desc = self.source.type, self.tensor_desc.type
        return source.get_num_dims() if isa(source, MemRefType) else desc.get_num_dims()

    @property
    def mixed_offsets(self) -> list[SSAValue | int]:
        """The offsets, outermost first; zeros where the operation has none."""
        return [0] * self.rank if self.const_offsets is None else mixed(self.const_offsets, self.offsets)

    @property
    def mixed_shape(self) -> list[SSAValue | int] | None:
        """The explicit shape, or None: the memref's own."""
        return None if self.const_shape is None else mixed(self.const_shape, self.shape)

    @property
    def mixed_strides(self) -> list[SSAValue | int] | None:
        """The explicit strides, or None: the memref's own."""
        return None if self.const_strides is None else mixed(self.const_strides, self.strides)

    @classmethod
    def parse(cls, parser: Parser) -> CreateNdDescOp:
        source = parser.parse_unresolved_operand()
        offsets = parse_optional_index_list(parser)
        shape = strides = None
        has_keywords = False
        if parser.parse_optional_punctuation(",") is not None:
            has_keywords = parser.parse_optional_keyword("shape") is not None
            if has_keywords:
                parser.parse_punctuation(":")
            shape = parse_index_list(parser)
            parser.parse_punctuation(",", " between shape and strides")
            if has_keywords:
                parser.parse_keyword("strides")
                parser.parse_punctuation(":")
            strides = parse_index_list(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_punctuation("->")
        result_type = parser.parse_type()
        lists = {"const_offsets": offsets, "const_shape": shape, "const_strides": strides}
        dynamic = [[] if entries is None else entries.dynamic for entries in lists.values()]
        segments = DenseArrayBase.from_list(i32, [1, *map(len, dynamic)])
        return cls.create(
            operands=[parser.resolve_operand(source, source_type), *chain.from_iterable(dynamic)],
            result_types=[result_type],
            properties={
                **{name: entries.static for name, entries in lists.items() if entries is not None},
                **({"keyword_lists": UnitAttr()} if has_keywords else {}),
                "operandSegmentSizes": segments,
            },
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        print_optional_offsets(printer, self.const_offsets, self.offsets)
        if self.const_shape is not None and self.const_strides is not None:
            shape, strides = ("shape : ", "strides : ") if self.keyword_lists is not None else ("", "")
            printer.print_string(f", {shape}")
            print_index_list(printer, self.const_shape, self.shape)
            printer.print_string(f", {strides}")
            print_index_list(printer, self.const_strides, self.strides)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.tensor_desc.type)

    def verify_(self) -> None:
        with about(source=self.source):
            self._verify_source()

    def _verify_source(self) -> None:
        desc = self.tensor_desc.type
        source = self.source.type if isa(self.source.type, MemRefType) else None
        is_address = is_scalar(source.element_type) if source else self.source.type in ADDRESS_TYPES
        if not is_address:
            raise VerifyException(
                f"operand #0 must be a memref of scalars or one of ui64, ui32, i64, i32, but got {self.source.type}"
            )
        self._verify_lists()
        source_space = memory_space_number(source.memory_space) if source else 0
        if source_space != desc.memory_space.number:
            raise VerifyException(
                f"Memory space mismatch. Source: {source_space}, TensorDesc: {desc.memory_space.number}"
            )
        rank = self.rank
        if source and source.get_num_dims() != rank:
            raise VerifyException(
                "Expecting the rank of shape, strides, offsets, and source (if source is a memref) should match with "
                f"each other. Source has rank {source.get_num_dims()}, offsets have {rank}"
            )
        if desc.get_num_dims() > rank:
            raise VerifyException(
                "Expecting the TensorDesc rank is not greater than the ranks of shape, strides, offsets or "
                f"the memref source. TensorDesc has rank {desc.get_num_dims()}, offsets have {rank}"
            )
        if source and source.element_type != desc.element_type:
            raise VerifyException(
                "TensorDesc should have the same element type with the source if it is a memref. Source has "
                f"{source.element_type}, TensorDesc has {desc.element_type}"
            )
        if desc.is_scattered:
            raise VerifyException("Expects a non-scattered TensorDesc.")
        rules.static_shape(desc)
        self._verify_extent(source, rank)

    def _verify_lists(self) -> None:
        """Each list is consistent in itself, and they have equal lengths."""
        if self.const_shape is not None and self.const_strides is None:
            raise VerifyException("a shape needs strides")
        for what, static, dynamic in (
            ("offset", self.const_offsets, self.offsets),
            ("size", self.const_shape, self.shape),
            ("stride", self.const_strides, self.strides),
        ):
            if static is None:
                if dynamic:
                    raise VerifyException(f"expected 0 {what} values, got {len(dynamic)}")
                continue
            check_mixed(what, static, dynamic)
            if len(static) != self.rank:
                raise VerifyException(
                    f"expected mixed offsets rank to match mixed {what}s rank ({self.rank} vs "
                    f"{len(static)}) so the rank of the result type is well-formed."
                )
        if self.const_shape is not None:
            for size in integers(self.const_shape):
                if size < 0 and size != DYNAMIC_INDEX:
                    raise VerifyException(f"expected sizes to be non-negative, but got {size}")

    def _verify_extent(self, source: MemRefType | None, rank: int) -> None:
        """Shape and strides are known from the lists or from a memref, and elements of a row are neighbours."""
        if self.const_shape is not None and self.const_strides is not None:
            strides = integers(self.const_strides)
        elif source is None:
            if rank > 1 or self.const_strides is not None:
                raise VerifyException(f"an integer source needs shape and strides for {rank} offsets")
            return
        elif (known := static_strides(source)) is None:
            return  # what the type does not tell, the memref knows at run time
        else:
            if self.const_strides is not None and integers(self.const_strides) != known:
                raise VerifyException(f"strides without a shape must be those of the source {source}")
            strides = known
        if strides and strides[-1] not in (1, DYNAMIC_INDEX):
            raise VerifyException(f"expected the innermost stride to be 1, got {strides[-1]}")


@irdl_op_definition
class UpdateNdOffsetOp(IRDLOperation):
    """Moves a block by `offsets` elements, relative to where it is.

    `%next = xegpu.update_nd_offset %td, [0, 32] : !xegpu.tensor_desc<8x16xf16>`
    """

    name = "xegpu.update_nd_offset"
    tensor_desc = operand_def(TensorDescType)
    offsets = var_operand_def(IndexType)
    const_offsets = prop_def(DenseArrayBase.constr(i64))
    result = result_def(TensorDescType)

    traits = traits_def(Pure(), UpdateNdOffsetPatterns())

    def __init__(self, tensor_desc: SSAValue | Operation, offsets: MixedList):
        static, dynamic = split_dynamic_index_list(offsets, DYNAMIC_INDEX)
        super().__init__(
            operands=[tensor_desc, dynamic],
            result_types=[SSAValue.get(tensor_desc).type],
            properties={"const_offsets": DenseArrayBase.from_list(i64, static)},
        )

    @property
    def mixed_offsets(self) -> list[SSAValue | int]:
        """The distances to move along each dimension of the block, in elements, outermost first."""
        return mixed(self.const_offsets, self.offsets)

    @classmethod
    def parse(cls, parser: Parser) -> UpdateNdOffsetOp:
        tensor_desc = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        offsets = parse_index_list(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        desc_type = parser.parse_type()
        return cls.build(
            operands=[parser.resolve_operand(tensor_desc, desc_type), offsets.dynamic],
            result_types=[desc_type],
            properties={"const_offsets": offsets.static},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor_desc)
        printer.print_string(", ")
        print_index_list(printer, self.const_offsets, self.offsets)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        desc = descriptor_type(self.tensor_desc)
        check_mixed("offset", self.const_offsets, self.offsets)
        with about(tensor_desc=self.tensor_desc):
            rules.block_descriptor(desc)
            if desc != self.result.type:  # text has room for one type
                raise VerifyException(f"expected a result of the operand's type {desc}, got {self.result.type}")
            if len(self.const_offsets) != desc.get_num_dims():
                raise VerifyException(
                    f"Invalid number of offsets. Expected {desc.get_num_dims()}, got {len(self.const_offsets)}"
                )


# Canonicalization


class ConstantsOfCreate(RewritePattern):
    """Constant offsets, sizes and strides move to the static lists."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CreateNdDescOp, rewriter: PatternRewriter) -> None:
        offsets, shape, strides = with_constants(op.mixed_offsets), op.mixed_shape, op.mixed_strides
        if shape is not None:
            shape = with_constants(shape, lambda size: size >= 0)
        if strides is not None:
            # What breaks a rule only when it runs stays as it is.
            strides = [*with_constants(strides[:-1]), *with_constants(strides[-1:], lambda stride: stride == 1)]
        if (offsets, shape, strides) == (op.mixed_offsets, op.mixed_shape, op.mixed_strides):
            return
        folded = CreateNdDescOp(
            op.source,
            None if op.const_offsets is None else offsets,
            op.tensor_desc.type,
            shape,
            strides,
            keyword_lists=op.keyword_lists is not None,
        )
        replace(op, folded, rewriter)


class ConstantsOfUpdate(RewritePattern):
    """Constant offsets move to the static list."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateNdOffsetOp, rewriter: PatternRewriter) -> None:
        offsets = with_constants(op.mixed_offsets)
        if offsets != op.mixed_offsets:
            replace(op, UpdateNdOffsetOp(op.tensor_desc, offsets), rewriter)


class ZeroUpdate(RewritePattern):
    """A block that does not move stays the same block."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateNdOffsetOp, rewriter: PatternRewriter) -> None:
        if not any(integers(op.const_offsets)):
            rewriter.replace(op, [], [op.tensor_desc])


class UpdateOfUpdate(RewritePattern):
    """Two moves are one by the sum, unless the first position is needed: two steps of one descriptor need no copy."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateNdOffsetOp, rewriter: PatternRewriter) -> None:
        first = op.tensor_desc.owner
        if not isinstance(first, UpdateNdOffsetOp) or not is_only_user(op, first):
            return
        total = sums(first.mixed_offsets, op.mixed_offsets)
        if total is None:
            return
        rewriter.insert(total.additions)
        replace(op, UpdateNdOffsetOp(first.tensor_desc, total.values), rewriter)


class UpdateOfCreate(RewritePattern):
    """A block that is moved at once, and needed nowhere else, starts where it moves to."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateNdOffsetOp, rewriter: PatternRewriter) -> None:
        create = op.tensor_desc.owner
        if not isinstance(create, CreateNdDescOp) or not is_only_user(op, create):
            return
        offsets = create.mixed_offsets
        outer = len(offsets) - len(op.const_offsets)
        total = sums(offsets[outer:], op.mixed_offsets)
        if total is None:
            return
        rewriter.insert(total.additions)
        moved = CreateNdDescOp(
            create.source,
            [*offsets[:outer], *total.values],
            create.tensor_desc.type,
            create.mixed_shape,
            create.mixed_strides,
            keyword_lists=create.keyword_lists is not None,
        )
        moved.attributes.update(create.attributes)
        replace(op, moved, rewriter)
