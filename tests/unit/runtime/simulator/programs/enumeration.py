"""Every instruction that computes, with every legal combination of types: one example of each.

    for instruction in examples(BY_MNEMONIC["add"], PVC): ...

Sources are in registers from `FIRST_SOURCE` on, results go to `RESULT`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, product

from tests.unit.xegpu.isa.programs import dpas_types, is_legal
from xegpu.isa import (
    BY_MNEMONIC,
    Condition,
    ConditionModifier,
    DataType,
    Destination,
    Flag,
    Instruction,
    InstructionFormat,
    OpSpec,
    Predicate,
    SourceRegister,
)
from xegpu.isa.formats import GATHER_VECTORS
from xegpu.isa.model.messages import VECTOR_SIZES, AddressModel, AddressSize, BlockShape, DataSize, Message, Unit
from xegpu.isa.model.operands import CONTIGUOUS, NULL, grf
from xegpu.isa.model.table import Extra, MemoryAccessKind
from xegpu.isa.model.types import PACKED_IMMEDIATES
from xegpu.targets import Target

LANES = 4
FIRST_SOURCE, SOURCE_STEP = 4, 4
"""Source number k is in the registers from `FIRST_SOURCE + k * SOURCE_STEP` on."""

ADDRESSES, DATA, RESULT = 2, 20, 60

_COMPARED = ("cmp", "cmpn", "csel")
"""Instructions that cannot do without a condition."""


def examples(spec: OpSpec, target: Target) -> Iterator[Instruction]:
    """Legal instructions of a row of the table, one of each combination of types that the target has."""
    match spec.format:
        case InstructionFormat.ALU:
            return _alu(spec, target)
        case InstructionFormat.DPAS:
            return _dpas(target)
        case InstructionFormat.MESSAGE:
            return _messages(spec, target)
    raise ValueError(f"{spec.mnemonic} computes nothing")


def _alu(spec: OpSpec, target: Target) -> Iterator[Instruction]:
    types = [t for t in spec.types if t not in PACKED_IMMEDIATES]
    conditions = cycle([c for c in Condition if c is not Condition.UN])
    for written, *read in product(types, repeat=1 + spec.sources):
        sources = tuple(
            SourceRegister(grf(FIRST_SOURCE + SOURCE_STEP * index), type, CONTIGUOUS) for index, type in enumerate(read)
        )
        plain = Instruction(spec, LANES, destination=Destination(grf(RESULT), written), sources=sources)
        if spec.extra is Extra.TABLE:
            plain = replace(plain, table=0x96)
        if spec.extra is Extra.CARRY:
            plain = replace(plain, carry=grf(RESULT + 1))
        if spec.mnemonic in _COMPARED:
            plain = replace(plain, condition=ConditionModifier(next(conditions), None if spec.selects else Flag(1)))
        variants = [plain]
        if spec.mnemonic == "sel":
            limits = (ConditionModifier(condition, None) for condition in (Condition.LT, Condition.GE))
            variants = [replace(plain, predicate=Predicate(Flag(0))), *(replace(plain, condition=c) for c in limits)]
        if spec.saturate:
            variants += [replace(variant, saturate=True) for variant in variants]
        yield from (variant for variant in variants if is_legal(variant, target))


def _dpas(target: Target) -> Iterator[Instruction]:
    for d, c, b, a in dpas_types(target):
        yield Instruction(
            BY_MNEMONIC["dpas"],
            target.platform.dpas.execution_size,
            destination=Destination(grf(RESULT), d),
            sources=(SourceRegister(grf(20), c), SourceRegister(grf(30), b), SourceRegister(grf(40), a)),
            repeat=1,
        )
    yield Instruction(
        BY_MNEMONIC["dpas"],
        target.platform.dpas.execution_size,
        destination=Destination(grf(RESULT), DataType.F),
        sources=(
            SourceRegister(NULL, DataType.F),
            SourceRegister(grf(30), DataType.BF),
            SourceRegister(grf(40), DataType.BF),
        ),
        repeat=8,
    )


def _messages(spec: OpSpec, target: Target) -> Iterator[Instruction]:
    messages = _blocks(spec) if spec.block2d else _lanes(spec)
    for message in messages:
        single = message.transposed or message.block is not None
        instruction = Instruction(
            spec,
            1 if single else LANES,
            message=message,
            address=grf(ADDRESSES),
            returned=grf(RESULT) if spec.access in (MemoryAccessKind.LOAD, MemoryAccessKind.ATOMIC) else None,
            data=grf(DATA) if spec.sources else None,
        )
        if is_legal(instruction, target):
            yield instruction


def _lanes(spec: OpSpec) -> Iterator[Message]:
    places = (
        (Unit.UGM, AddressSize.A64, AddressModel.FLAT),
        (Unit.UGM, AddressSize.A32, AddressModel.SCRATCH),
        (Unit.SLM, AddressSize.A32, AddressModel.FLAT),
    )
    for (unit, address_size, model), size, vector, transposed in product(places, DataSize, VECTOR_SIZES, (False, True)):
        if transposed or spec.access is MemoryAccessKind.ATOMIC or vector in GATHER_VECTORS.get(size, ()):
            yield Message(unit, size, vector, transposed, address_size=address_size, model=model)


def _blocks(spec: OpSpec) -> Iterator[Message]:
    """Two shapes of each form: a small one, and one with as many blocks and rows as there may be."""
    shapes = (
        BlockShape(4, 4),
        BlockShape(8, 8),
        BlockShape(16, 3, 2),
        BlockShape(2, 8),
        BlockShape(5, 6),
        BlockShape(16, 32, 2),
        BlockShape(4, 8, 4),
    )
    for size, shape, (transposed, vnni) in product(DataSize, shapes, ((False, False), (True, False), (False, True))):
        yield Message(Unit.UGM, size, transposed=transposed, vnni=vnni, block=shape)
