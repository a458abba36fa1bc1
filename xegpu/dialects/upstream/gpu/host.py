"""Ops of the host program: device memory, waiting, launching.

xDSL's ops of these names have no custom assembly and keep the sizes of their operand segments as an attribute, which
mlir-opt does not accept; `memset` is missing.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, UnitAttr, UnrankedMemRefType, i32
from xdsl.dialects.gpu import AsyncTokenType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryFreeEffect, MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.gpu.assembly import parse_dependencies, print_async

_TOKEN = AsyncTokenType()


@irdl_custom_directive
class AsyncDependencies(CustomDirective):
    """`async [%t0, %t1]`: the op gives a token, and starts when those tokens are ready."""

    token: TypeDirective
    dependencies: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        is_async = parser.parse_optional_keyword("async") is not None
        self.token.set(state, (_TOKEN,) if is_async else ())
        dependencies = parse_dependencies(parser)
        self.dependencies.set(state, dependencies)
        self.dependencies.set_types(state, (_TOKEN,) * len(dependencies))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        print_async(printer, bool(self.token.get(op)), self.dependencies.get(op))
        state.should_emit_space = True
        state.last_was_punctuation = False


class _AsyncOp(IRDLOperation):
    """An op that may give a token, as its last result; the tokens that it waits for are its first operands."""

    async_token = opt_result_def(AsyncTokenType)

    custom_directives = (AsyncDependencies,)


_ASYNC = "custom<AsyncDependencies>(type($async_token), $async_dependencies)"


@irdl_op_definition
class WaitOp(_AsyncOp):
    """Without `async` the host waits for the operations behind the tokens; with it, the result stands for all of them.

    `gpu.wait [%t]`

    `%u = gpu.wait async [%s, %t]`
    """

    name = "gpu.wait"
    async_dependencies = var_operand_def(AsyncTokenType)
    assembly_format = f"{_ASYNC} attr-dict"


@irdl_op_definition
class AllocOp(_AsyncOp):
    """Memory of the device, of host and device (`host_shared`), or of the memory space that the type names.

    `%m, %u = gpu.alloc async [%t] host_shared(%n) : memref<?xf32>`
    """

    name = "gpu.alloc"
    async_dependencies = var_operand_def(AsyncTokenType)
    dynamic_sizes = var_operand_def(IndexType)
    symbol_operands = var_operand_def(IndexType)
    memref = result_def(MemRefType)
    host_shared = opt_prop_def(UnitAttr, prop_name="hostShared")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryAllocEffect())
    assembly_format = (
        f"{_ASYNC} (`host_shared` $hostShared^)?"
        " `(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)"
    )

    def verify_(self) -> None:
        expected = self.memref.type.get_shape().count(DYNAMIC_INDEX)
        if len(self.dynamic_sizes) != expected:
            raise VerifyException(
                f"dimension operand count does not equal memref dynamic dimension count: expected {expected}, got "
                f"{len(self.dynamic_sizes)}"
            )


@irdl_op_definition
class DeallocOp(_AsyncOp):
    """`%u = gpu.dealloc async [%t] %m : memref<8xf32>` gives memory of `gpu.alloc` back."""

    name = "gpu.dealloc"
    async_dependencies = var_operand_def(AsyncTokenType)
    memref = operand_def(MemRefType)

    traits = traits_def(MemoryFreeEffect())
    assembly_format = f"{_ASYNC} $memref attr-dict `:` type($memref)"


@irdl_op_definition
class MemcpyOp(_AsyncOp):
    """`%u = gpu.memcpy async [%t] %dst, %src : memref<8xf32>, memref<8xf32>` copies a whole buffer, source last."""

    name = "gpu.memcpy"
    async_dependencies = var_operand_def(AsyncTokenType)
    dst = operand_def(MemRefType)
    src = operand_def(MemRefType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = f"{_ASYNC} $dst `,` $src attr-dict `:` type($dst) `,` type($src)"

    def verify_(self) -> None:
        dst, src = self.dst.type, self.src.type
        assert isa(dst, MemRefType)
        assert isa(src, MemRefType)
        if dst.element_type != src.element_type:
            raise VerifyException(
                f"arguments have incompatible element types: {dst.element_type} and {src.element_type}"
            )
        compatible = dst.get_num_dims() == src.get_num_dims() and all(
            a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(dst.get_shape(), src.get_shape(), strict=True)
        )
        if not compatible:
            raise VerifyException(f"arguments have incompatible shape: {dst} and {src}")


@irdl_op_definition
class MemsetOp(_AsyncOp):
    """`%r = gpu.memset async [%t] %m, %x : memref<8xf32>, f32`: every element becomes `%x`."""

    name = "gpu.memset"
    async_dependencies = var_operand_def(AsyncTokenType)
    dst = operand_def(MemRefType)
    value = operand_def()

    traits = traits_def(MemoryWriteEffect())
    assembly_format = f"{_ASYNC} $dst `,` $value attr-dict `:` type($dst) `,` type($value)"

    def verify_(self) -> None:
        memref = self.dst.type
        assert isa(memref, MemRefType)
        if memref.element_type != self.value.type:
            raise VerifyException(
                f"expected a value of the memref's element type {memref.element_type}, got {self.value.type}"
            )


@irdl_op_definition
class HostRegisterOp(IRDLOperation):
    """`gpu.host_register %m : memref<*xf32>` lets the device access memory of the host."""

    name = "gpu.host_register"
    value = operand_def(UnrankedMemRefType)
    assembly_format = "$value attr-dict `:` type($value)"


@irdl_op_definition
class HostUnregisterOp(IRDLOperation):
    """`gpu.host_unregister %m : memref<*xf32>` revokes the access that `gpu.host_register` granted."""

    name = "gpu.host_unregister"
    value = operand_def(UnrankedMemRefType)
    assembly_format = "$value attr-dict `:` type($value)"


@irdl_op_definition
class SetDefaultDeviceOp(IRDLOperation):
    """`gpu.set_default_device %index` chooses the device of this thread of the host."""

    name = "gpu.set_default_device"
    index = operand_def(i32)
    assembly_format = "attr-dict $index"
