"""Instructions to 128-bit words, and words to instructions."""

from __future__ import annotations

from functools import cache

from xegpu.isa.formats.parts.word import WORD_BYTES, DecodeError, Layout, Word, control_values, pack
from xegpu.isa.formats.spec import FORMATS, format_of
from xegpu.isa.formats.validation import check_form
from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.operands import Immediate
from xegpu.isa.model.table import BY_OPCODE, TABLE


def encode(instruction: Instruction) -> bytes:
    """Returns the one or two words of an instruction.

    Raises:
        EncodeError: A value does not fit its field.
        IllegalInstruction: The form of the instruction is wrong (`check_form`).

    """
    check_form(instruction)
    return encode_checked(instruction)


def encode_checked(instruction: Instruction) -> bytes:
    """Returns the same for an instruction whose form has been checked, by `check_form` or `validate`."""
    last = instruction.sources[-1] if instruction.sources else None
    immediate = last if isinstance(last, Immediate) else None
    format = format_of(instruction)
    layout = format.layout(instruction.spec, immediate is not None)
    assert layout is not None
    data = pack(layout, control_values(instruction) | format.encode(instruction)).to_bytes(WORD_BYTES, "little")
    if immediate is not None and immediate.type.bits == 64:
        data += immediate.bits.to_bytes(WORD_BYTES, "little")
    return data


def decode(data: bytes, offset: int = 0) -> Instruction:
    """Returns the instruction whose first word starts at byte `offset` of `data`; raises `DecodeError`."""
    left = max(len(data) - offset, 0)
    if left < WORD_BYTES:
        raise DecodeError(offset, f"{left} bytes are left, an instruction takes {WORD_BYTES}")
    word = Word(data, offset)
    opcode = word.get("opcode")
    function = 0
    shared = _shared_opcodes().get(opcode)
    if shared is not None:
        word.layout = shared
        function = word.get("function")
    spec = BY_OPCODE.get((opcode, function))
    if spec is None:
        word.fail(f"unknown opcode {opcode:#04x}" + (f" function {function:#04x}" if function else ""))
    instruction = FORMATS[spec.format].decode(word, spec)
    try:
        check_form(instruction)
    except IllegalInstruction as error:
        raise DecodeError(offset, str(error)) from None
    return instruction


@cache
def _shared_opcodes() -> dict[int, Layout]:
    """Returns the opcodes that instructions share, each with a layout whose field `function` tells them apart."""
    layouts = {spec.opcode: FORMATS[spec.format].layout(spec, False) for spec in TABLE}
    return {opcode: layout for opcode, layout in layouts.items() if layout is not None and "function" in layout}
