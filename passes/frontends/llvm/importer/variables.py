"""Imports the variables of a module, with their initial values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntAttr,
    TensorType,
    i64,
)
from xdsl.dialects.llvm import (
    AddressOfOp,
    ConstantOp,
    GlobalOp,
    InsertValueOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    ReturnOp,
    UndefOp,
)
from xdsl.ir import Attribute, Block, Region

from passes.frontends.llvm.importer.builder import Builder, i8
from passes.frontends.llvm.importer.function import SHARED
from passes.frontends.llvm.importer.layout import alignment, bytes_of, fields, is_aggregate, pointer_distance
from passes.frontends.llvm.reader import (
    Constant,
    Expression,
    Global,
    Module,
    Undefined,
    Value,
    Variable,
    constant_value,
    unquoted,
)
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.llvm import GEPOp

_LARGEST = 1 << 28
_POINTER_BYTES = 8
_SAME_ADDRESS = frozenset({"addrspacecast", "bitcast", "inttoptr", "ptrtoint", "ptrtoaddr"})


def import_variable(variable: Variable, module: Module) -> GlobalOp:
    """Returns a variable as MLIR.

    One without addresses in its value is an array of bytes. One with addresses is a structure of arrays of bytes and of
    pointers, whose value a region computes.
    """
    size = bytes_of(variable.type)
    if size is None or size > _LARGEST:
        raise CompileError(
            variable.statement.location, f"is a variable of type {variable.type}, which is not supported"
        )
    in_memory = variable.space != SHARED
    if in_memory and variable.value is None and not variable.is_shared:
        raise CompileError(variable.statement.location, f"'{variable.name}' has no value in this module")
    type: Attribute = _bytes_type(size)
    value, body = None, None
    if in_memory and variable.value is not None:
        content = _Content(variable, module, size)
        content.put(0, variable.value)
        if content.addresses:
            type, body = content.computed()
        else:
            value = DenseIntOrFPElementsAttr(TensorType(i8, [size]), BytesAttr(bytes(content.data)))
    op = GlobalOp(
        type,
        variable.name,
        "external" if variable.is_shared and in_memory else "internal",
        variable.space,
        constant=variable.is_constant,
        value=value,
        alignment=variable.alignment or alignment(variable.type),
        body=body,
    )
    op.location = variable.statement.location
    return op


def _bytes_type(size: int) -> LLVMArrayType:
    return LLVMArrayType(IntAttr(size), i8)


class _Content:
    """Collects the bytes of a variable, and by their offsets the variables and distances that addresses consist of."""

    def __init__(self, variable: Variable, module: Module, size: int):
        self._variable = variable
        self._module = module
        self.data = bytearray(size)
        self.addresses: dict[int, tuple[Variable, int]] = {}

    def _refuse(self, message: str) -> NoReturn:
        raise CompileError(self._variable.statement.location, f"'{self._variable.name}' {message}")

    def put(self, offset: int, value: Value) -> None:
        """Puts a value at an offset."""
        size = bytes_of(value.type) or 0
        match value:
            case Undefined() | Constant(_, None):
                return
            case Constant(_, bytes() as text):
                data = text
            case Constant(type, tuple() as parts):
                self._put_parts(offset, type, parts)
                return
            case Constant(type, int() as number):
                data = (number & (1 << 8 * size) - 1).to_bytes(size, "little")
            case Constant(type, float() as number):
                assert isinstance(type, AnyFloat)
                data = bytes(DenseIntOrFPElementsAttr.from_list(TensorType(type, [1]), [number]).data.data)
            case _:
                if size != _POINTER_BYTES or offset % _POINTER_BYTES:
                    self._refuse(f"holds an address in {size} bytes at offset {offset}: eight aligned bytes can")
                found, distance = self._address(value)
                if abs(distance) > _LARGEST:
                    self._refuse(f"holds an address {distance} bytes behind '{found.name}'")
                self.addresses[offset] = found, distance
                return
        self.data[offset : offset + len(data)] = data

    def _put_parts(self, offset: int, type: Attribute, parts: Sequence[Value]) -> None:
        if is_aggregate(type) and not isinstance(type, LLVMArrayType):
            layout = fields(type)
            offsets = layout[0] if layout else []
        else:
            step = bytes_of(parts[0].type) or 0
            offsets = [index * step for index in range(len(parts))]
        for at, part in zip(offsets, parts, strict=True):
            self.put(offset + at, part)

    def _address(self, value: Value) -> tuple[Variable, int]:
        """Returns the variable that an address lies in, and the distance in bytes from its start."""
        match value:
            case Global(_, name):
                found = self._module.variables.get(unquoted(name))
                if found is None:
                    self._refuse(f"holds the address of {name}, which is no variable of the module")
                if found.space == SHARED:
                    self._refuse(f"holds the address of {name}, which lies in the local memory of a work-group")
                return found, 0
            case Expression(_, "getelementptr", (pointer, *indices), source) if source is not None:
                found, start = self._address(pointer)
                distance, dynamic = pointer_distance(source, indices, self._refuse)
                if not dynamic:
                    return found, start + distance
            case Expression(_, opcode, (operand,)) if opcode in _SAME_ADDRESS:
                return self._address(operand)
            case Expression(_, "add" | "sub" as opcode, (pointer, number)):
                known = constant_value(number)
                if known is not None:
                    found, start = self._address(pointer)
                    return found, start + (known if opcode == "add" else -known)
        self._refuse("holds a number that a loader cannot compute from an address")

    def computed(self) -> tuple[LLVMStructType, Region]:
        """Returns the type and the region of a value with addresses."""
        ends = [0, *(offset + _POINTER_BYTES for offset in sorted(self.addresses))]
        starts = [*sorted(self.addresses), len(self.data)]
        types: list[Attribute] = []
        for start, end in zip(ends, starts, strict=True):
            types += [_bytes_type(end - start)] if end > start else []
            types += [LLVMPointerType(IntAttr(self.addresses[end][0].space))] if end in self.addresses else []
        type = LLVMStructType.from_type_list(types)
        block = Block()
        builder = Builder(block)
        builder.location = self._variable.statement.location
        value = builder.add(UndefOp(type))
        offset = 0
        for position, part in enumerate(types):
            if isinstance(part, LLVMPointerType):
                found, distance = self.addresses[offset]
                added = builder.add(AddressOfOp(found.name, part))
                if distance:
                    added = builder.add(GEPOp(added, [distance], i8, result_type=part))
            else:
                size = bytes_of(part) or 0
                data = bytes(self.data[offset : offset + size])
                dense = DenseIntOrFPElementsAttr(TensorType(i8, [size]), BytesAttr(data))
                added = builder.add(ConstantOp(dense, part))
            value = builder.add(InsertValueOp(DenseArrayBase.from_list(i64, [position]), value, added))
            offset += bytes_of(part) or 0
        builder.insert(ReturnOp(value))
        return type, Region(block)
