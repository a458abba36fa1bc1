"""Quotients and remainders of integers, from the reciprocal of the divisor that floats estimate.

The estimate is too small, by an error that steps of Newton's method make small enough: then the quotient is at most two
too small, which two more steps correct. No step needs a flag. For a divisor of zero they leave the dividend as the
remainder, as the virtual ISA does; the quotient, which is all ones then, is put in at the end.
"""

from __future__ import annotations

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Destination, Register
from xegpu.isa.model.semantics import computation_type
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization.dwords import dword, named_registers, results
from xegpu.isa.native.emission.legalization.parts import SIGN_SHIFT, WIDE_BITS, Source, contiguous, plain
from xegpu.isa.native.emission.legalization.regions import halves_of_channels
from xegpu.isa.native.emission.legalization.script import high_product, low_product, script
from xegpu.isa.native.emission.words.context import EmissionContext
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.on_demand import dataclass

_Steps = list[Instruction | NativeInstruction]
_QUOTIENT, _REMAINDER = "x", "a"
_RESULTS = {"div": _QUOTIENT, "mod": _REMAINDER}


@dataclass(frozen=True)
class _Method:
    """The texts for integers of so many dwords.

    `divide` gets the dividend in the dwords of `a` and the divisor in those of `b`, and leaves the quotient in `x` and
    the remainder in `a`. `negate` changes the sign of a result where `t` is all ones and not zero. `repair` sets the
    quotient of zeros.
    """

    dwords: int
    divide: str
    negate: str
    repair: str


_NARROW_STEP = """
    subb t a0 b0
    mov u carry
    add u u 0xFFFFFFFF
    and t b0 u
    add a0 a0 -t
    add x0 x0 -u
"""
"""Takes the divisor from the remainder if it fits."""

_NARROW = _Method(
    1,
    f"""
    mov x0:f b0
    math.inv x0:f x0:f
    mul x0:f x0:f 4294966784:f
    mov x0 x0:f
    mul t b0 x0
    mov t -t
    mulh t x0 t
    add x0 x0 t
    mulh x0 a0 x0
    mul t x0 b0
    add a0 a0 -t
    {2 * _NARROW_STEP}
    """,
    "xor {0}0 {0}0 t\nadd {0}0 {0}0 -t",
    "lzd t b0\nshr t t 5:uw\nmov t -t\nor x0 x0 t",
)

_REFINE = f"""
    {low_product("y", "b", "x")}
    not t y0
    not y1 y1
    addc t t 1
    mov y0 t
    add y1 y1 carry
    {high_product("x", "y")}
    addc t x0 t
    mov x0 t
    add x1 x1 carry
    add x1 x1 w
"""
"""Adds to the reciprocal what its product with the divisor lacks."""

_WIDE_STEP = """
    subb t a0 b0
    mov w carry
    subb t a1 b1
    mov h carry
    subb t t w
    or h h carry
    add h h 0xFFFFFFFF
    and t b0 h
    and u b1 h
    subb t a0 t
    mov a0 t
    add a1 a1 -carry
    add a1 a1 -u
    and h h 1
    addc t x0 h
    mov x0 t
    add x1 x1 carry
"""

_WIDE = _Method(
    2,
    f"""
    mov t b0
    mov t:f t
    mov u b1
    mov u:f u
    mad u:f u:f 4294967296:f t:f
    math.inv u:f u:f
    mul u:f u:f 18446739675663040512:f
    mul w:f u:f 0.00000000023283064365386962890625:f
    rndz w:f w:f
    mad u:f w:f -4294967296:f u:f
    mov x0 u:f
    mov w w:f
    mov x1 w
    {2 * _REFINE}
    {high_product("a", "x")}
    mov x0 t
    mov x1 w
    {low_product("y", "x", "b")}
    subb t a0 y0
    mov a0 t
    add a1 a1 -carry
    add a1 a1 -y1
    {2 * _WIDE_STEP}
    """,
    "xor u {0}0 t\nxor {0}1 {0}1 t\nshr t t 31:uw\naddc u u t\nmov {0}0 u\nadd {0}1 {0}1 carry",
    "or t b0 b1\nlzd t t\nshr t t 5:uw\nmov t -t\nor x0 x0 t\nor x1 x1 t",
)


def divide_integers(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns a quotient or a remainder of integers."""
    destination = instruction.destination
    if instruction.mnemonic not in _RESULTS or destination is None:
        return None
    type = computation_type(instruction)
    if type.is_float:
        return None
    if instruction.exec_size > context.platform.grf_bytes // type.size:
        return halves_of_channels(instruction, context)
    method = _WIDE if type.bits == WIDE_BITS else _NARROW
    registers = named_registers(context)
    dividend, divisor = instruction.sources
    result = _RESULTS[instruction.mnemonic]
    steps: _Steps = []
    for name, source in (("a", dividend), ("b", divisor)):
        for number in range(method.dwords):
            steps.append(dword(instruction, Destination(registers[f"{name}{number}"], DataType.UD), source, number))
        if type.is_signed:
            steps += _sign(instruction, registers["t"], source, method)
            steps += script(instruction, registers, method.negate.format(name))
    steps += script(instruction, registers, method.divide)
    if type.is_signed:
        steps += _sign(instruction, registers["t"], dividend, method)
        if result == _QUOTIENT:
            steps += _sign(instruction, registers["u"], divisor, method)
            steps += script(instruction, registers, "xor t t u")
        steps += script(instruction, registers, method.negate.format(result))
    if result == _QUOTIENT:
        steps += script(instruction, registers, method.repair)
    parts = [registers[f"{result}{number}"] for number in range(method.dwords)]
    return [*steps, *results(instruction, destination, parts)]


def _sign(like: Instruction, target: Register, source: Source, method: _Method) -> list[Instruction]:
    """Returns instructions that make all ones of the negative numbers of a source, and zero of others."""
    top = Destination(target, DataType.UD)
    value = contiguous(target, DataType.D, like.exec_size)
    return [
        dword(like, top, source, method.dwords - 1),
        plain(like, "asr", Destination(target, DataType.D), value, SIGN_SHIFT),
    ]
