"""Instructions that compute, as native words: one for one, with operands that the hardware takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xegpu.isa.model.instruction import Combination, Instruction, Predicate
from xegpu.isa.model.operands import VXH, Destination, Flag, Immediate, Region, Register, RegisterFile, SourceRegister
from xegpu.isa.model.types import PACKED_AS, DataType
from xegpu.isa.native.emission.words.context import UnsupportedEmission
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.encoding import NativeEncoding
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC, NativeOpcode, Part
from xegpu.isa.native.platforms import encoding_of
from xegpu.targets import Platform

_TYPES = {text: code for code, text in codes.TYPES.items()} | {text: code for code, text in codes.PACKED_TYPES.items()}
_CONDITIONS = {text: code for code, text in codes.CONDITIONS.items()}
_BFN_CONDITIONS = {text: code for code, text in codes.BFN_CONDITIONS.items()}
_FUNCTIONS = {text: code for code, text in codes.MATH_FUNCTIONS.items()}
_PRECISIONS = {text: code for table in codes.PRECISIONS.values() for code, text in table.items()}
_STRIDES = {stride: code for code, stride in codes.STRIDES.items()}
_WIDTHS = {width: code for code, width in codes.WIDTHS.items()}
_VERTICAL = {stride: code for code, stride in codes.VERTICAL_STRIDES.items()}
_VERTICAL_3 = {stride: code for code, stride in codes.VERTICAL_STRIDES_3.items()}
_COMBINATIONS = {Combination.NONE: 1, Combination.ANY: 2, Combination.ALL: 3}
_DEPTH = 3
"""The code of the eight steps of a matrix product."""

_HALF = 0xFFFF
_THREE = (NativeForm.THREE, NativeForm.BFN, NativeForm.MADM)

Fields = dict[str, int]


def computation(platform: Platform, instruction: Instruction) -> NativeInstruction:
    """Returns the native word of an instruction whose operands are legal. Raises `UnsupportedEmission`."""
    mnemonic, _, function = instruction.mnemonic.partition(".")
    opcode, encoding = BY_MNEMONIC.get(mnemonic), encoding_of(platform)
    if opcode is None or not encoding.has(opcode):
        raise UnsupportedEmission(f"'{instruction.mnemonic}' has no native instruction")
    fields = {**_channels(encoding, instruction), **_flags(opcode, instruction)}
    if instruction.destination is None:
        raise UnsupportedEmission(f"'{instruction.mnemonic}' has no destination")
    if instruction.carry is not None and encoding.has_field(opcode.form, "acc_write"):
        fields["acc_write"] = 1
    if opcode.form is NativeForm.MATH:
        fields["function"] = _FUNCTIONS[function]
    if opcode.form is NativeForm.BFN:
        fields["table"] = instruction.table
    if opcode.form is NativeForm.DPAS:
        return NativeInstruction(platform, opcode, fields | _matrix_product(instruction.destination, instruction))
    sources = instruction.sources
    if mnemonic == "mad":
        *factors, addend = sources
        sources = (addend, *factors)
    if opcode.form in _THREE:
        fields |= _three(opcode, instruction.destination, sources)
    else:
        fields |= _destination(instruction.destination)
        for index, source in enumerate(sources):
            fields |= _source(encoding, f"src{index}", source)
    return NativeInstruction(platform, opcode, fields)


def _channels(encoding: NativeEncoding, instruction: Instruction) -> Fields:
    return {
        "exec_size": instruction.exec_size.bit_length() - 1,
        "channel_offset": instruction.channel_offset // encoding.channels_per_offset,
        "no_mask": int(instruction.no_mask),
    }


def _flags(opcode: NativeOpcode, instruction: Instruction) -> Fields:
    fields: Fields = predicate_fields(instruction.predicate)
    if instruction.saturate:
        if Part.SATURATE not in opcode.parts:
            raise UnsupportedEmission(f"'{instruction.mnemonic}' does not saturate")
        fields["saturate"] = 1
    modifier = instruction.condition
    if modifier is None:
        return fields
    names = _BFN_CONDITIONS if opcode.form is NativeForm.BFN else _CONDITIONS
    if modifier.condition.text not in names:
        raise UnsupportedEmission(f"'{instruction.mnemonic}' has no condition {modifier.condition.text}")
    fields["condition"] = names[modifier.condition.text]
    if modifier.flag is not None:
        flag = _flag_fields(modifier.flag)
        if instruction.predicate is not None and instruction.predicate.flag != modifier.flag:
            raise UnsupportedEmission("a predicate and a condition in different flags")
        fields |= flag
    return fields


def predicate_fields(predicate: Predicate | None) -> Fields:
    """Returns the fields of a predicate."""
    if predicate is None:
        return {}
    return {
        "predicate": _COMBINATIONS[predicate.combination],
        "inverted": int(predicate.inverted),
        **_flag_fields(predicate.flag),
    }


def _flag_fields(flag: Flag) -> Fields:
    return {"flag": flag.number, "flag_half": flag.half}


def _type(type: DataType) -> int:
    if type.text not in _TYPES:
        raise UnsupportedEmission(f"type {type.text} has no native form")
    return _TYPES[type.text]


def _location(name: str, register: Register) -> Fields:
    if register.file is RegisterFile.INDIRECT:
        raise UnsupportedEmission("registers by address")
    return {
        f"{name}.file": int(register.file is RegisterFile.GRF),
        f"{name}.reg": register.number,
        f"{name}.subreg": register.byte,
    }


def _destination(destination: Destination) -> Fields:
    return {
        "dst.type": _type(destination.type),
        "dst.stride": _STRIDES[destination.stride],
        **_location("dst", destination.register),
    }


def _immediate(name: str, immediate: Immediate) -> Fields:
    bits = immediate.bits
    if immediate.type.bits == 16 and immediate.type not in PACKED_AS:
        bits |= bits << 16
    return {f"{name}.immediate": 1, f"{name}.type": _type(immediate.type), f"{name}.imm": bits}


def _source(encoding: NativeEncoding, name: str, source: SourceRegister | Immediate) -> Fields:
    if isinstance(source, Immediate):
        return _immediate(name, source)
    return {
        f"{name}.type": _type(source.type),
        f"{name}.modifier": _modifier(source),
        **_region(encoding, name, source.region),
        **_source_location(encoding, name, source.register),
    }


def _source_location(encoding: NativeEncoding, name: str, register: Register) -> Fields:
    if register.file is not RegisterFile.INDIRECT:
        return _location(name, register)
    offset = register.byte & ((1 << encoding.address_bits) - 1)
    return {f"{name}.indirect": 1, f"{name}.addr_reg": register.number, f"{name}.addr_offset": offset}


def _modifier(source: SourceRegister) -> int:
    return source.absolute | source.negate << 1


def _region(encoding: NativeEncoding, name: str, region: Region) -> Fields:
    vertical = encoding.indirect_rows if region.vertical == VXH else _VERTICAL.get(region.vertical)
    if vertical is None or region.width not in _WIDTHS or region.horizontal not in _STRIDES:
        raise UnsupportedEmission(f"region <{region.vertical};{region.width},{region.horizontal}>")
    return {
        f"{name}.vstride": vertical,
        f"{name}.width": _WIDTHS[region.width],
        f"{name}.hstride": _STRIDES[region.horizontal],
    }


# Three sources -------------------------------------------------------------------------------------------------------


def _three(opcode: NativeOpcode, destination: Destination, sources: Sequence[SourceRegister | Immediate]) -> Fields:
    if destination.stride not in (1, 2):
        raise UnsupportedEmission(f"'{opcode.mnemonic}' with a stride of {destination.stride} in its destination")
    types = {"dst": destination.type, **{f"src{index}": source.type for index, source in enumerate(sources)}}
    fields = _three_types(types)
    fields |= {"dst.stride": destination.stride - 1, **_location("dst", destination.register)}
    last = len(sources) - 1
    for index, source in enumerate(sources):
        name = f"src{index}"
        if isinstance(source, Immediate):
            if index == 1 or source.type.bits != 16:
                raise UnsupportedEmission(f"'{opcode.mnemonic}' with the constant {source.value()} as {name}")
            fields |= {f"{name}.immediate": 1, f"{name}.imm": source.bits & _HALF}
            continue
        fields |= _location(name, source.register)
        if opcode.form is not NativeForm.BFN:
            fields[f"{name}.modifier"] = _modifier(source)
        stride = source.region.vertical
        if source.region.width != 1 or (index < last and stride not in _VERTICAL_3) or stride not in (0, 1, 2, 4, 8):
            raise UnsupportedEmission(f"'{opcode.mnemonic}' with a region of rows as {name}")
        fields |= {f"{name}.hstride": _STRIDES[stride]} if index == last else {f"{name}.vstride": _VERTICAL_3[stride]}
    return fields


def _three_types(types: Mapping[str, DataType]) -> Fields:
    """Returns the types of operands, which all are floats or none."""
    all_codes = {name: _type(type) for name, type in types.items()}
    floats = {code >= codes.FLOAT_TYPES for code in all_codes.values()}
    if len(floats) > 1:
        raise UnsupportedEmission("three sources of floats and integers")
    (is_float,) = floats
    return {
        "float": int(is_float),
        **{f"{name}.type": code - codes.FLOAT_TYPES * is_float for name, code in all_codes.items()},
    }


def _matrix_product(destination: Destination, instruction: Instruction) -> Fields:
    accumulator, wide, tall = instruction.sources
    if isinstance(accumulator, Immediate) or isinstance(wide, Immediate) or isinstance(tall, Immediate):
        raise UnsupportedEmission("a matrix product with a constant")
    is_float = destination.type.is_float
    base = codes.FLOAT_TYPES * is_float
    return {
        "float": int(is_float),
        "dst.type": _type(destination.type) - base,
        "src0.type": _type(accumulator.type) - base,
        "src1.precision": _PRECISIONS[wide.type.text],
        "src2.precision": _PRECISIONS[tall.type.text],
        "repeat": instruction.repeat - 1,
        "depth": _DEPTH,
        **_location("dst", destination.register),
        **_location("src0", accumulator.register),
        **_location("src1", wide.register),
        **_location("src2", tall.register),
    }
