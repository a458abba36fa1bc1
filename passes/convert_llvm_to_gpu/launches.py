"""Launches of kernels whose buffers are descriptors: the launch passes the parts of each.

https://mlir.llvm.org/docs/TargetLLVMIR/#ranked-memref-types
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    UnrealizedConversionCastOp,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.dialects.memref import DimOp, ExtractStridedMetaDataOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from xegpu.diagnostics import CompileError, inherit_location
from xegpu.dialects.upstream import gpu
from xegpu.dialects.upstream.arith import IndexCastOp
from xegpu.dialects.upstream.memref import memref_strides

_POINTERS = 2
"""A descriptor begins with the pointer that was allocated, and the one that elements count from."""


def pass_parts(module: ModuleOp, holder: gpu.ModuleOp, lowered: Collection[str]) -> None:
    """Rewrites the launches of kernels that were functions of the llvm dialect, by their names.

    Raises:
        CompileError: For a launch with other arguments than the kernel takes.
    """
    for launch in [op for op in module.walk() if isinstance(op, gpu.LaunchFuncOp)]:
        kernel = SymbolTable.lookup_symbol(module, launch.kernel)
        if isinstance(kernel, gpu.FuncOp) and kernel.parent_op() is holder and kernel.sym_name.data in lowered:
            _pass_parts(launch, kernel.function_type.inputs.data)


def _pass_parts(launch: gpu.LaunchFuncOp, expected: Sequence[Attribute]) -> None:
    given = list(launch.kernel_operands)
    if len(given) == len(expected):  # each buffer is a bare pointer
        passed = [_converted(launch, operand, type) for operand, type in zip(given, expected, strict=True)]
    else:
        parts = [part for operand in given for part in _parts(launch, operand)]
        if len(parts) != len(expected):
            raise CompileError(
                launch,
                f"passes {len(given)} arguments, whose parts are {len(parts)} values: "
                f"the kernel {launch.kernel} takes {len(expected)}",
            )
        passed = [_converted(launch, part, type) for part, type in zip(parts, expected, strict=True)]
    new = gpu.LaunchFuncOp(
        launch.kernel,
        launch.grid_size,
        launch.block_size,
        passed,
        cluster_size=launch.cluster_size,
        dynamic_shared_memory_size=launch.dynamic_shared_memory_size,
        async_dependencies=list(launch.async_dependencies),
        async_object=launch.async_object,
        is_async=launch.async_token is not None,
    )
    new.attributes.update(launch.attributes)
    inherit_location(launch, new)
    Rewriter.replace_op(launch, new)


def _add(launch: Operation, op: Operation) -> SSAValue:
    inherit_location(launch, op)
    Rewriter.insert_op(op, InsertPoint.before(launch))
    return op.results[0]


def _converted(launch: Operation, value: SSAValue, type: Attribute) -> SSAValue:
    """Returns a value as an argument of a type: a buffer as the address of its first element."""
    if value.type == type:
        return value
    if isinstance(type, LLVMPointerType) and isinstance(value.type, MemRefType | LLVMPointerType):
        return _add(launch, UnrealizedConversionCastOp.create(operands=[value], result_types=[type]))
    if isinstance(value.type, IndexType) and type == i64:
        return _add(launch, IndexCastOp(value, i64))
    raise CompileError(launch, f"passes a value of type {value.type} for an argument of type {type}")


def _parts(launch: Operation, value: SSAValue) -> Iterator[SSAValue]:
    """Yields the parts of an operand. Elements count from the first one, so that the offset is zero."""
    type = value.type
    if not isa(type, MemRefType[Attribute]):
        yield value
        return
    layout = memref_strides(type)
    if layout is None:
        raise CompileError(launch, f"passes {type}, whose layout has no strides")
    yield from [value] * _POINTERS
    yield _constant(launch, 0)
    for number, size in enumerate(type.get_shape()):
        if size != DYNAMIC_INDEX:
            yield _constant(launch, size)
        else:
            yield _add(launch, DimOp(value, _constant(launch, number)))
    strides = layout[0]
    if None in strides:
        whole = ExtractStridedMetaDataOp(value)
        _add(launch, whole)
    for number, stride in enumerate(strides):
        yield whole.strides[number] if stride is None else _constant(launch, stride)


def _constant(launch: Operation, value: int) -> SSAValue:
    return _add(launch, ConstantOp(IntegerAttr(value, IndexType())))
