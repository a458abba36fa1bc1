"""Ops that make masks, and that put another op under one.

xDSL has `create_mask` alone, without effects.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IndexType, VectorType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, Pure, RecursiveMemoryEffect, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.terminators import ensure_terminator

_MASK = VectorType.constr(i1)


@irdl_op_definition
class CreateMaskOp(IRDLOperation):
    """`%r = vector.create_mask %n, %m : vector<8x16xi1>`: true where every index is below its bound."""

    name = "vector.create_mask"
    mask_dim_sizes = var_operand_def(IndexType)
    mask_vector = result_def(_MASK)

    traits = traits_def(Pure())
    assembly_format = "$mask_dim_sizes attr-dict `:` type(results)"

    def __init__(self, sizes: Sequence[SSAValue | Operation], result_type: VectorType):
        super().__init__(operands=[sizes], result_types=[result_type])

    def verify_(self) -> None:
        expected = self.mask_vector.type.get_num_dims() or 1
        if len(self.mask_dim_sizes) != expected:
            raise VerifyException(
                f"expected {expected} operands for {self.mask_vector.type}, got {len(self.mask_dim_sizes)}"
            )


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """`%r = vector.constant_mask [4] : vector<16xi1>`: true where every index is below its bound."""

    name = "vector.constant_mask"
    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType.constr(i1))

    traits = traits_def(Pure())
    assembly_format = "$mask_dim_sizes attr-dict `:` type($result)"

    def __init__(self, sizes: Sequence[int], result_type: VectorType):
        super().__init__(
            result_types=[result_type],
            properties={"mask_dim_sizes": DenseArrayBase.from_list(i64, sizes)},
        )

    def verify_(self) -> None:
        sizes, shape = self.mask_dim_sizes.get_values(), self.result.type.get_shape() or (1,)
        if len(sizes) != len(shape):
            raise VerifyException(f"expected {len(shape)} mask sizes for {self.result.type}, got {len(sizes)}")
        for size, extent in zip(sizes, shape, strict=True):
            if not 0 <= size <= extent:
                raise VerifyException(f"expected a mask size from 0 to {extent}, got {size}")
        if 0 in sizes and any(sizes):
            raise VerifyException(f"expected all mask sizes to be 0, or none, got {list(sizes)}")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """`vector.yield %x : f32` ends the region of a `vector.mask`."""

    name = "vector.yield"
    arguments = var_operand_def()

    traits = lazy_traits_def(lambda: (Pure(), IsTerminator(), HasParent(MaskOp)))
    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *arguments: SSAValue | Operation):
        super().__init__(operands=[arguments])


@irdl_op_definition
class MaskOp(IRDLOperation):
    """The op in its body acts on the elements where the mask is true; elsewhere the result is `%pass_thru`.

    `%r = vector.mask %mask, %pass_thru { %v = vector.transfer_read %m[%i], %pad : memref<?xf32>, vector<16xf32> }
    : vector<16xi1> -> vector<16xf32>`
    """

    name = "vector.mask"
    mask = operand_def(_MASK)
    pass_thru = opt_operand_def()
    results_ = var_result_def()
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect(), SingleBlockImplicitTerminator(YieldOp))

    def __init__(
        self,
        mask: SSAValue | Operation,
        body: Region | None = None,
        result_types: Sequence[Attribute] = (),
        pass_thru: SSAValue | Operation | None = None,
    ):
        body = body or Region(Block())
        ensure_terminator(body, YieldOp)
        super().__init__(operands=[mask, pass_thru], result_types=[result_types], regions=[body])

    @property
    def masked_op(self) -> Operation | None:
        """The op under the mask."""
        first = self.body.block.first_op
        return None if isinstance(first, YieldOp) else first

    @classmethod
    def parse(cls, parser: Parser) -> MaskOp:
        mask = parser.parse_unresolved_operand()
        pass_thru: UnresolvedOperand | None = None
        if parser.parse_optional_punctuation(",") is not None:
            pass_thru = parser.parse_unresolved_operand()
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        mask_operand = parser.resolve_operand(mask, parser.parse_type())
        result_types: Sequence[Attribute] = ()
        position = parser.pos
        if parser.parse_optional_punctuation("->") is not None:
            result_types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type) or [
                parser.parse_type()
            ]
        last = body.block.last_op
        if isinstance(last, Operation) and not last.has_trait(IsTerminator):
            body.block.add_op(YieldOp(*last.results))  # the custom form leaves it out, with operands and all
        passed: SSAValue | None = None
        if pass_thru is not None:
            if len(result_types) != 1:
                parser.raise_error("expected one result where there is a pass-through value", position, parser.pos)
            passed = parser.resolve_operand(pass_thru, result_types[0])
        op = cls(mask_operand, body, result_types, passed)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" { ")
        shown = self.masked_op or self.body.block.last_op
        assert shown is not None
        printer.print_op(shown)
        printer.print_string(" }")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        if self.results:
            printer.print_string(" -> ")
            printer.print_list(self.result_types, printer.print_attribute)

    def verify_(self) -> None:
        operations = list(self.body.block.ops)
        last = operations[-1]
        if len(operations) > 2 or not isinstance(last, YieldOp):
            raise VerifyException(f"expects only one operation to mask, got {len(operations) - 1}")
        if tuple(last.operand_types) != tuple(self.result_types):
            raise VerifyException(
                f"expects to yield the types of its results, {', '.join(map(str, self.result_types)) or 'none'}"
            )
        if (masked := self.masked_op) is None:
            return
        if tuple(last.operands) != tuple(masked.results):
            raise VerifyException("expects all the results from the masked operation to be yielded")
        if not masked.name.startswith(_MASKABLE):
            raise VerifyException(f"expects a maskable operation within the mask region, got '{masked.name}'")
        if self.pass_thru is not None and tuple(self.result_types) != (self.pass_thru.type,):
            raise VerifyException("expects a pass-through value of the type of its only result")


_MASKABLE = (
    "vector.contract",
    "vector.gather",
    "vector.multi_reduction",
    "vector.outerproduct",
    "vector.reduction",
    "vector.transfer_read",
    "vector.transfer_write",
)
"""The ops that a mask can apply to."""
