"""Lowers the making of pointers: addresses of variables, sums with distances, casts.

A pointer is a number of 64 bits, once or for each lane. Those to private and shared local memory are offsets in it.
"""

from __future__ import annotations

from xdsl.dialects.llvm import AddressOfOp, AllocaOp, ExtractValueOp, GEPOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from passes.convert_xegpu_to_xe.control.barriers import group_fence
from passes.convert_xegpu_to_xe.kernel.gpu_ids import counting
from passes.convert_xegpu_to_xe.kernel.lowering import KernelLowering, lowers
from passes.convert_xegpu_to_xe.kernel.resources import allocated_bytes
from passes.convert_xegpu_to_xe.kernel.values import Elements, Number, Structure, UniformConstant, Value, element_type
from passes.convert_xegpu_to_xe.pointers.spaces import GENERIC, TAG_SHIFT, TAGS, memory_of, space_number
from xegpu.dialects.upstream.llvm import AddrSpaceCastOp, pointer_terms
from xegpu.dialects.xe import SymbolAddressOp, imports_variable, referenced_variable
from xegpu.isa.model import DataType, Immediate, Unit, integer

_ADDRESS = DataType.UQ
_IDENTITY = {"add": 0, "mul": 1}


def combine(lowering: KernelLowering, mnemonic: str, a: Number, b: Number) -> Number:
    """Returns the sum or product of two numbers of 64 bits, each a constant, one for all lanes, or one a lane."""
    count = max((n.count for n in (a, b) if isinstance(n, Elements)), default=1)
    if count == 1:
        return lowering.add(a, b) if mnemonic == "add" else lowering.multiply(a, b)
    for number, other in ((a, b), (b, a)):
        if isinstance(number, UniformConstant) and number.value == _IDENTITY[mnemonic]:
            return other
    return lowering.emit.alu(mnemonic, _ADDRESS, [a, b], count)


@lowers("llvm.alloca")
def allocate(lowering: KernelLowering, op: Operation) -> None:
    """Each lane's memory is contiguous, those of neighboring lanes lie side by side."""
    assert isinstance(op, AllocaOp)
    start = UniformConstant(_ADDRESS, lowering.resources.places[op.res].offset)
    if lowering.lanes == 1:
        lowering.values[op.res] = start
        return
    lanes = lowering.lanes
    step = UniformConstant(_ADDRESS, allocated_bytes(op) or 0)
    own = lowering.emit.alu("mul", _ADDRESS, [counting(lowering, lanes, _ADDRESS), step], lanes)
    sums = lowering.emit.alu("add", _ADDRESS, [own, start], lanes)
    lowering.values[op.res] = Elements(sums.register, _ADDRESS, lanes, 0, lanes)


@lowers("llvm.mlir.addressof")
def address_of(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, AddressOfOp)
    if op.result in lowering.resources.places:
        lowering.values[op.result] = UniformConstant(_ADDRESS, lowering.resources.places[op.result].offset)
        return
    name = op.global_name.root_reference.data
    if referenced_variable(op, op.global_name) is None and not imports_variable(op, op.global_name):
        lowering.refuse(op, f"of '@{name}', which has no value in global memory, is not supported in a kernel")
    address = SymbolAddressOp(name, lowering.emit.register_type(_ADDRESS.size))
    lowering.emit.add(address)
    lowering.values[op.result] = Elements(address.result, _ADDRESS, 1)


@lowers("llvm.mlir.zero")
def null(lowering: KernelLowering, op: Operation) -> None:
    lowering.values[op.results[0]] = UniformConstant(_ADDRESS, 0)


@lowers("llvm.getelementptr")
def element_pointer(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, GEPOp)
    distance: Number = UniformConstant(_ADDRESS, 0)
    try:
        terms = list(pointer_terms(op))
    except VerifyException as error:
        lowering.refuse(op, str(error))
    for index, step in terms:
        number = UniformConstant(_ADDRESS, index) if isinstance(index, int) else _wide(lowering, lowering.number(index))
        part = combine(lowering, "mul", number, UniformConstant(_ADDRESS, step))
        distance = combine(lowering, "add", distance, part)
    lowering.values[op.result] = combine(lowering, "add", lowering.number(op.ptr), distance)


def _wide(lowering: KernelLowering, number: Number) -> Number:
    """Returns a signed integer with 64 bits."""
    if isinstance(number, UniformConstant):
        return UniformConstant(_ADDRESS, Immediate.of(number.value, integer(number.type.bits, signed=True)).value())
    if number.type.bits == _ADDRESS.bits:
        return number.as_type(_ADDRESS)
    narrow = number.as_type(integer(number.type.bits, signed=True))
    return lowering.emit.unary("mov", DataType.Q, narrow, number.count).as_type(_ADDRESS)


@lowers("llvm.addrspacecast")
def cast_space(lowering: KernelLowering, op: Operation) -> None:
    """Generic pointers to private and shared memory carry a tag; addresses of global memory are the same in both."""
    assert isinstance(op, AddrSpaceCastOp)
    pointer, source, target = lowering.number(op.arg), op.arg.type, op.res.type
    memory = memory_of(source if space_number(target) == GENERIC else target)
    if GENERIC not in (space_number(source), space_number(target)) and memory_of(source) is not memory:
        lowering.refuse(op, f"from {source} to {target} is not supported: the spaces have nothing in common")
    if memory in TAGS and space_number(source) != space_number(target):
        tag = TAGS[memory] << TAG_SHIFT
        mnemonic, mask = ("or", tag) if space_number(target) == GENERIC else ("and", (1 << TAG_SHIFT) - 1)
        count = pointer.count if isinstance(pointer, Elements) else 1
        pointer = lowering.emit.alu(mnemonic, _ADDRESS, [pointer, UniformConstant(_ADDRESS, mask)], count)
    lowering.values[op.res] = pointer


@lowers("llvm.ptrtoint", "llvm.inttoptr")
def cast_number(lowering: KernelLowering, op: Operation) -> None:
    number, type = lowering.number(op.operands[0]), element_type(op.results[0].type)
    assert type is not None
    if isinstance(number, UniformConstant):
        lowering.values[op.results[0]] = UniformConstant(type, int(number.value) & (1 << type.bits) - 1)
    elif number.type.bits == type.bits:
        lowering.values[op.results[0]] = number.as_type(type)
    else:
        lowering.values[op.results[0]] = lowering.emit.unary("mov", type, number, number.count)


@lowers("llvm.extractvalue")
def extract_value(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, ExtractValueOp)
    value: Value = lowering.values[op.container]
    for index in op.position.iter_values():
        assert isinstance(value, Structure)
        value = value.fields[index]
    lowering.values[op.res] = value


@lowers("llvm.fence")
def fence(lowering: KernelLowering, op: Operation) -> None:
    group_fence(lowering, Unit.UGM)
    group_fence(lowering, Unit.SLM)
