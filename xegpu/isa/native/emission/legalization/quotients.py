"""Quotients and square roots: macros of the hardware, whose steps refine an estimate until it is correctly rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import FLAGS, Destination, Immediate, Register, RegisterFile
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization.parts import contiguous, copy_dword, is_scalar, plain
from xegpu.isa.native.emission.legalization.regions import halves_of_channels
from xegpu.isa.native.emission.words.context import ACCUMULATOR, EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC
from xegpu.on_demand import dataclass

_Steps = list[Instruction | NativeInstruction]


@dataclass(frozen=True)
class _Macro:
    """A math function that estimates `y0` from `a` and `b`, and the steps behind it.

    A step is a result, an addend and two factors. Registers are named by letters: `z` holds zero, and others constants.
    The digit is the place of the bits that a number has beyond its type. Of the sources of a step at most one is an
    accumulator (`e` and `r`), and not the last one.
    """

    function: int
    constants: Mapping[str, float]
    steps: tuple[str, ...]


_MACROS: Mapping[tuple[str, DataType], _Macro] = {
    ("div", DataType.F): _Macro(
        14,
        {"o": 1.0},
        ("q1 z a y0", "e2 o -b y0", "w3 y0 e2 y0", "e4 a -b q1", "q5 q1 e4 w3", "e6 a -b q5", "y q5 e6 w3"),
    ),
    ("div", DataType.DF): _Macro(
        14,
        {"o": 1.0},
        (
            *("q1 z a y0", "e2 o -b y0", "r3 a -b q1", "w4 y0 e2 y0", "f5 o -b w4"),
            *("y6 y0 e2 w4", "q7 q1 r3 w4", "w0 w4 y6 f5", "e1 a -b q7", "y q7 e1 w0"),
        ),
    ),
    ("sqrtm", DataType.F): _Macro(
        15,
        {"o": 0.5},
        ("w1 z o y0", "q2 z a y0", "e3 o -q2 w1", "w4 w1 e3 w1", "y5 q2 e3 q2", "r6 a -y5 y5", "y y5 w4 r6"),
    ),
    ("sqrtm", DataType.DF): _Macro(
        15,
        {"b": 0.5, "o": 1.0, "f": 1.5},
        (
            *("w1 z b y0", "q2 z a y0", "r3 b -q2 w1", "e5 o r3 f", "y6 z r3 q2"),
            *("y6 q2 e5 y6", "q7 z r3 w1", "w5 w1 e5 q7", "e1 a -y6 y6", "y y6 e1 w5"),
        ),
    ),
}
"""The macros and steps by instruction and type: those that Intel's compilers emit."""

_LANES = {DataType.F: 16, DataType.DF: 8}
"""The channels of which a register has the numbers."""

_LEAST_LANES = 8
_NO_PLACE = 8
"""The code of a number without bits beyond its type."""


def divide(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a quotient or a square root of floats in registers between, and its move to the result.

    The macro tells by a flag, which is put back, of which channels its estimate is the result: the steps leave these.
    Those of hf are computed in f, which has enough bits that rounding twice is rounding once.
    """
    destination = instruction.destination
    if instruction.mnemonic not in ("div", "sqrtm") or destination is None:
        return None
    types = {source.type for source in instruction.sources}
    type = DataType.DF if DataType.DF in types else DataType.F
    macro = _MACROS.get((instruction.mnemonic, type))
    if macro is None or not all(type.is_float for type in types):
        return None
    if not context.conventions.division_macros:
        platform = context.platform.title
        raise UnsupportedEmission(f"a correctly rounded '{instruction.mnemonic}' needs macros, which {platform} lacks")
    if types == {DataType.HF} and destination.type is not DataType.HF:
        raise UnsupportedEmission(f"'{instruction.mnemonic}' of hf with a result of another type")
    if instruction.condition is not None:
        raise UnsupportedEmission(f"'{instruction.mnemonic}' with a condition")
    if instruction.exec_size > _LANES[type]:
        return halves_of_channels(instruction, context)
    registers = _registers(context)
    lanes = max(_LEAST_LANES, instruction.exec_size)
    steps: _Steps = []
    for letter, source in zip("ab", instruction.sources, strict=False):
        is_same = isinstance(source, Immediate) or is_scalar(source, instruction.exec_size)
        count = lanes if is_same else instruction.exec_size
        steps.append(plain(instruction, "mov", Destination(registers[letter], type), source, lanes=count))
    for letter, value in {"z": 0.0, **macro.constants}.items():
        constant = Immediate.of(value, type)
        steps.append(plain(instruction, "mov", Destination(registers[letter], type), constant, lanes=lanes))
    flag, kept = Register(RegisterFile.ARF, FLAGS[context.flag.number].number), context.kept_flag
    result = contiguous(registers["y"], type, instruction.exec_size)
    moved = replace(
        plain(instruction, "mov", destination, result), predicate=instruction.predicate, saturate=instruction.saturate
    )
    return [
        *steps,
        copy_dword(instruction, kept, flag),
        _estimate(context, macro, type, lanes, registers, len(instruction.sources)),
        *(_step(context, text, type, lanes, registers) for text in macro.steps),
        copy_dword(instruction, flag, kept),
        moved,
    ]


def _registers(context: EmissionContext) -> Mapping[str, Register]:
    """Returns the registers by letter; moves of sources may use the first temporary, so that these are not there."""
    a, z, q, w = (context.temporary(number) for number in (1, 2, 3, 0))
    b, y, o, f = (replace(register, number=register.number + 1) for register in (a, z, q, w))
    third = replace(ACCUMULATOR, number=ACCUMULATOR.number + 2)
    return {"a": a, "b": b, "z": z, "y": y, "q": q, "o": o, "w": w, "f": f, "e": ACCUMULATOR, "r": third}


def _common(context: EmissionContext, lanes: int) -> dict[str, int]:
    return {
        "exec_size": lanes.bit_length() - 1,
        "no_mask": 1,
        "flag": context.flag.number,
        "flag_half": context.flag.half,
    }


def _location(name: str, register: Register, place: int) -> dict[str, int]:
    return {
        f"{name}.file": int(register.file is RegisterFile.GRF),
        f"{name}.reg": register.number,
        f"{name}.mme": place,
    }


def _estimate(
    context: EmissionContext, macro: _Macro, type: DataType, lanes: int, registers: Mapping[str, Register], sources: int
) -> NativeInstruction:
    """Returns the math function, which also sets the flag."""
    code = _CODES[type]
    fields = {**_common(context, lanes), "function": macro.function, "dst.type": code, "dst.stride": 1}
    fields |= _location("dst", registers["y"], 0)
    for index in range(sources):
        name = f"src{index}"
        fields |= {
            f"{name}.type": code,
            f"{name}.immediate": 0,
            f"{name}.vstride": 1,
            **_location(name, registers["ab"[index]], _NO_PLACE),
        }
    return NativeInstruction(context.platform, BY_MNEMONIC["math"], fields)


def _step(
    context: EmissionContext, text: str, type: DataType, lanes: int, registers: Mapping[str, Register]
) -> NativeInstruction:
    """Returns a step, for the channels without a result."""
    code = _CODES[type] - codes.FLOAT_TYPES
    fields = {**_common(context, lanes), "predicate": 1, "inverted": 1, "float": 1, "dst.stride": 0}
    for name, operand in zip(("dst", "src0", "src1", "src2"), text.split(), strict=True):
        letter, place = operand.lstrip("-")[0], operand.lstrip("-")[1:]
        fields |= {f"{name}.type": code, **_location(name, registers[letter], int(place or _NO_PLACE))}
        if name != "dst":
            fields |= {f"{name}.hstride": 1, f"{name}.modifier": 2 * operand.startswith("-")}
        if name in ("src0", "src1"):
            fields[f"{name}.vstride"] = 2
    return NativeInstruction(context.platform, BY_MNEMONIC["madm"], fields)


_CODES = {type: code for code, text in codes.TYPES.items() for type in _LANES if type.text == text}


def shift_instead(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a quotient of unsigned integers by a power of two as a shift."""
    if instruction.mnemonic != "div" or instruction.condition is not None or instruction.destination is None:
        return None
    dividend, divisor = instruction.sources
    if not isinstance(divisor, Immediate) or any(
        type.is_float or type.is_signed for type in (dividend.type, divisor.type)
    ):
        return None
    if divisor.bits.bit_count() != 1:
        return None
    count = Immediate.of(divisor.bits.bit_length() - 1, DataType.UW)
    shifted = plain(instruction, "shr", instruction.destination, dividend, count)
    return [replace(shifted, predicate=instruction.predicate)]
