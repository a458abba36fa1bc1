"""Messages of the model as native words: named fields become packed descriptors."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import AddressModel, AddressSize, Message, Unit, data_bytes
from xegpu.isa.model.operands import ADDRESS, Register, RegisterFile
from xegpu.isa.model.table import MemoryAccessKind
from xegpu.isa.native.emission.words.computations import predicate_fields
from xegpu.isa.native.emission.words.context import EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC

_SEND = BY_MNEMONIC["send"]
_UNITS = {text: code for code, text in codes.UNITS.items()}
_VECTORS: Mapping[int, int] = {1: 0, 2: 1, 3: 2, 4: 3, 8: 4, 16: 5, 32: 6, 64: 7}
_FENCE = 0x1F
_ADDRESSES_OF_32_BITS = AddressSize.A32.code << 7
_PAYLOAD_BLOCK = 0xFF << 24
"""The extended descriptor of messages to the payload of the launch: the surface that has its base."""

_BINDING_TABLE = 3 << 29
_STATELESS, _ALIGNED_BLOCK = 0xFD, 1
_OWORDS = {8: 2, 16: 3, 32: 4}
"""The surface, the type and the codes of lengths of blocks that legacy data ports read; lengths are in dwords."""

_END, _SIGNAL = 0x02000010, 0x02000004


def send(
    context: EmissionContext,
    unit: str,
    descriptor: int,
    payload: Register,
    *,
    returned: Register | None = None,
    data: tuple[Register, int] | None = None,
    extended: int = 0,
    fields: Mapping[str, int] | None = None,
) -> NativeInstruction:
    """Returns a message. `data` are the second part of its payload and the number of its registers."""
    parts = {"dst": returned, "src0": payload, "src1": data[0] if data else None}
    registers: dict[str, int] = {}
    for name, register in parts.items():
        if register is None:
            continue
        if register.file is not RegisterFile.GRF or register.byte:
            raise UnsupportedEmission("a message whose registers do not start at a whole one")
        registers |= {f"{name}.file": 1, f"{name}.reg": register.number}
    return NativeInstruction(
        context.platform,
        _SEND,
        {
            "unit": _UNITS[unit],
            "desc": descriptor,
            "ex_desc": extended,
            "src1.length": data[1] if data else 0,
            **registers,
            **(fields or {}),
        },
    )


def access(context: EmissionContext, instruction: Instruction) -> NativeInstruction:
    """Returns a load, store, prefetch or atomic."""
    message, grf_bytes = instruction.message, context.platform.grf_bytes
    if message is None or instruction.address is None:
        raise UnsupportedEmission(f"'{instruction.mnemonic}' without a message")
    if message.unit not in (Unit.UGM, Unit.SLM):
        raise UnsupportedEmission(f"messages to '{message.unit.text}'")
    lanes = 1 if message.transposed or message.block else instruction.exec_size
    if lanes > context.conventions.message_lanes:
        raise UnsupportedEmission(f"a message of {lanes} channels")
    size = data_bytes(message, instruction.exec_size, grf_bytes, context.platform.physical_simd_width) // grf_bytes
    addresses = -(-lanes * message.address_size.size // grf_bytes)
    returned = size if instruction.returned is not None else 0
    return send(
        context,
        message.unit.text,
        _descriptor(instruction, message) | returned << 20 | addresses << 25,
        instruction.address,
        returned=instruction.returned,
        data=None if instruction.data is None else (instruction.data, size * instruction.spec.sources),
        fields={
            "exec_size": instruction.exec_size.bit_length() - 1,
            "channel_offset": instruction.channel_offset // context.encoding.channels_per_offset,
            "no_mask": int(instruction.no_mask),
            **predicate_fields(instruction.predicate),
            **(_IN_SCRATCH if message.model is AddressModel.SCRATCH else {}),
        },
    )


def _descriptor(instruction: Instruction, message: Message) -> int:
    """Returns the descriptor without the lengths. A prefetch is a load whose result nothing gets."""
    operation = instruction.spec.function
    if instruction.spec.access is MemoryAccessKind.PREFETCH:
        operation = _LOADS[instruction.spec.block2d]
    found = (
        operation
        | message.model.code << 29
        | message.data_size.code << 9
        | message.transposed << 15
        | message.cache.code << 17
    )
    if message.block is not None:
        return found | message.vnni << 7
    return found | message.address_size.code << 7 | _VECTORS[message.vector] << 12


SCRATCH_SURFACE = Register(RegisterFile.ARF, ADDRESS.number, 8)
"""The dword of the address register that names the scratch space of the thread in messages."""

_IN_SCRATCH = {"ex_desc.indirect": 1, "ex_desc.subreg": SCRATCH_SURFACE.byte // 4, "ex_bso": 1}
_LOADS = {False: 0x00, True: 0x03}
"""The operation of loads, and of those of blocks of two dimensions."""


def fence(context: EmissionContext, instruction: Instruction) -> NativeInstruction:
    """Returns a fence, whose answer goes to the payload register."""
    fields = instruction.fence
    if fields is None or fields.unit not in (Unit.UGM, Unit.SLM):
        raise UnsupportedEmission("fences of images")
    descriptor = (
        _FENCE
        | _ADDRESSES_OF_32_BITS
        | (context.conventions.fence_route if fields.unit is Unit.UGM else 0)
        | fields.scope.code << 9
        | fields.flush.code << 12
        | 1 << 20
        | 1 << 25
    )
    return send(context, fields.unit.text, descriptor, context.header, returned=context.payload, fields={"no_mask": 1})


def signal(context: EmissionContext) -> NativeInstruction:
    """Returns the signal to the barrier of the work-group that the payload register names."""
    return send(context, "gtwy", _SIGNAL, context.payload, fields={"no_mask": 1})


def end_of_thread(context: EmissionContext) -> NativeInstruction:
    """Returns the message that ends the thread."""
    return send(context, "gtwy", _END, context.header, fields={"no_mask": 1, "exec_size": 3, "eot": 1})


def payload_load(context: EmissionContext, first: Register, dwords: int, address: Register) -> NativeInstruction:
    """Returns the load of a block of the launch's payload, from the offset that a register has."""
    return _PAYLOAD_LOADS[context.conventions.payload.unit](context, first, dwords, address)


def _surface_load(context: EmissionContext, first: Register, dwords: int, address: Register) -> NativeInstruction:
    registers = -(-4 * dwords // context.platform.grf_bytes)
    descriptor = (
        _ADDRESSES_OF_32_BITS | 2 << 9 | _VECTORS[dwords] << 12 | 1 << 15 | registers << 20 | 1 << 25 | _BINDING_TABLE
    )
    return send(context, "ugm", descriptor, address, returned=first, extended=_PAYLOAD_BLOCK, fields={"no_mask": 1})


def _data_port_load(context: EmissionContext, first: Register, dwords: int, address: Register) -> NativeInstruction:
    registers = -(-4 * dwords // context.platform.grf_bytes)
    block = _STATELESS | _OWORDS[dwords] << 8 | _ALIGNED_BLOCK << 14 | 1 << 19 | registers << 20 | 1 << 25
    return send(context, "dc0", block, address, returned=first, fields={"no_mask": 1, "exec_size": 3})


_PAYLOAD_LOADS = {"ugm": _surface_load, "dc0": _data_port_load}
"""The loads of the payload by the unit that they go to."""
