"""Legalization: instructions that the hardware lacks are replaced by those that it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.native.emission.legalization.carries import take_carry
from xegpu.isa.native.emission.legalization.comparisons import compare_by_halves, without_result
from xegpu.isa.native.emission.legalization.constants import narrow_constants
from xegpu.isa.native.emission.legalization.halves import logic_by_halves, select_by_halves
from xegpu.isa.native.emission.legalization.integer_quotients import divide_integers
from xegpu.isa.native.emission.legalization.interpolations import interpolate
from xegpu.isa.native.emission.legalization.packing import make_even, pack, widen_bytes
from xegpu.isa.native.emission.legalization.products import multiply, multiply_and_add, multiply_high
from xegpu.isa.native.emission.legalization.quotients import divide, shift_instead
from xegpu.isa.native.emission.legalization.regions import align_sources, copy_bits, resize, split
from xegpu.isa.native.emission.legalization.wide_integers import add_by_dwords, move_by_dwords, shift_by_dwords
from xegpu.isa.native.emission.words.context import EmissionContext
from xegpu.isa.native.encoding.instruction import NativeInstruction

Step = Instruction | NativeInstruction
Rule = Callable[[Instruction, EmissionContext], list[Step] | None]

RULES: tuple[Rule, ...] = (
    widen_bytes,
    interpolate,
    compare_by_halves,
    without_result,
    move_by_dwords,
    add_by_dwords,
    shift_by_dwords,
    logic_by_halves,
    select_by_halves,
    multiply_and_add,
    multiply,
    multiply_high,
    divide,
    shift_instead,
    divide_integers,
    take_carry,
    copy_bits,
    resize,
    pack,
    split,
    make_even,
    align_sources,
    narrow_constants,
)
"""The rules, of which the first that applies is applied; what it makes is legalized again."""


def legalized(instruction: Instruction, context: EmissionContext) -> Iterator[Step]:
    """Yields instructions that do what one does, each of which is one of the hardware."""
    for rule in RULES:
        found = rule(instruction, context)
        if found is not None:
            for step in found:
                if isinstance(step, NativeInstruction):
                    yield step
                else:
                    yield from legalized(step, context)
            return
    yield instruction
