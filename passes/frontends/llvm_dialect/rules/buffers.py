"""Buffers that are descriptors: structures of two pointers, an offset, sizes and strides.

Upstream lowers accesses to buffers before it lowers what only asks for the parts of a descriptor.

https://mlir.llvm.org/docs/TargetLLVMIR/#ranked-memref-types
"""

from __future__ import annotations

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.dialects.llvm import LLVMStructType
from xdsl.dialects.memref import ExtractStridedMetaDataOp
from xdsl.ir import Operation, SSAValue

from passes.frontends.llvm_dialect.writing.types import INDEX_BITS
from passes.frontends.llvm_dialect.writing.writer import FunctionWriter, is_buffer, writes

_ALIGNED, _OFFSET, _SIZES, _STRIDES = 1, 2, 3, 4


def _descriptor(buffer: SSAValue) -> SSAValue | None:
    """Returns the structure that a buffer was cast from; None for other buffers."""
    owner = buffer.owner
    if isinstance(owner, ExtractStridedMetaDataOp) and buffer is owner.base_buffer:
        return _descriptor(owner.source)
    if isinstance(owner, UnrealizedConversionCastOp) and len(owner.operands) == 1:
        return owner.operands[0] if isinstance(owner.operands[0].type, LLVMStructType) else None
    return None


@writes("memref.extract_aligned_pointer_as_index")
def aligned_pointer(writer: FunctionWriter, op: Operation) -> None:
    found = _descriptor(op.operands[0])
    if found is None:
        writer.call_foreign(op)
        return
    type = found.type
    assert isinstance(type, LLVMStructType)
    pointer = writer.step(op, f"extractvalue {writer.typed(found)}, {_ALIGNED}")
    text = f"ptrtoint {writer.type(type.types.data[_ALIGNED])} {pointer} to i{INDEX_BITS}"
    writer.emit(op, text, result=op.results[0])


@writes("memref.extract_strided_metadata")
def strided_metadata(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, ExtractStridedMetaDataOp)
    found = _descriptor(op.source)
    if found is None:
        writer.call_foreign(op)
        return
    paths = [(op.offset, f"{_OFFSET}")]
    paths += [(size, f"{_SIZES}, {number}") for number, size in enumerate(op.sizes)]
    paths += [(stride, f"{_STRIDES}, {number}") for number, stride in enumerate(op.strides)]
    for result, path in paths:
        writer.emit(op, f"extractvalue {writer.typed(found)}, {path}", result=result)


@writes("builtin.unrealized_conversion_cast")
def unrealized_cast(writer: FunctionWriter, op: Operation) -> None:
    """Writes a cast between two types with one form in LLVM IR; that of a descriptor to a buffer is none by itself."""
    if len(op.operands) == len(op.results) == 1:
        before, after = op.operands[0], op.results[0]
        if is_buffer(after.type) and isinstance(before.type, LLVMStructType):
            return
        source = _descriptor(before) if is_buffer(before.type) else before
        if source is not None and writer.type(source.type) == writer.type(after.type):
            opcode = "freeze" if isinstance(source.type, LLVMStructType) else "bitcast"
            tail = "" if opcode == "freeze" else f" to {writer.type(after.type)}"
            writer.emit(op, f"{opcode} {writer.typed(source)}{tail}", result=after)
            return
    if any(True for result in op.results for _ in result.uses):
        types = (", ".join(str(value.type) for value in values) for values in (op.operands, op.results))
        writer.refuse(op, "casts {} to {}, which have no common form in LLVM IR".format(*types))
