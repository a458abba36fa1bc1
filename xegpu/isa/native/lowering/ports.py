"""Messages to the legacy data ports, `dc0` and `dc1`, which Xe-HPG uses for memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import AddressModel, AddressSize, DataSize, Message, Unit
from xegpu.isa.model.operands import SCALAR, Destination, Immediate, Register, SourceRegister, grf
from xegpu.isa.model.table import BY_MNEMONIC
from xegpu.isa.model.types import DataType
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.lowering.accesses import (
    bits,
    gather,
    in_bindless_surface,
    in_surface,
    lane_registers,
    memory_access,
    payload_behind,
    untagged,
)
from xegpu.isa.native.lowering.context import LoweringContext, UnsupportedInstruction
from xegpu.isa.native.lowering.images import TYPED_READ, TYPED_WRITE, lower_typed

_LOCAL, _BINDINGS = 0xFE, 0xF0
"""The number of the surface that is shared local memory, and the first one that no binding table has."""

_BINDLESS = 0xFC
"""The number that stands for a surface whose offset among all is in `a0`."""

_BYTES = {0: DataSize.D8U32, 1: DataSize.D16U32, 2: DataSize.D32}
_ELEMENTS = {0: 1, 1: 2, 2: 4, 3: 8}
_OWORDS = {0: 1, 2: 2, 3: 4, 4: 8, 5: 16}
_HWORDS = {0: 2, 1: 4, 2: 8, 3: 16}
"""Lengths of blocks in units of 16 bytes, by their codes."""

_OWORD_DWORDS, _OWORD_BITS = 4, 4
"""The dwords of such a unit, and the bits of the offset in it."""

_COUNTED_IN_OWORDS = frozenset({("dc0", 0x00), ("dc0", 0x08)})
"""The messages whose offset counts such units; that of others counts bytes."""

_UNTYPED = frozenset({0x01, 0x09, 0x11, 0x19})
"""The types of messages to `dc1` that move components, some of which may be switched off."""

_INTEGER_ATOMICS: Mapping[int, str] = {
    1: "and",
    2: "or",
    3: "xor",
    4: "store",
    5: "iinc",
    6: "idec",
    7: "iadd",
    8: "isub",
    10: "smax",
    11: "smin",
    12: "umax",
    13: "umin",
    14: "icas",
}
_FLOAT_ATOMICS: Mapping[int, str] = {1: "fmax", 2: "fmin", 3: "fcas", 4: "fadd", 5: "fsub", 6: "fadd", 7: "fsub"}
_DOUBLES = frozenset({6, 7})
"""The atomics of the data ports by operation, and those of them on doubles."""

_SCRATCH_UNIT = 32
"""The bytes in which blocks of scratch space are counted."""


def lower_port(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns what stands for a message to a legacy data port."""
    descriptor, unit = instruction["desc"], codes.UNITS[instruction["unit"]]
    if unit == "dc0" and bits(descriptor, 18, 18):
        return _scratch_block(instruction, context)
    kind = unit, bits(descriptor, 18, 14)
    if kind in (("dc1", TYPED_READ), ("dc1", TYPED_WRITE)):
        return lower_typed(instruction, context)
    found = _access_of(kind, descriptor)
    if found is None:
        raise UnsupportedInstruction(f"messages {descriptor:#x} to '{unit}' are not supported")
    mnemonic, message, surface = found
    header = bits(descriptor, 19, 19)
    spec = BY_MNEMONIC[mnemonic]
    if message.transposed:
        # The header has an address in its first quadword, or an offset in its third dword.
        offset = grf(instruction["src0.reg"], 0 if surface is None else 8)
        data = payload_behind(instruction, 1)
    else:
        offset = grf(instruction["src0.reg"] + header)
        addresses = lane_registers(instruction, message.address_size.size if surface is None else 4, context)
        data = payload_behind(instruction, header + addresses)
    if surface is None:
        if offset.byte % context.grf_bytes:
            raise UnsupportedInstruction(f"messages {descriptor:#x} to '{unit}' are not supported")
        return _components(instruction, memory_access(instruction, spec, message, offset, data), context)
    scaling = []
    if kind in _COUNTED_IN_OWORDS:
        scaling = [_in_bytes(offset, context)]
        offset = context.temporary(1)
    if surface == _LOCAL:
        place = untagged(instruction, message, offset, context.temporary())
    elif surface == _BINDLESS and instruction["ex_desc.indirect"]:
        place = in_bindless_surface(instruction, message, offset, context)
    elif surface < _BINDINGS:
        place = in_surface(instruction, message, offset, surface, context)
    else:
        raise UnsupportedInstruction(f"messages to surface {surface:#x} are not supported")
    access = memory_access(instruction, spec, message, context.temporary(), data)
    return *scaling, place, *_components(instruction, access, context)


def _in_bytes(offset: Register, context: LoweringContext) -> Instruction:
    """Returns the multiplication of an offset in units of 16 bytes, in a temporary."""
    return Instruction(
        BY_MNEMONIC["shl"],
        no_mask=True,
        destination=Destination(context.temporary(1), DataType.UD),
        sources=(SourceRegister(offset, DataType.UD, SCALAR), Immediate(DataType.UW, _OWORD_BITS)),
    )


def _components(
    instruction: NativeInstruction, access: Instruction, context: LoweringContext
) -> tuple[Instruction, ...]:
    """Returns an access to each run of components that are not switched off; they follow each other in registers."""
    descriptor, message = instruction["desc"], access.message
    if codes.UNITS[instruction["unit"]] != "dc1" or bits(descriptor, 18, 14) not in _UNTYPED or message is None:
        return (access,)
    enabled = [component for component in range(4) if not bits(descriptor, 11, 8) >> component & 1]
    runs: list[list[int]] = []
    for component in enabled:
        if component - 1 in enabled:
            runs[-1].append(component)
        else:
            runs.append([component])
    if not enabled or (len(runs) > 1 and access.address != context.temporary()):
        raise UnsupportedInstruction(f"messages {descriptor:#x} to 'dc1' are not supported")
    each = lane_registers(instruction, DataSize.D32.register_bytes, context)
    found = []
    for run in runs:
        behind = each * enabled.index(run[0])
        part = replace(message, vector=len(run), offset=run[0] * DataSize.D32.memory_bytes)
        returned, data = (
            None if register is None else grf(register.number + behind) for register in (access.returned, access.data)
        )
        found.append(replace(access, message=part, returned=returned, data=data))
    return tuple(found)


def _access_of(kind: tuple[str, int], descriptor: int) -> tuple[str, Message, int | None] | None:
    """Returns the operation, its message and the number of its surface, None for 64-bit addresses.

    None alone stands for a message that is not supported.
    """
    surface = bits(descriptor, 7, 0)
    unit = Unit.SLM if surface == _LOCAL else Unit.UGM
    match kind:
        case ("dc1", type) if type in _UNTYPED:
            is_wide = bool(type & 0x10)
            message = gather(Unit.UGM if is_wide else unit, DataSize.D32)
            return "store" if type & 8 else "load", message, None if is_wide else surface
        case ("dc1", 0x10 | 0x1A as type):
            return _wide_gather("store" if type & 8 else "load", descriptor)
        case ("dc1", 0x14 | 0x15 as type):
            subtype, length = bits(descriptor, 12, 11), bits(descriptor, 10, 8)
            owords = (_HWORDS if subtype == 3 else _OWORDS).get(length)
            return _block("store" if type & 1 else "load", Unit.UGM, owords, None)
        case ("dc0", 0x00 | 0x01 | 0x08 | 0x09 as type):
            is_wide = (type == 0x01 and bool(bits(descriptor, 13, 13))) or type == 0x09
            owords = (_HWORDS if is_wide else _OWORDS).get(bits(descriptor, 10, 8))
            return _block("store" if type & 8 else "load", unit, owords, surface)
        case ("dc0", 0x04 | 0x0C as type):
            size = _BYTES.get(bits(descriptor, 11, 10))
            return None if size is None else ("store" if type & 8 else "load", gather(unit, size), surface)
        case ("dc1", 0x02 | 0x1B as type):
            return _atomic(type == 0x1B, bits(descriptor, 11, 8), DataSize.D32, unit, surface)
        case ("dc1", 0x12 | 0x1D as type):
            size = DataSize.D64 if type == 0x12 and bits(descriptor, 12, 12) else DataSize.D32
            return _atomic(type == 0x1D, bits(descriptor, 11, 8), size, Unit.UGM, None)
    return None


def _wide_gather(mnemonic: str, descriptor: int) -> tuple[str, Message, int | None] | None:
    """Returns a gather or scatter of bytes, dwords or qwords at 64-bit addresses."""
    code = bits(descriptor, 11, 10)
    match bits(descriptor, 9, 8):
        case 0 if code in _BYTES:
            return mnemonic, gather(Unit.UGM, _BYTES[code]), None
        case 1:
            return mnemonic, gather(Unit.UGM, DataSize.D32, _ELEMENTS[code]), None
        case 2:
            return mnemonic, gather(Unit.UGM, DataSize.D64, _ELEMENTS[code]), None
    return None


def _block(
    mnemonic: str, unit: Unit, owords: int | None, surface: int | None
) -> tuple[str, Message, int | None] | None:
    if owords is None:
        return None
    return mnemonic, gather(unit, DataSize.D32, owords * _OWORD_DWORDS, transposed=True), surface


def _atomic(
    is_float: bool, operation: int, size: DataSize, unit: Unit, surface: int | None
) -> tuple[str, Message, int | None] | None:
    if is_float:
        operation &= 7
        size = DataSize.D64 if operation in _DOUBLES else size
    name = (_FLOAT_ATOMICS if is_float else _INTEGER_ATOMICS).get(operation)
    return None if name is None else (f"atomic_{name}", gather(unit, size, aligned=True), surface)


def _scratch_block(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a load or store of a block of scratch space, with its offset in a register."""
    descriptor = instruction["desc"]
    words = _SCRATCH_UNIT // 4 << bits(descriptor, 13, 12)
    message = Message(
        Unit.UGM, DataSize.D32, words, True, address_size=AddressSize.A32, model=AddressModel.SCRATCH, aligned=False
    )
    offset = Instruction(
        BY_MNEMONIC["mov"],
        no_mask=True,
        destination=Destination(context.temporary(), DataType.UD),
        sources=(Immediate(DataType.UD, bits(descriptor, 11, 0) * _SCRATCH_UNIT),),
    )
    spec = BY_MNEMONIC["store" if bits(descriptor, 17, 17) else "load"]
    data = payload_behind(instruction, 1)
    return offset, memory_access(instruction, spec, message, context.temporary(), data)
