"""Pointers: addresses as values of the llvm dialect."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, UnrealizedConversionCastOp
from xdsl.dialects.llvm import IntToPtrOp, LLVMPointerType, PtrToIntOp
from xdsl.ir import Operation

from runtime.host.data.types import memory_type
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.host.emission.memref_descriptors import descriptor, element_address
from runtime.host.lowering.arith_casts import resized
from runtime.llvm import integer
from xegpu.dialects.upstream.llvm import AddrSpaceCastOp


@lowers(IntToPtrOp)
def inttoptr(emitter: FunctionEmitter, op: IntToPtrOp) -> None:
    wide = resized(emitter.code, emitter.one(op.input), "i64", signed=False)
    emitter.give(op.output, emitter.code.cast("inttoptr", wide, "ptr"))


@lowers(PtrToIntOp)
def ptrtoint(emitter: FunctionEmitter, op: PtrToIntOp) -> None:
    (type,) = emitter.types(op, op.output.type)
    address = emitter.code.cast("ptrtoint", emitter.one(op.input), "i64")
    emitter.give(op.output, resized(emitter.code, address, type, signed=False))


@lowers(AddrSpaceCastOp)
def addrspacecast(emitter: FunctionEmitter, op: AddrSpaceCastOp) -> None:
    """All memory has one address for the host and for kernels."""
    emitter.give(op.results[0], emitter.one(op.operands[0]))


@lowers(UnrealizedConversionCastOp)
def unrealized_conversion_cast(emitter: FunctionEmitter, op: Operation) -> None:
    """A value of another type with the same parts, such as an integer without a sign, or a buffer's address."""
    source, target = op.operands[0], op.results[0]
    if isinstance(source.type, MemRefType) and isinstance(target.type, LLVMPointerType):
        buffer = descriptor(emitter, op, source)
        first = [integer(0)] * len(buffer.sizes)
        emitter.give(target, element_address(emitter, buffer, first, memory_type(source.type.element_type)))
        return
    before = [emitter.types(op, operand.type) for operand in op.operands]
    after = [emitter.types(op, result.type) for result in op.results]
    if before != after:
        emitter.refuse(op, "between types of different forms is not supported in host code")
    for operand, result in zip(op.operands, op.results, strict=True):
        emitter.give(result, *emitter.parts(operand))
