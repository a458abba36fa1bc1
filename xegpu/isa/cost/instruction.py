"""What one instruction costs: the pipe that it occupies, and when its results can be used."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xegpu.isa.cost.traffic import Traffic, TrafficSpace, traffic
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import Unit
from xegpu.isa.model.operands import VXH, Immediate, SourceRegister
from xegpu.isa.model.semantics import computation_type
from xegpu.isa.model.table import MATH_OPCODE, InstructionFormat, MemoryAccessKind
from xegpu.isa.model.types import PACKED_IMMEDIATES, DataType
from xegpu.targets import ExecutionTiming, Target

_PRODUCTS = frozenset({"mul", "mad"})


class Pipe(Enum):
    """What executes instructions; each pipe of an EU takes one instruction at a time."""

    INTEGER = "integer"
    FLOAT = "float"
    LONG = "long"
    MATH = "math"
    DPAS = "dpas"
    SEND = "send"
    CONTROL = "control"


@dataclass(frozen=True, slots=True)
class InstructionCost:
    """Cycles: the pipe is taken for `occupancy`; results can be read `latency` after the issue.

    The next instruction of the thread is issued `stall` cycles later than it could be.
    """

    pipe: Pipe
    occupancy: int = 1
    latency: int = 0
    stall: int = 0


def instruction_cost(instruction: Instruction, target: Target) -> InstructionCost:
    """The cost of an instruction with all channels on, whose operands are at hand."""
    timing = target.timing
    match instruction.spec.format:
        case InstructionFormat.ALU:
            return _alu(instruction, timing)
        case InstructionFormat.DPAS:
            return _dpas(instruction, target)
        case InstructionFormat.MESSAGE | InstructionFormat.IMAGE:
            return _message(instruction, timing)
        case InstructionFormat.FENCE:
            is_slm = instruction.fence is not None and instruction.fence.unit is Unit.SLM
            return InstructionCost(Pipe.SEND, stall=timing.slm_fence if is_slm else timing.fence)
        case InstructionFormat.BARRIER:
            return InstructionCost(Pipe.SEND, stall=timing.barrier_latency if instruction.spec.waits else 0)
        case (
            InstructionFormat.BRANCH
            | InstructionFormat.GOTO
            | InstructionFormat.CALL
            | InstructionFormat.INDIRECT_CALL
            | InstructionFormat.RETURN
        ):
            return InstructionCost(Pipe.CONTROL, stall=timing.branch_latency if is_taken(instruction) else 0)
    return InstructionCost(Pipe.CONTROL, stall=timing.launch if instruction.ends_thread else 0)


def is_taken(jump: Instruction) -> bool:
    """Whether a jump is taken to be: those without a predicate, and those back to the start of a loop."""
    return jump.predicate is None or jump.target <= 0


def _alu(instruction: Instruction, timing: ExecutionTiming) -> InstructionCost:
    size = instruction.exec_size
    types = [source.type for source in instruction.sources if source.type not in PACKED_IMMEDIATES]
    if instruction.destination is not None and not instruction.destination.register.is_null:
        types.append(instruction.destination.type)
    pipe, rate = _pipe(types, timing)
    occupancy = -(-size * max((type.size for type in types), default=DataType.UW.size) // rate)
    if any(isinstance(s, SourceRegister) and s.region.vertical == VXH for s in instruction.sources):
        occupancy = max(occupancy, size)
    latency = timing.by_size(timing.alu_latency, size)
    math_occupancy = timing.math_occupancy * occupancy
    math_latency = timing.by_size(timing.math_latency, size)
    if instruction.spec.opcode == MATH_OPCODE:
        return InstructionCost(Pipe.MATH, math_occupancy, math_latency)
    if (emulation := timing.emulations.get(instruction.mnemonic)) is not None:
        return InstructionCost(
            Pipe.MATH if emulation.math else pipe,
            emulation.math * math_occupancy + emulation.alu * occupancy,
            emulation.math * math_latency + emulation.alu * occupancy + latency,
        )
    steps = _steps(instruction, timing)
    return InstructionCost(pipe, steps * occupancy, steps * latency)


def _pipe(types: list[DataType], timing: ExecutionTiming) -> tuple[Pipe, int]:
    """The pipe for operands of some types, and its rate."""
    if DataType.DF in types:
        return Pipe.LONG, timing.float64_bytes
    if DataType.Q in types or DataType.UQ in types:
        return Pipe.LONG, timing.int64_bytes
    return Pipe.FLOAT if any(type.is_float for type in types) else Pipe.INTEGER, timing.alu_bytes


def _steps(instruction: Instruction, timing: ExecutionTiming) -> int:
    """Native instructions: products of wide integers take several, and the sum behind them one more."""
    if instruction.mnemonic not in _PRODUCTS or computation_type(instruction).is_float:
        return 1
    bits = min(_width(source) for source in instruction.sources[:2])
    steps = timing.by_size(timing.integer_products, bits)
    return steps + (1 if steps > 1 and instruction.spec.sources == 3 else 0)


def _width(factor: SourceRegister | Immediate) -> int:
    """Bits that a factor has, constants as many as they need."""
    value = factor.value() if isinstance(factor, Immediate) else None
    return factor.type.bits if not isinstance(value, int) else value.bit_length() + (value < 0)


def _dpas(instruction: Instruction, target: Target) -> InstructionCost:
    timing, rows = target.timing, instruction.repeat
    first, last = timing.dpas_latency
    latency = first + (last - first) * (rows - 1) // (target.dpas.max_repeat - 1)
    return InstructionCost(Pipe.DPAS, rows * timing.dpas_cycles_per_row, latency)


def _message(instruction: Instruction, timing: ExecutionTiming) -> InstructionCost:
    moved = traffic(instruction)
    if moved is None:
        return InstructionCost(Pipe.SEND)
    rate = timing.slm_bytes if moved.space is TrafficSpace.SLM else timing.line_bytes
    occupancy = -(-moved.bytes // rate)
    match moved.access:
        case MemoryAccessKind.LOAD:
            is_sample = instruction.image is not None and instruction.image.unit is Unit.SAMPLER
            latency = timing.sampler_latency if is_sample else _load_latency(moved, timing)
            return InstructionCost(Pipe.SEND, occupancy, latency)
        case MemoryAccessKind.ATOMIC:
            latency = _load_latency(moved, timing) if moved.space is TrafficSpace.SLM else timing.atomic_latency
            return InstructionCost(Pipe.SEND, max(occupancy, moved.channels), latency)
    return InstructionCost(Pipe.SEND, occupancy)


def _load_latency(moved: Traffic, timing: ExecutionTiming) -> int:
    """As if data were in the nearest cache where the cache control lets it be; by default that is the L3."""
    if moved.space is TrafficSpace.SLM:
        return timing.by_size(timing.slm_latency, moved.channels)
    if moved.space is TrafficSpace.SCRATCH:
        return timing.scratch_latency
    l1, l3 = moved.cache.load_text.split(".")
    if l1 in ("df", "uc"):
        return timing.memory_latency if l3 == "uc" else timing.l3_latency
    return timing.image_l1_latency if moved.space is TrafficSpace.IMAGE else timing.l1_latency
