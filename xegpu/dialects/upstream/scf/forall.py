"""`scf.forall`, which xDSL lacks.

https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfforall-scfforallop
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, ArrayAttr, DenseArrayBase, IndexType, i64
from xdsl.dialects.utils import (
    get_dynamic_index_list,
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, NoTerminator, RecursiveMemoryEffect, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException

_INDEX = IndexType()


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """`scf.forall.in_parallel { }` ends the body of a `scf.forall`; there are no tensors whose slices it could join."""

    name = "scf.forall.in_parallel"
    region = region_def("single_block")

    traits = lazy_traits_def(lambda: (IsTerminator(), NoTerminator(), HasParent(ForallOp)))

    def __init__(self) -> None:
        super().__init__(regions=[Region(Block())])

    @classmethod
    def parse(cls, parser: Parser) -> InParallelOp:
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        return cls.create(regions=[body], attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_region(self.region, print_empty_block=False)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        for op in self.region.block.ops:
            raise VerifyException(f"holds '{op.name}', but without tensors there is nothing to insert")


@irdl_op_definition
class ForallOp(IRDLOperation):
    """Runs its body for all numbers of a box, in any order. `mapping` says who would share the iterations.

    ```mlir
    scf.forall (%i, %j) in (%n, 8) {
    }
    ```
    """

    name = "scf.forall"
    lower = var_operand_def(_INDEX)
    upper = var_operand_def(_INDEX)
    step = var_operand_def(_INDEX)
    outputs = var_operand_def()
    static_lower = prop_def(DenseArrayBase.constr(i64), prop_name="staticLowerBound")
    static_upper = prop_def(DenseArrayBase.constr(i64), prop_name="staticUpperBound")
    static_step = prop_def(DenseArrayBase.constr(i64), prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr[Attribute])
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(SingleBlockImplicitTerminator(InParallelOp), RecursiveMemoryEffect())

    def mixed_bounds(self) -> list[tuple[SSAValue | int, ...]]:
        """Returns lower bound, upper bound and step of each induction variable."""
        return list(zip(*self._lists(), strict=True))

    def _parts(self) -> dict[str, tuple[DenseArrayBase[I64], Sequence[SSAValue]]]:
        return {
            "lower": (self.static_lower, self.lower),
            "upper": (self.static_upper, self.upper),
            "step": (self.static_step, self.step),
        }

    def _lists(self) -> list[list[SSAValue | int]]:
        return [
            get_dynamic_index_list(list(static.get_values()), dynamic, DYNAMIC_INDEX)
            for static, dynamic in self._parts().values()
        ]

    @classmethod
    def parse(cls, parser: Parser) -> ForallOp:
        parens = parser.Delimiter.PAREN
        position = parser.pos
        ids = parser.parse_comma_separated_list(parens, lambda: parser.parse_argument(expect_type=False))
        lower: tuple[list[SSAValue], Sequence[int]] = ([], [0] * len(ids))
        step: tuple[list[SSAValue], Sequence[int]] = ([], [1] * len(ids))
        if parser.parse_optional_keyword("in") is not None:
            upper = _parse_mixed(parser)
        else:
            parser.parse_punctuation("=")
            lower = _parse_mixed(parser)
            parser.parse_keyword("to")
            upper = _parse_mixed(parser)
            parser.parse_keyword("step")
            step = _parse_mixed(parser)
        if parser.parse_optional_keyword("shared_outs") is not None:
            parser.raise_error(
                "'scf.forall' op computes tensors, which are not supported: bufferize it first "
                "(mlir-opt --one-shot-bufferize)",
                position,
                parser.pos,
            )
        body = parser.parse_region([name.resolve(_INDEX) for name in ids])
        block = body.blocks.last
        if block is None:
            block = Block(arg_types=[_INDEX] * len(ids))
            body.add_block(block)
        if block.last_op is None or not block.last_op.has_trait(IsTerminator):
            block.add_op(InParallelOp())
        attributes = parser.parse_optional_attr_dict()
        parts = (lower, upper, step)
        properties: dict[str, Attribute] = {
            f"static{name}": DenseArrayBase.from_list(i64, numbers)
            for name, (_, numbers) in zip(("LowerBound", "UpperBound", "Step"), parts, strict=True)
        }
        mapping = attributes.pop("mapping", None)
        if mapping is not None:
            properties["mapping"] = mapping
        return cls.build(
            operands=[*(operands for operands, _ in parts), []],
            properties=properties,
            attributes=attributes,
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_ssa_value)
        lower, _, step = self._lists()
        is_normal = all(bound == 0 for bound in lower) and all(size == 1 for size in step)
        words = {"upper": "in"} if is_normal else {"lower": "=", "upper": "to", "step": "step"}
        for part, word in words.items():
            printer.print_string(f" {word} ")
            static, dynamic = self._parts()[part]
            print_dynamic_index_list(
                printer, DYNAMIC_INDEX, dynamic, static.get_values(), delimiter=Parser.Delimiter.PAREN
            )
        printer.print_string(" ")
        printer.print_region(
            self.body, print_entry_block_args=False, print_empty_block=False, print_block_terminators=False
        )
        mapping = {} if self.mapping is None else {"mapping": self.mapping}
        printer.print_op_attributes({**self.attributes, **mapping})

    def verify_(self) -> None:
        if self.outputs:
            raise VerifyException("computes tensors, which are not supported: bufferize it first")
        count = len(self.body.block.args)
        if any(type != _INDEX for type in self.body.block.arg_types):
            raise VerifyException("expected induction variables of type index")
        for what, (static, dynamic) in self._parts().items():
            if len(static) != count:
                raise VerifyException(f"expected {count} numbers in the list '{what}', got {len(static)}")
            verify_dynamic_index_list(list(static.get_values()), dynamic, DYNAMIC_INDEX, f" in the list '{what}'")
        if not isinstance(self.body.block.last_op, InParallelOp):
            raise VerifyException("expects its body to end with 'scf.forall.in_parallel'")


def _parse_mixed(parser: Parser) -> tuple[list[SSAValue], Sequence[int]]:
    """Parses `(0, %n)`: its operands, and its numbers with a mark in place of each operand."""
    operands, numbers = parse_dynamic_index_list_without_types(
        parser, dynamic_index=DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN
    )
    return [parser.resolve_operand(operand, _INDEX) for operand in operands], numbers
