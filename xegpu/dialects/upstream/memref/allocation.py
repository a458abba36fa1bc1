"""Ops that make buffers, bound their lifetimes, and state facts about them.

xDSL's `alloca_scope` has no custom assembly; `realloc` and `distinct_objects` are missing.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Attribute, Block, Region
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
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
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryAllocEffect,
    MemoryFreeEffect,
    Pure,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.alignment import Alignment, verify_alignment
from xegpu.dialects.upstream.memref.types import ranked_memref
from xegpu.dialects.upstream.terminators import ensure_terminator


@irdl_op_definition
class ReallocOp(IRDLOperation):
    """A buffer of another size with the old elements; the old buffer is gone.

    `%r = memref.realloc %m(%n) {alignment = 8 : i64} : memref<64xf32> to memref<?xf32>`
    """

    name = "memref.realloc"
    source = operand_def(MemRefType)
    dynamic_result_size = opt_operand_def(IndexType)
    alignment = opt_prop_def(Alignment)
    result = result_def(MemRefType)

    traits = traits_def(MemoryAllocEffect(), MemoryFreeEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source (`(` $dynamic_result_size^ `)`)? attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        source, result = ranked_memref(self.source), ranked_memref(self.result)
        for memref in (source, result):
            if memref.get_num_dims() != 1 or memref.get_strides() not in ((1,), (None,)):
                raise VerifyException(f"expects memrefs of one dimension with identity layout, got {memref}")
        if (source.element_type, source.memory_space) != (result.element_type, result.memory_space):
            raise VerifyException(f"different element types or memory spaces of {source} and {result}")
        is_dynamic = result.get_shape()[0] == DYNAMIC_INDEX
        if is_dynamic != (self.dynamic_result_size is not None):
            wanted = "missing dynamic size" if is_dynamic else "unnecessary dynamic size"
            raise VerifyException(f"{wanted} for {result}")
        verify_alignment(self.alignment)


@irdl_op_definition
class AllocaScopeReturnOp(IRDLOperation):
    """`memref.alloca_scope.return %x : f32` ends a `memref.alloca_scope`."""

    name = "memref.alloca_scope.return"
    results_ = var_operand_def()

    traits = lazy_traits_def(lambda: (Pure(), IsTerminator(), HasParent(AllocaScopeOp)))
    assembly_format = "attr-dict ($results_^ `:` type($results_))?"


@irdl_op_definition
class AllocaScopeOp(IRDLOperation):
    """Ends the lifetime of everything that its body allocates with `memref.alloca`.

    ```mlir
    %r = memref.alloca_scope -> (f32) {
      memref.alloca_scope.return %x : f32
    }
    ```
    """

    name = "memref.alloca_scope"
    results_ = var_result_def()
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect(), SingleBlockImplicitTerminator(AllocaScopeReturnOp))

    def __init__(self, body: Region | None = None, result_types: Sequence[Attribute] = ()):
        body = body or Region(Block())
        ensure_terminator(body, AllocaScopeReturnOp.create)
        super().__init__(result_types=[result_types], regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> AllocaScopeOp:
        result_types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation("->") is not None:
            result_types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        op = cls(body, result_types)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        if self.results:
            printer.print_string(" -> ")
            with printer.in_parens():
                printer.print_list(self.result_types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(
            self.body,
            print_entry_block_args=False,
            print_block_terminators=bool(self.results),
        )
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        last = self.body.block.last_op
        if not isinstance(last, AllocaScopeReturnOp) or tuple(last.operand_types) != tuple(self.result_types):
            raise VerifyException(f"expects its body to return {', '.join(map(str, self.result_types)) or 'nothing'}")


@irdl_custom_directive
class SameTypes(CustomDirective):
    """The types of the operands, which are also those of the results."""

    operands: TypeDirective
    results: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        self.operands.set(state, types)
        self.results.set(state, types)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.operands.print(printer, state, op)


@irdl_op_definition
class DistinctObjectsOp(IRDLOperation):
    """`%a, %b = memref.distinct_objects %m, %n : memref<8xf32>, memref<8xf32>`: buffers that never overlap."""

    name = "memref.distinct_objects"
    operands_ = var_operand_def(MemRefType)
    results_ = var_result_def(MemRefType)

    traits = traits_def(Pure())
    custom_directives = (SameTypes,)
    assembly_format = "$operands_ attr-dict `:` custom<SameTypes>(type($operands_), type($results_))"

    def verify_(self) -> None:
        if not self.operands:
            raise VerifyException("expects at least one operand")
        if tuple(self.operand_types) != tuple(self.result_types):
            raise VerifyException("expects results of the types of its operands")
