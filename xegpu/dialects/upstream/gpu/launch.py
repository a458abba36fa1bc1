"""`gpu.launch`: a kernel written inline, in host code.

xDSL's op has no custom assembly.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, i32, i64
from xdsl.dialects.gpu import AsyncTokenType
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    opt_result_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, NoMemoryEffect
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.func.signature import parse_arguments, print_arguments
from xegpu.dialects.upstream.gpu.assembly import parse_dependencies, print_async
from xegpu.dialects.upstream.terminators import ensure_terminator

_INDEX = IndexType()
_TOKEN = AsyncTokenType()
_IDS = 12
"""Arguments of the body: block ids, thread ids, grid sizes, block sizes, each x, y, z."""


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Runs its body over a grid of work-groups.

    ```mlir
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
    ```
    """

    name = "gpu.launch"
    async_dependencies = var_operand_def(AsyncTokenType)
    grid_size_x = operand_def(IndexType)
    grid_size_y = operand_def(IndexType)
    grid_size_z = operand_def(IndexType)
    block_size_x = operand_def(IndexType)
    block_size_y = operand_def(IndexType)
    block_size_z = operand_def(IndexType)
    cluster_size_x = opt_operand_def(IndexType)
    cluster_size_y = opt_operand_def(IndexType)
    cluster_size_z = opt_operand_def(IndexType)
    dynamic_shared_memory_size = opt_operand_def(i32)
    async_token = opt_result_def(AsyncTokenType)
    workgroup_attributions = opt_attr_def(IntegerAttr[I64])
    body = region_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        grid_size: Sequence[SSAValue | Operation],
        block_size: Sequence[SSAValue | Operation],
        body: Region | None = None,
        *,
        dynamic_shared_memory_size: SSAValue | Operation | None = None,
        async_dependencies: Sequence[SSAValue | Operation] = (),
        is_async: bool = False,
        workgroup_attributions: int = 0,
    ):
        super().__init__(
            operands=[
                async_dependencies,
                *grid_size,
                *block_size,
                *(None, None, None),
                dynamic_shared_memory_size,
            ],
            result_types=[[_TOKEN] if is_async else []],
            attributes={"workgroup_attributions": IntegerAttr(workgroup_attributions, i64)},
            regions=[Region(Block(arg_types=[_INDEX] * _IDS)) if body is None else body],
        )

    @property
    def sizes(self) -> tuple[SSAValue, ...]:
        """Grid size x, y, z and block size x, y, z."""
        return (
            self.grid_size_x,
            self.grid_size_y,
            self.grid_size_z,
            self.block_size_x,
            self.block_size_y,
            self.block_size_z,
        )

    @property
    def workgroup_arguments(self) -> tuple[BlockArgument, ...]:
        """Memory that a work-group shares."""
        return self.body.blocks[0].args[_IDS : _IDS + self._shared]

    @property
    def private_arguments(self) -> tuple[BlockArgument, ...]:
        """Memory of one work-item."""
        return self.body.blocks[0].args[_IDS + self._shared :]

    @property
    def _shared(self) -> int:
        return 0 if self.workgroup_attributions is None else self.workgroup_attributions.value.data

    @classmethod
    def parse(cls, parser: Parser) -> LaunchOp:
        is_async = parser.parse_optional_keyword("async") is not None
        dependencies = [parser.resolve_operand(token, _TOKEN) for token in parse_dependencies(parser)]
        if parser.parse_optional_keyword("clusters") is not None:
            parser.raise_error("clusters are not supported")
        block_ids, grid_names, grid = _parse_dimensions(parser, "blocks")
        thread_ids, block_names, block = _parse_dimensions(parser, "threads")
        shared_size = None
        if parser.parse_optional_keyword("dynamic_shared_memory_size") is not None:
            shared_size = parser.parse_operand(i32)
        workgroup = parse_arguments(parser) if parser.parse_optional_keyword("workgroup") is not None else []
        private = parse_arguments(parser) if parser.parse_optional_keyword("private") is not None else []
        ids = [name.resolve(_INDEX) for name in (*block_ids, *thread_ids, *grid_names, *block_names)]
        body = parser.parse_region([*ids, *(argument for argument, _ in (*workgroup, *private))])
        ensure_terminator(body, TerminatorOp)
        op = cls(
            grid,
            block,
            body,
            dynamic_shared_memory_size=shared_size,
            async_dependencies=dependencies,
            is_async=is_async,
            workgroup_attributions=len(workgroup),
        )
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        print_async(printer, self.async_token is not None, self.async_dependencies)
        names, sizes = self.body.blocks[0].args, self.sizes
        _print_dimensions(printer, "blocks", names[0:3], names[6:9], sizes[0:3])
        _print_dimensions(printer, "threads", names[3:6], names[9:12], sizes[3:6])
        if self.dynamic_shared_memory_size is not None:
            printer.print_string(" dynamic_shared_memory_size ")
            printer.print_ssa_value(self.dynamic_shared_memory_size)
        for keyword, memory in (("workgroup", self.workgroup_arguments), ("private", self.private_arguments)):
            if memory:
                printer.print_string(f" {keyword}")
                print_arguments(printer, memory, None, separator=" : ")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)
        printer.print_op_attributes(self.attributes, reserved_attr_names=("workgroup_attributions",))

    def verify_(self) -> None:
        if self.cluster_size_x or self.cluster_size_y or self.cluster_size_z:
            raise VerifyException("clusters are not supported")
        types = self.body.blocks[0].arg_types if self.body.blocks else ()
        if types[:_IDS] != (_INDEX,) * _IDS or len(types) < _IDS + self._shared:
            raise VerifyException(
                f"expected a body with {_IDS} index arguments and {self._shared} of memory, got {len(types)} arguments"
            )


@irdl_op_definition
class TerminatorOp(IRDLOperation):
    """`gpu.terminator` ends the body of `gpu.launch`."""

    name = "gpu.terminator"

    traits = traits_def(HasParent(LaunchOp), IsTerminator(), NoMemoryEffect())
    assembly_format = "attr-dict"


_Names = list[Parser.UnresolvedArgument]


def _parse_dimensions(parser: Parser, keyword: str) -> tuple[_Names, _Names, list[SSAValue]]:
    """`blocks(%bx, %by, %bz) in (%gx = %x, %gy = %y, %gz = %z)`: ids, names of the sizes, sizes."""
    parser.parse_keyword(keyword)
    position = parser.pos
    ids = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False))
    parser.parse_keyword("in")

    def size() -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
        name = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return name, parser.parse_unresolved_operand()

    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, size)
    if len(ids) != 3 or len(sizes) != 3:
        parser.raise_error(f"expected 3 ids and 3 sizes, got {len(ids)} and {len(sizes)}", position, parser.pos)
    return ids, [name for name, _ in sizes], [parser.resolve_operand(value, _INDEX) for _, value in sizes]


def _print_dimensions(
    printer: Printer,
    keyword: str,
    ids: Sequence[SSAValue],
    names: Sequence[SSAValue],
    sizes: Sequence[SSAValue],
) -> None:
    printer.print_string(f" {keyword}")
    with printer.in_parens():
        printer.print_list(ids, printer.print_ssa_value)
    printer.print_string(" in ")

    def print_size(pair: tuple[SSAValue, SSAValue]) -> None:
        printer.print_ssa_value(pair[0])
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])

    with printer.in_parens():
        printer.print_list(zip(names, sizes, strict=True), print_size)
