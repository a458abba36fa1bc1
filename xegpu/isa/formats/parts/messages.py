"""Common parts of messages: shared functions, cache controls, counts of registers, cycles."""

from __future__ import annotations

import re

from xegpu.isa.formats.parts.rules import fail
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import CacheControl, Unit
from xegpu.isa.model.operands import Register, RegisterFile, grf
from xegpu.isa.model.table import MemoryAccessKind, OpSpec
from xegpu.isa.model.traffic import Traffic, TrafficSpace
from xegpu.isa.notation.reader import Reading, register_number
from xegpu.isa.notation.scanner import Scanner
from xegpu.targets import ExecutionTiming

UNITS = {unit.text: unit for unit in Unit}
UNIT_CODES = {unit.code: unit for unit in Unit}
CACHE_CODES = {cache.code: cache for cache in CacheControl}

_INTEGER = re.compile(r"\d+")


# Text ----------------------------------------------------------------------------------------------------------------


def cache_text(cache: CacheControl, access: MemoryAccessKind) -> str:
    """Returns the name of a cache control: messages that write and messages that only read name codes differently."""
    return cache.store_text if access in (MemoryAccessKind.STORE, MemoryAccessKind.ATOMIC) else cache.load_text


def parse_cache(reading: Reading, spec: OpSpec, levels: list[str]) -> CacheControl:
    """Returns the cache control with these two levels, the default one for none."""
    if not levels:
        return CacheControl.DEFAULT
    access = spec.access
    assert access is not None
    chosen = next((cache for cache in CacheControl if cache_text(cache, access) == ".".join(levels)), None)
    if chosen is None:
        reading.fail(f"no cache control '{'.'.join(levels)}' for {spec.mnemonic}")
    return chosen


def parse_payload(reading: Reading) -> tuple[Register, WrittenCount]:
    """Reads `r20:2`, the first register of a payload and the number of its registers."""
    register = grf(register_number(reading.scanner, reading.context))
    return register, parse_count(reading.scanner)


WrittenCount = tuple[int | None, int]
"""A number of registers, None if it is not written, and its column."""

NOT_WRITTEN: WrittenCount = (None, 0)


def parse_count(scanner: Scanner) -> WrittenCount:
    """Reads `:2`, a number of registers, if it stands here."""
    if not scanner.accept(":"):
        return None, scanner.column
    column = scanner.column
    return int(scanner.expect_match(_INTEGER, "a number of registers").group()), column


def check_counts(scanner: Scanner, counts: list[WrittenCount], needed: tuple[int, int, int]) -> None:
    """Compares the numbers of registers that are written with those that a message uses."""
    for (written, column), used in zip(counts, needed, strict=True):
        if written not in (None, used):
            scanner.fail(f"the message uses {used} registers here, not {written}", column)


# Rules ---------------------------------------------------------------------------------------------------------------


def check_whole_registers(instruction: Instruction) -> None:
    """Checks that the payloads of a message start at the first byte of general registers."""
    for register in (instruction.address, instruction.data, instruction.returned):
        if register is not None and (register.byte or register.file is not RegisterFile.GRF):
            fail(instruction, "registers of a message are whole general registers")


# Cycles --------------------------------------------------------------------------------------------------------------


def message_cost(moved: Traffic, timing: ExecutionTiming, load_latency: int | None = None) -> InstructionCost:
    """Returns the cost of a message that moves data; `load_latency` replaces the latency of the memory's caches."""
    rate = timing.slm_bytes if moved.space is TrafficSpace.SLM else timing.line_bytes
    occupancy = -(-moved.bytes // rate)
    match moved.access:
        case MemoryAccessKind.LOAD:
            latency = _load_latency(moved, timing) if load_latency is None else load_latency
            return InstructionCost(Pipe.SEND, occupancy, latency)
        case MemoryAccessKind.ATOMIC:
            latency = _load_latency(moved, timing) if moved.space is TrafficSpace.SLM else timing.atomic_latency
            return InstructionCost(Pipe.SEND, max(occupancy, moved.channels), latency)
    return InstructionCost(Pipe.SEND, occupancy)


def _load_latency(moved: Traffic, timing: ExecutionTiming) -> int:
    """Returns the latency of the nearest cache that the cache control lets data be in; by default that is the L3."""
    if moved.space is TrafficSpace.SLM:
        return timing.by_size(timing.slm_latency, moved.channels)
    if moved.space is TrafficSpace.SCRATCH:
        return timing.scratch_latency
    l1, l3 = moved.cache.load_text.split(".")
    if l1 in ("df", "uc"):
        return timing.memory_latency if l3 == "uc" else timing.l3_latency
    return timing.image_l1_latency if moved.space is TrafficSpace.IMAGE else timing.l1_latency
