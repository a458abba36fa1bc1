"""`gpu-share-host-memory`: lets kernels reach the memory of host code."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnitAttr, UnrankedMemRefType
from xdsl.dialects.memref import AllocOp, DeallocOp, GetGlobalOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream import gpu
from xegpu.dialects.upstream.func import CallOp, FuncOp
from xegpu.dialects.upstream.memref import CastOp


@dataclass(frozen=True)
class GpuShareHostMemoryPass(ModulePass):
    """Makes memory that host code allocates shared memory of host and device, if the module launches kernels.

    `memref.alloc` becomes `gpu.alloc host_shared`; globals, and buffers that are passed to functions which nothing in
    the module calls, are registered. Bufferization knows of one memory only.
    """

    name = "gpu-share-host-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ops = list(op.walk())
        if not any(isinstance(inner, gpu.LaunchFuncOp | gpu.LaunchOp) for inner in ops):
            return
        called = {inner.callee.root_reference.data for inner in ops if isinstance(inner, CallOp)}
        for function in [inner for inner in op.ops if isinstance(inner, FuncOp) and inner.body.blocks]:
            for inner in list(function.walk()):
                _share(inner)
            if function.sym_name.data not in called:
                start = InsertPoint.at_start(function.body.blocks[0])
                for argument in reversed(function.body.blocks[0].args):
                    _register(argument, start, function)


def _share(op: Operation) -> None:
    match op:
        case AllocOp() if not op.symbol_operands:
            shared = gpu.AllocOp(
                operands=[[], op.dynamic_sizes, []],
                properties={"hostShared": UnitAttr()},
                result_types=[op.memref.type, []],
            )
            inherit_location(op, shared)
            Rewriter.replace_op(op, shared, [shared.memref])
        case DeallocOp() if isinstance(op.memref.owner, gpu.AllocOp):
            freed = gpu.DeallocOp(operands=[[], op.memref], result_types=[[]])
            inherit_location(op, freed)
            Rewriter.replace_op(op, freed)
        case GetGlobalOp():
            _register(op.memref, InsertPoint.after(op), op)
        case _:
            pass


def _register(value: SSAValue, place: InsertPoint, why: Operation) -> None:
    """Inserts the registration of a buffer for the device."""
    if not isa(value.type, MemRefType):
        return
    cast = CastOp(value, UnrankedMemRefType.from_type(value.type.element_type))
    register = gpu.HostRegisterOp(operands=[cast.results[0]])
    inherit_location(why, cast, register)
    Rewriter.insert_op([cast, register], place)
