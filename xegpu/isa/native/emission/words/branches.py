"""Branches as native words, whose distances are filled in later."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.native.emission.words.computations import predicate_fields
from xegpu.isa.native.emission.words.context import UnsupportedEmission
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC
from xegpu.isa.native.platforms import encoding_of
from xegpu.targets import Platform

_BACK = ".b"


def branch(platform: Platform, instruction: Instruction) -> NativeInstruction:
    """Returns a jump, `goto` or `join` without distances."""
    mnemonic = instruction.mnemonic.removesuffix(_BACK)
    opcode = BY_MNEMONIC.get(mnemonic)
    flow = instruction.spec.flow
    if opcode is None or not opcode.is_branch or flow.calls or flow.returns:
        raise UnsupportedEmission(f"'{instruction.mnemonic}' has no native instruction")
    fields = {"src0.immediate": 1, **predicate_fields(instruction.predicate)}
    if opcode.form is NativeForm.BRANCH:
        fields |= {"src1.immediate": 1, "back": int(instruction.mnemonic.endswith(_BACK))}
    return NativeInstruction(
        platform,
        opcode,
        {
            **fields,
            "exec_size": instruction.exec_size.bit_length() - 1,
            "channel_offset": instruction.channel_offset // encoding_of(platform).channels_per_offset,
            "no_mask": int(instruction.no_mask),
        },
    )


def distance_fields(opcode_form: NativeForm, instruction: Instruction) -> Mapping[str, int]:
    """Returns the distances of a branch of the model by the field that holds them natively."""
    far = "uip" if opcode_form is NativeForm.BRANCH else "jip"
    found = {}
    if "target" in instruction.spec.flow.distances:
        found[far] = instruction.target
    if "join" in instruction.spec.flow.distances:
        found["jip"] = instruction.join
    return found
