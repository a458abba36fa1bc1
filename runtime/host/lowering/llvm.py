"""Pointers: addresses as values of the llvm dialect."""

from __future__ import annotations

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.dialects.llvm import IntToPtrOp, PtrToIntOp
from xdsl.ir import Operation

from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.host.lowering.arith_casts import resized
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
    """A value of another type with the same parts, such as an integer without a sign for one with a sign."""
    before = [emitter.types(op, operand.type) for operand in op.operands]
    after = [emitter.types(op, result.type) for result in op.results]
    if before != after:
        emitter.refuse(op, "between types of different forms is not supported in host code")
    for operand, result in zip(op.operands, op.results, strict=True):
        emitter.give(result, *emitter.parts(operand))
