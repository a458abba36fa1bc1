"""Types of MLIR as types of LLVM IR."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntAttr,
    IntegerType,
    NoneAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMStructType, LLVMVoidType
from xdsl.ir import Attribute

INDEX_BITS = 64
GLOBAL = 1
FLOATS: Mapping[type[Attribute], str] = {
    Float16Type: "half",
    BFloat16Type: "bfloat",
    Float32Type: "float",
    Float64Type: "double",
}


class NoLLVMType(Exception):
    """LLVM IR has no such type; the text names it."""


def type_text(type: Attribute) -> str:
    """Returns a type as LLVM IR writes it. Raises `NoLLVMType`."""
    if (simple := FLOATS.get(type.__class__)) is not None:
        return simple
    match type:
        case IntegerType():
            return f"i{type.width.data}"
        case IndexType():
            return f"i{INDEX_BITS}"
        case LLVMVoidType():
            return "void"
        case LLVMPointerType(addr_space=NoneAttr() | IntAttr(data=0)):
            return "ptr"
        case LLVMPointerType(addr_space=IntAttr(data=space)):
            return f"ptr addrspace({space})"
        case VectorType() if type.get_num_dims() == 1 and not type.get_num_scalable_dims():
            return f"<{type.element_count()} x {type_text(type.get_element_type())}>"
        case LLVMArrayType():
            return f"[{type.size.data} x {type_text(type.type)}]"
        case LLVMStructType():
            return f"{{ {', '.join(map(type_text, type.types))} }}" if type.types.data else "{}"
        case LLVMFunctionType():
            dots = ["..."] if type.is_variadic else []
            return f"{type_text(type.output)} ({', '.join([*map(type_text, type.inputs), *dots])})"
        case _:
            raise NoLLVMType(str(type))


def has_type(type: Attribute) -> bool:
    """Returns whether LLVM IR has a type."""
    try:
        type_text(type)
    except NoLLVMType:
        return False
    return True
