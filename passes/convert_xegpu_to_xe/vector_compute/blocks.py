"""Blocks of planes (`llvm.genx.lsc.load2d` and its newer forms): one message each, as registers hold what it moves."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall, lowers_intrinsic
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.memory.descriptors.block_descriptors import (
    HEIGHT_BYTE,
    PITCH_BYTE,
    SHAPE_BYTE,
    WIDTH_BYTE,
    X_BYTE,
    Y_BYTE,
    add_dword,
    shape_word,
)
from passes.convert_xegpu_to_xe.vector_compute.lsc import TRANSPOSED, cache_of
from passes.kernel.register_types import element_type
from xegpu.isa.model import (
    CACHE_CONTROLS,
    BlockShape,
    CacheControl,
    DataSize,
    DataType,
    Message,
    Unit,
    data_bytes,
)

_SIZES = {1: DataSize.D8, 2: DataSize.D16, 3: DataSize.D32, 4: DataSize.D64}
_BY_BYTES = {size.memory_bytes: size for size in _SIZES.values()}


@dataclass(frozen=True)
class PlaneAccess:
    """A message and its payload, for all of the subgroup or, without the condition, for nobody."""

    call: IntrinsicCall
    message: Message
    payload: SSAValue
    mask: int

    @property
    def data_bytes(self) -> int:
        """The bytes of the registers that hold the block."""
        platform = self.call.emit.target.platform
        return data_bytes(self.message, 1, platform.grf_bytes, platform.physical_simd_width)

    def flag(self) -> SSAValue | None:
        """Returns the flag of the condition; None if it always holds."""
        number = self.call.number(self.mask)
        if isinstance(number, UniformConstant) and number.bits:
            return None
        return self.call.emit.flag(self.call.emit.scalar(number), 0, 1)


def load(block: PlaneAccess) -> Elements:
    """Returns the registers that a block is loaded into; a result may have more, or be without the padding."""
    call, emit, flag = block.call, block.call.emit, block.flag()
    size = call.result_count * call.result_element.size
    into = None
    if size > block.data_bytes:
        into = emit.undefined(size)
    elif flag is not None:
        zero = UniformConstant(DataType.UD, 0)
        grf = emit.target.platform.grf_bytes
        into = emit.alu("mov", DataType.UD, [zero], block.data_bytes // DataType.UD.size, alignment=grf).register
    register = emit.load("load_block2d", block.message, block.payload, into=into, flag=flag)
    return Elements(register, call.result_element, call.result_count)


def store(block: PlaneAccess, data: int) -> None:
    """Stores the registers of argument `data`, which is without the padding behind the last row."""
    emit = block.call.emit
    grf = emit.target.platform.grf_bytes
    value = block.call.elements(data)
    if value.size < block.data_bytes:
        padded = emit.convert_into(emit.undefined(block.data_bytes, grf), 0, value, value.type)
        value = Elements(padded, value.type, block.data_bytes // value.type.size)
    emit.send("store_block2d", block.message, block.payload, emit.aligned(value, grf), flag=block.flag())


def prefetch(block: PlaneAccess) -> None:
    """Fetches a block into caches."""
    block.call.emit.send("prefetch_block2d", block.message, block.payload, flag=block.flag())


def message_of(
    call: IntrinsicCall,
    size: DataSize,
    shape: BlockShape,
    cache: CacheControl,
    access: str,
    *,
    vnni: bool = False,
    transposed: bool = False,
) -> Message:
    """Returns a message; refuses those that the GPU does not have."""
    if call.emit.target.platform.block2d is None:
        call.refuse(f"is a message for blocks of planes, which {call.emit.target.name} does not have")
    control = cache if cache in CACHE_CONTROLS[access] else CacheControl.DEFAULT
    return Message(Unit.UGM, size, block=shape, cache=control, vnni=vnni, transposed=transposed)


def payload_of(call: IntrinsicCall, header: Elements, shape: BlockShape) -> SSAValue:
    """Returns the payload that a header stands for, with the shape of a message."""
    emit = call.emit
    grf = emit.target.platform.grf_bytes
    words = Elements(header.register, DataType.UD, SHAPE_BYTE // DataType.UD.size, header.offset)
    register = emit.convert_into(emit.undefined(grf), 0, UniformConstant(DataType.UD, 0), DataType.UD, grf // 4)
    register = emit.copy(register, words, [(i, i) for i in range(words.count)], DataType.UD)
    return emit.write(register, SHAPE_BYTE, DataType.UD, UniformConstant(DataType.UD, shape_word(shape)))


# Planes as arguments --------------------------------------------------------------------------------------------------


def _stated(call: IntrinsicCall, access: str) -> PlaneAccess:
    """Returns the block whose plane and sizes are arguments."""
    size = _SIZES.get(call.constant(3))
    if size is None:
        call.refuse(f"has elements of kind {call.constant(3)}, which no block has")
    shape = BlockShape(call.constant(6), call.constant(7), call.constant(5))
    cache = cache_of(call.constant(1), call.constant(2), stores=access == "store")
    message = message_of(
        call,
        size,
        shape,
        cache,
        access,
        vnni=bool(call.constant(8)),
        transposed=call.constant(4) == TRANSPOSED,
    )
    emit = call.emit
    grf = emit.target.platform.grf_bytes
    register = emit.convert_into(emit.undefined(grf), 0, UniformConstant(DataType.UD, 0), DataType.UD, grf // 4)
    register = emit.write(register, 0, DataType.UQ, _unsigned(call.number(9), DataType.UQ))
    for byte, index in ((WIDTH_BYTE, 10), (HEIGHT_BYTE, 11), (PITCH_BYTE, 12), (X_BYTE, 13), (Y_BYTE, 14)):
        register = emit.write(register, byte, DataType.UD, _unsigned(call.number(index), DataType.UD))
    register = emit.write(register, SHAPE_BYTE, DataType.UD, UniformConstant(DataType.UD, shape_word(shape)))
    return PlaneAccess(call, message, register, 0)


def _unsigned(number: Number, type: DataType) -> Number:
    return UniformConstant(type, number.bits) if isinstance(number, UniformConstant) else number


@lowers_intrinsic("llvm.genx.lsc.load2d.stateless")
def load_stated(call: IntrinsicCall) -> Elements:
    return load(_stated(call, "load"))


@lowers_intrinsic("llvm.genx.lsc.store2d.stateless")
def store_stated(call: IntrinsicCall) -> None:
    store(_stated(call, "store"), 15)


@lowers_intrinsic("llvm.genx.lsc.prefetch2d.stateless")
def prefetch_stated(call: IntrinsicCall) -> None:
    prefetch(_stated(call, "prefetch"))


# Payloads as arguments ------------------------------------------------------------------------------------------------

_PAYLOAD, _DATA = 5, 8


def _described(call: IntrinsicCall, access: str) -> PlaneAccess:
    """Returns the block whose plane is in a payload; its elements are those of the last argument."""
    element = element_type(call.argument(_DATA).type)
    size = None if element is None else _BY_BYTES.get(element.size)
    if size is None:
        call.refuse(f"moves elements of type {call.argument(_DATA).type}, which no block has")
    shape = BlockShape(call.constant(3), call.constant(4), call.constant(2))
    cache = cache_of(*_pair(call, 1), stores=access == "store")
    form = call.name.rpartition(".")[2]
    message = message_of(call, size, shape, cache, access, vnni=form == "vnni", transposed=form == "transpose")
    payload = payload_of(call, call.elements(_PAYLOAD), shape)
    for byte, index in ((X_BYTE, 6), (Y_BYTE, 7)):
        payload = add_dword(call.lowering, payload, byte, call.number(index))
    return PlaneAccess(call, message, payload, 0)


def _pair(call: IntrinsicCall, index: int) -> tuple[int, int]:
    """Returns the numbers of a constant vector of two."""
    owner = call.argument(index).owner
    if not isinstance(owner, ConstantOp) or not isinstance(owner.value, DenseIntOrFPElementsAttr):
        call.refuse(f"has cache controls that are computed at run time as argument {index + 1}: they must be constant")
    first, second = (int(value) for value in owner.value.get_values())
    return first, second


_FORMS = ("", ".vnni", ".transpose")


@lowers_intrinsic(*(f"llvm.genx.lsc.load.2d.ugm.desc{form}" for form in _FORMS))
def load_described(call: IntrinsicCall) -> Elements:
    return load(_described(call, "load"))


@lowers_intrinsic("llvm.genx.lsc.store.2d.ugm.desc")
def store_described(call: IntrinsicCall) -> None:
    store(_described(call, "store"), _DATA)


@lowers_intrinsic("llvm.genx.lsc.prefetch.2d.ugm.desc")
def prefetch_described(call: IntrinsicCall) -> None:
    prefetch(_described(call, "prefetch"))
