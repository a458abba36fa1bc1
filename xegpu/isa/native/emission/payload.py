"""The beginning of a kernel: code that loads its payload; threads whose payload is in registers skip it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import (
    CONTIGUOUS,
    CONTROL,
    CONTROL_DEFAULT,
    SCALAR,
    Destination,
    Immediate,
    Register,
    RegisterFile,
    SourceRegister,
    grf,
)
from xegpu.isa.model.table import BY_MNEMONIC
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.words.computations import computation
from xegpu.isa.native.emission.words.context import EmissionContext
from xegpu.isa.native.emission.words.messages import payload_load
from xegpu.isa.native.encoding.instruction import NativeInstruction

_BASE = 0xFFFFFFC0
"""The bits of `r0.0` that are the offset of the payload."""

_THREAD_NUMBER = 0xFF
"""The bits of `r0.2`, as a word at its start, that number the threads of a work-group."""


def local_id_prologue(context: EmissionContext, size: int, cross_thread_size: int) -> Iterator[NativeInstruction]:
    """Yields code that loads the local ids of a thread, `size` bytes behind those of the threads before it."""
    yield from _base(context)
    address = _offset(context)
    number = Register(RegisterFile.GRF, context.payload.number)
    yield _address(context, "and", number, DataType.UD, _r0(8, DataType.UD), Immediate(DataType.UD, _THREAD_NUMBER))
    yield _address(context, "mul", number, DataType.UD, _scalar(number), Immediate(DataType.UW, size))
    yield _address(context, "add", address, DataType.UD, _scalar(address), Immediate(DataType.UW, cross_thread_size))
    yield _address(context, "add", address, DataType.UD, _scalar(address), _scalar(number))
    yield from _loads(context, 1, size)


def argument_prologue(context: EmissionContext, first: int, size: int) -> Iterator[NativeInstruction]:
    """Yields code that loads the arguments, `size` bytes, to the registers from `first` on."""
    if size:
        yield from _base(context)
        yield from _loads(context, first, size)


def mode_prologue(context: EmissionContext) -> Iterator[NativeInstruction]:
    """Yields code that sets the modes of arithmetic and keeps the header of the thread."""
    control = Register(RegisterFile.ARF, CONTROL.number)
    source = SourceRegister(control, DataType.UD, SCALAR)
    yield _address(context, "or", control, DataType.UD, source, Immediate(DataType.UW, CONTROL_DEFAULT))
    header = Instruction(
        BY_MNEMONIC["mov"],
        context.lanes,
        no_mask=True,
        destination=Destination(context.header, DataType.UD),
        sources=(SourceRegister(grf(0), DataType.UD, CONTIGUOUS),),
    )
    yield computation(context.platform, header)


def _offset(context: EmissionContext) -> Register:
    """Returns where the offset of what is loaded is kept: in the register in which the header will be."""
    return replace(context.header, byte=context.conventions.payload.offset_byte)


def _base(context: EmissionContext) -> Iterator[NativeInstruction]:
    """Yields code that takes the offset of the payload from the header, and clears the rest of a message's header."""
    offset = _offset(context)
    if offset.byte:
        zero = Immediate(DataType.UD, 0)
        clear = Instruction(
            BY_MNEMONIC["mov"],
            context.lanes,
            no_mask=True,
            destination=Destination(context.header, DataType.UD),
            sources=(zero,),
        )
        yield computation(context.platform, clear)
    yield _address(context, "and", offset, DataType.UD, _r0(0, DataType.UD), Immediate(DataType.UD, _BASE))


def _loads(context: EmissionContext, first: int, size: int) -> Iterator[NativeInstruction]:
    """Yields loads of the bytes at the address that is kept where the header will be."""
    dwords, blocks = -(-size // 4), context.conventions.payload.blocks
    register = first
    while dwords > 0:
        block = next((count for count in blocks if count <= dwords), blocks[-1])
        yield payload_load(context, grf(register), block, context.header)
        dwords -= block
        register += -(-4 * block // context.platform.grf_bytes)
        if dwords > 0:
            address = _offset(context)
            yield _address(context, "add", address, DataType.UD, _scalar(address), Immediate(DataType.UW, 4 * block))


def _r0(byte: int, type: DataType) -> SourceRegister:
    return SourceRegister(grf(0, byte), type, SCALAR)


def _scalar(register: Register) -> SourceRegister:
    return SourceRegister(register, DataType.UD, SCALAR)


def _address(
    context: EmissionContext,
    mnemonic: str,
    register: Register,
    type: DataType,
    *sources: SourceRegister | Immediate,
) -> NativeInstruction:
    """Returns an instruction on one element."""
    return computation(
        context.platform,
        Instruction(BY_MNEMONIC[mnemonic], no_mask=True, destination=Destination(register, type), sources=sources),
    )
