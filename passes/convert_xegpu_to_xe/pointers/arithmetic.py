"""Lowers the making of pointers: addresses of variables, sums with distances, casts.

A pointer is a number, once or for each lane. Those to private and shared local memory are offsets in it, of 32 bits;
generic pointers, which may be to several memories, have 64 bits, as have those to global memory.
"""

from __future__ import annotations

from xdsl.dialects.llvm import AddressOfOp, AllocaOp, ExtractValueOp, IntToPtrOp, PtrToIntOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from passes.analysis.pointer_spaces import TAG_SHIFT, TAGS
from passes.convert_xegpu_to_xe.control.barriers import group_fence
from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Structure, UniformConstant, Value
from passes.convert_xegpu_to_xe.pointers.addresses import pointer_number
from passes.kernel.memories import GENERIC, MessageMemory, memory_of, space_number
from passes.kernel.register_types import element_type
from passes.kernel.resources import allocated_bytes
from xegpu.dialects.upstream.llvm import (
    AddrSpaceCastOp,
    FenceOp,
    GEPOp,
    ZeroOp,
    check_address,
)
from xegpu.dialects.xe import SymbolAddressOp, imports_variable, referenced_variable
from xegpu.isa.model import DataType, Unit


@lowers(AllocaOp)
def allocate(lowering: KernelLowering, op: AllocaOp) -> None:
    """Each lane's memory is contiguous, those of neighboring lanes lie side by side, unless lanes share it."""
    type = MessageMemory.PRIVATE.address_type
    start = UniformConstant(type, lowering.resources.places[op.res].offset)
    if op.res not in lowering.divergent:
        lowering.values[op.res] = start
        return
    lanes = lowering.lanes
    step = UniformConstant(type, allocated_bytes(op) or 0)
    own = lowering.emit.alu("mul", type, [counting(lowering, lanes, type), step], lanes)
    sums = lowering.emit.alu("add", type, [own, start], lanes)
    lowering.values[op.res] = Elements(sums.register, type, lanes, 0, lanes)


@lowers(AddressOfOp)
def address_of(lowering: KernelLowering, op: AddressOfOp) -> None:
    try:
        check_address(op)
    except VerifyException as error:
        lowering.refuse(op, str(error))
    place = lowering.resources.places.get(op.result)
    if place is not None:
        lowering.values[op.result] = UniformConstant(place.space.address_type, place.offset)
        return
    name = op.global_name.root_reference.data
    if referenced_variable(op, op.global_name) is None and not imports_variable(op, op.global_name):
        lowering.refuse(op, f"of '@{name}', which has no value in global memory, is not supported in a kernel")
    type = MessageMemory.GLOBAL.address_type
    address = SymbolAddressOp(name, lowering.emit.register_type(type.size))
    lowering.emit.add(address)
    lowering.values[op.result] = Elements(address.result, type, 1)


@lowers(ZeroOp)
def null(lowering: KernelLowering, op: ZeroOp) -> None:
    lowering.values[op.results[0]] = UniformConstant(_type_of(op.results[0]), 0)


@lowers(GEPOp)
def element_pointer(lowering: KernelLowering, op: GEPOp) -> None:
    if op not in lowering.accessed_pointers:
        lowering.values[op.result] = pointer_number(lowering, op)


def _type_of(pointer: SSAValue) -> DataType:
    type = element_type(pointer.type)
    assert type is not None
    return type


@lowers(AddrSpaceCastOp)
def cast_space(lowering: KernelLowering, op: AddrSpaceCastOp) -> None:
    """Generic pointers to private and shared memory carry a tag; addresses of global memory are the same in both."""
    pointer, source, target = lowering.number(op.arg), op.arg.type, op.res.type
    memory = memory_of(source if space_number(target) == GENERIC else target)
    if GENERIC not in (space_number(source), space_number(target)) and memory_of(source) is not memory:
        lowering.refuse(op, f"from {source} to {target} is not supported: the spaces have nothing in common")
    type = _type_of(op.res)
    if memory in TAGS and space_number(source) != space_number(target):
        tag = TAGS[memory] << TAG_SHIFT if space_number(target) == GENERIC else 0
        if isinstance(pointer, UniformConstant):
            pointer = UniformConstant(type, (int(pointer.value) | tag) & (1 << type.bits) - 1)
        elif tag:
            pointer = lowering.emit.alu("or", type, [pointer, UniformConstant(type, tag)], pointer.count)
        else:
            pointer = lowering.emit.unary("mov", type, pointer, pointer.count)
    lowering.values[op.res] = pointer


@lowers(PtrToIntOp, IntToPtrOp)
def cast_number(lowering: KernelLowering, op: PtrToIntOp | IntToPtrOp) -> None:
    number, type = lowering.number(op.operands[0]), element_type(op.results[0].type)
    assert type is not None
    if isinstance(number, UniformConstant):
        lowering.values[op.results[0]] = UniformConstant(type, int(number.value) & (1 << type.bits) - 1)
    elif number.type.bits == type.bits:
        lowering.values[op.results[0]] = number.as_type(type)
    else:
        lowering.values[op.results[0]] = lowering.emit.unary("mov", type, number, number.count)


@lowers(ExtractValueOp)
def extract_value(lowering: KernelLowering, op: ExtractValueOp) -> None:
    value: Value = lowering.values[op.container]
    for index in op.position.iter_values():
        assert isinstance(value, Structure)
        value = value.fields[index]
    lowering.values[op.res] = value


@lowers(FenceOp)
def fence(lowering: KernelLowering, op: FenceOp) -> None:
    group_fence(lowering, Unit.UGM)
    group_fence(lowering, Unit.SLM)
