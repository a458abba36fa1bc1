"""Rules of atomic messages."""

from __future__ import annotations

from xegpu.isa.formats.parts.rules import check_type, fail
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import AddressModel, DataSize, Message, Unit
from xegpu.isa.model.table import OpSpec
from xegpu.isa.model.types import DataType
from xegpu.targets import Target

ATOMIC_DATA = (DataSize.D16U32, DataSize.D32, DataSize.D64)
"""Element sizes of atomics."""

_SLM_64 = frozenset({"atomic_icas"})
"""Atomics on 64 bits that shared local memory has."""

_UGM_ONLY = frozenset({"atomic_fadd", "atomic_fsub"})
"""Atomics that shared local memory lacks."""


def atomic_type(spec: OpSpec, unit: Unit, size: DataSize) -> DataType | None:
    """Returns the type that an atomic works in; None if the unit does not have it for elements of that size."""
    if size not in ATOMIC_DATA:
        return None
    if unit is Unit.SLM:
        large = size is DataSize.D64 and spec.mnemonic in _SLM_64
        if spec.mnemonic in _UGM_ONLY or not (large or size is DataSize.D32):
            return None
    return spec.atomic_type(size.memory_bytes)


def check_atomic(instruction: Instruction, message: Message, target: Target) -> None:
    """Raises `IllegalInstruction` unless a target has the atomic."""
    if message.transposed or message.vnni or message.vector != 1 or message.model is not AddressModel.FLAT:
        fail(instruction, "an atomic has one element for each channel, at flat addresses")
    computed = atomic_type(instruction.spec, message.unit, message.data_size)
    if computed is None:
        fail(instruction, f"{message.unit.text} has no such atomic on {message.data_size.text}")
    check_type(instruction, computed, target)
