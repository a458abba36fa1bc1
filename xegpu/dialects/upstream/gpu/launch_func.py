"""`gpu.launch_func`: running a kernel of a gpu.module.

xDSL's op has no custom assembly.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import builtin
from xdsl.dialects.builtin import IndexType, SymbolRefAttr, i32, i64
from xdsl.dialects.gpu import AsyncTokenType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyOf,
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import SymbolTable, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.gpu.assembly import parse_dependencies, print_async
from xegpu.dialects.upstream.gpu.binary import BinaryOp
from xegpu.dialects.upstream.gpu.kernel import FuncOp, ModuleOp

_TOKEN = AsyncTokenType()
LaunchSize = Sequence[SSAValue | Operation]


_COMPILED_KERNEL, _LLVM_KERNEL = "xe.kernel", "llvm.func"
"""The ops that kernels are lowered to; only their names, as this dialect does not depend on those."""
_KERNEL = "gpu.kernel"


class _LaunchedKernel(SymbolUserOpInterface):
    """The kernel is in a gpu.module of the module around the launch, and takes the arguments that the launch passes.

    What a gpu.binary holds cannot be known, and what a lowered kernel takes is no concern of the host's types.
    """

    def verify(self, op: Operation) -> None:
        assert isinstance(op, LaunchFuncOp)
        module = op.parent_op()
        while module is not None and not isinstance(module, builtin.ModuleOp):
            module = module.parent_op()
        if module is None:
            return
        if CONTAINER not in module.attributes:
            raise VerifyException(f"expected the closest surrounding module to have the '{CONTAINER}' attribute")
        name = op.kernel.root_reference.data
        container = SymbolTable.lookup_symbol(module, name)
        if container is None:
            raise VerifyException(f"kernel container '{name}' is undefined")
        if isinstance(container, BinaryOp):
            return
        if not isinstance(container, ModuleOp):
            raise VerifyException(f"kernel module '{name}' is undefined: that is a {container.name}")
        kernel = SymbolTable.lookup_symbol(module, op.kernel)
        if kernel is None:
            raise VerifyException(f"kernel function '{op.kernel}' is undefined")
        if kernel.name == _COMPILED_KERNEL or (kernel.name == _LLVM_KERNEL and _KERNEL in kernel.attributes):
            return
        if not isinstance(kernel, FuncOp) or not kernel.is_kernel:
            raise VerifyException(f"kernel function '{op.kernel}' is missing the 'gpu.kernel' attribute")
        given, declared = op.kernel_operands.types, kernel.function_type.inputs.data
        if len(given) != len(declared):
            raise VerifyException(f"got {len(given)} kernel operands but expected {len(declared)}")
        for number, (passed, expected) in enumerate(zip(given, declared, strict=True)):
            if passed != expected:
                raise VerifyException(
                    f"type of function argument {number} does not match: got {passed}, expected {expected}"
                )


CONTAINER = "gpu.container_module"
"""The attribute of modules that hold kernels and host code that launches them."""

_SizeType = AnyOf.get(IndexType, i32, i64)


@irdl_op_definition
class LaunchFuncOp(IRDLOperation):
    """Runs a kernel over a grid of work-groups.

    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @k(%m: memref<8xf32>) kernel {
          gpu.return
        }
      }
      func.func @run(%x: index, %y: index, %z: index, %m: memref<8xf32>) -> index {
        gpu.launch_func @kernels::@k blocks in (%x, %x, %x) threads in (%y, %z, %z) args(%m : memref<8xf32>)
        return %x : index
      }
    }
    ```
    """

    name = "gpu.launch_func"
    async_dependencies = var_operand_def(AsyncTokenType)
    grid_size_x = operand_def(_SizeType)
    grid_size_y = operand_def(_SizeType)
    grid_size_z = operand_def(_SizeType)
    block_size_x = operand_def(_SizeType)
    block_size_y = operand_def(_SizeType)
    block_size_z = operand_def(_SizeType)
    cluster_size_x = opt_operand_def(_SizeType)
    cluster_size_y = opt_operand_def(_SizeType)
    cluster_size_z = opt_operand_def(_SizeType)
    dynamic_shared_memory_size = opt_operand_def(i32)
    kernel_operands = var_operand_def()
    async_object = opt_operand_def()
    async_token = opt_result_def(AsyncTokenType)
    kernel = prop_def(SymbolRefAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(_LaunchedKernel())

    def __init__(
        self,
        kernel: SymbolRefAttr,
        grid_size: LaunchSize,
        block_size: LaunchSize,
        kernel_operands: Sequence[SSAValue | Operation] = (),
        *,
        cluster_size: LaunchSize | None = None,
        dynamic_shared_memory_size: SSAValue | Operation | None = None,
        async_dependencies: Sequence[SSAValue | Operation] = (),
        async_object: SSAValue | Operation | None = None,
        is_async: bool = False,
    ):
        super().__init__(
            operands=[
                async_dependencies,
                *grid_size,
                *block_size,
                *(cluster_size or (None, None, None)),
                dynamic_shared_memory_size,
                kernel_operands,
                async_object,
            ],
            result_types=[[_TOKEN] if is_async else []],
            properties={"kernel": kernel},
        )

    @property
    def grid_size(self) -> tuple[SSAValue, SSAValue, SSAValue]:
        return (self.grid_size_x, self.grid_size_y, self.grid_size_z)

    @property
    def block_size(self) -> tuple[SSAValue, SSAValue, SSAValue]:
        return (self.block_size_x, self.block_size_y, self.block_size_z)

    @property
    def cluster_size(self) -> tuple[SSAValue, SSAValue, SSAValue] | None:
        x, y, z = self.cluster_size_x, self.cluster_size_y, self.cluster_size_z
        return None if x is None or y is None or z is None else (x, y, z)

    @classmethod
    def parse(cls, parser: Parser) -> LaunchFuncOp:
        is_async = parser.parse_optional_keyword("async") is not None
        dependencies = [parser.resolve_operand(token, _TOKEN) for token in parse_dependencies(parser)]
        async_object = None
        if parser.parse_optional_punctuation("<") is not None:
            async_object = _parse_typed(parser)
            parser.parse_punctuation(">")
        position = parser.pos
        kernel = parser.parse_attribute()
        if not isinstance(kernel, SymbolRefAttr):
            parser.raise_error("expected a symbol, as in @module::@kernel", position, parser.pos)
        cluster = _parse_size(parser) if parser.parse_optional_keyword("clusters") is not None else None
        parser.parse_keyword("blocks")
        grid = _parse_size(parser)
        parser.parse_keyword("threads")
        block = _parse_size(parser)
        size_type: Attribute = IndexType()
        if parser.parse_optional_punctuation(":") is not None:
            size_type = parser.parse_type()
        shared = None
        if parser.parse_optional_keyword("dynamic_shared_memory_size") is not None:
            shared = parser.parse_operand(i32)
        arguments: list[SSAValue] = []
        if parser.parse_optional_keyword("args") is not None:
            arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_typed(parser))

        def resolved(size: Sequence[UnresolvedOperand]) -> list[SSAValue]:
            return [parser.resolve_operand(value, size_type) for value in size]

        op = cls(
            kernel,
            resolved(grid),
            resolved(block),
            arguments,
            cluster_size=None if cluster is None else resolved(cluster),
            dynamic_shared_memory_size=shared,
            async_dependencies=dependencies,
            async_object=async_object,
            is_async=is_async,
        )
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        print_async(printer, self.async_token is not None, self.async_dependencies)
        if self.async_object is not None:
            printer.print_string(" ")
            with printer.in_angle_brackets():
                _print_typed(printer, self.async_object)
        printer.print_string(" ")
        printer.print_attribute(self.kernel)
        sizes = [("clusters", self.cluster_size), ("blocks", self.grid_size), ("threads", self.block_size)]
        for word, size in sizes:
            if size is not None:
                printer.print_string(f" {word} in ")
                with printer.in_parens():
                    printer.print_list(size, printer.print_ssa_value)
        if (size_type := self.grid_size_x.type) != IndexType():
            printer.print_string(" : ")
            printer.print_attribute(size_type)
        if self.dynamic_shared_memory_size is not None:
            printer.print_string(" dynamic_shared_memory_size ")
            printer.print_ssa_value(self.dynamic_shared_memory_size)
        if self.kernel_operands:
            printer.print_string(" args")
            with printer.in_parens():
                printer.print_list(self.kernel_operands, lambda value: _print_typed(printer, value))
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        given = [size is not None for size in (self.cluster_size_x, self.cluster_size_y, self.cluster_size_z)]
        if any(given) and not all(given):
            raise VerifyException("expects cluster sizes for all of x, y and z, or for none")
        sizes = (*self.grid_size, *self.block_size, *(self.cluster_size or ()))
        if len({size.type for size in sizes}) > 1:
            found = ", ".join(str(size.type) for size in sizes)
            raise VerifyException(f"expects grid, block and cluster sizes of one type, got {found}")


def _parse_size(parser: Parser) -> list[UnresolvedOperand]:
    """`in (%x, %y, %z)`."""
    parser.parse_keyword("in")
    position = parser.pos
    size = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    if len(size) != 3:
        parser.raise_error(f"expected 3 sizes, got {len(size)}", position, parser.pos)
    return size


def _parse_typed(parser: Parser) -> SSAValue:
    """`%value : type`."""
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    return parser.resolve_operand(value, parser.parse_type())


def _print_typed(printer: Printer, value: SSAValue) -> None:
    printer.print_ssa_value(value)
    printer.print_string(" : ")
    printer.print_attribute(value.type)
