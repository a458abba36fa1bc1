"""Arithmetic operations of instructions, and the peak rates of a device, for rooflines."""

from __future__ import annotations

from xegpu.isa import DataType, Instruction
from xegpu.isa.formats import operations_per_channel
from xegpu.isa.model import MATH_OPCODE
from xegpu.targets import Target

_OPERATIONS = {"add": 1, "mul": 1, "mad": 2, "div": 1, "sqrtm": 1, "pow": 1, "lrp": 3, "frc": 1}
"""Operations of float instructions by mnemonic; those that only move, round or compare have none."""

Precision = tuple[str, DataType]
"""The unit, `dpas` or `vector`, and the type of its inputs."""


def channel_operations(instruction: Instruction, target: Target) -> tuple[Precision, int] | None:
    """Returns the operations of an enabled channel of an instruction, and their precision; None without arithmetic.

    Products and sums count one each. Integer arithmetic outside of the matrix engine is assumed to compute addresses.
    """
    if instruction.spec.is_matrix_product:
        b, a = instruction.sources[1].type, instruction.sources[2].type
        depth = target.platform.matrix_engine.depth * operations_per_channel(b, a)
        return ("dpas", max((a, b), key=lambda type: type.bits)), 2 * instruction.repeat * depth
    if not instruction.spec.computes:
        return None
    count = 1 if instruction.spec.opcode == MATH_OPCODE else _OPERATIONS.get(instruction.mnemonic, 0)
    types = [source.type for source in instruction.sources if source.type.is_float]
    return (("vector", max(types, key=lambda type: type.bits)), count) if count and types else None


def peak_operations(precision: Precision, target: Target) -> float:
    """Returns the operations per second of the whole device, all EUs busy with products and sums of that precision."""
    unit, type = precision
    timing = target.timing
    if unit == "dpas":
        products = (
            target.platform.matrix_engine.execution_size
            * target.platform.matrix_engine.depth
            * operations_per_channel(type, type)
        )
        per_cycle = 2 * products / timing.dpas_cycles_per_row
    else:
        rate = timing.float64_bytes if type is DataType.DF else timing.alu_bytes
        per_cycle = 2 * rate / type.size
    return per_cycle * target.eus * target.core_clock_mhz * 1e6
