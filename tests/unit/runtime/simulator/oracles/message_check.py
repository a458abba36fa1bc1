"""Compares what an engine makes of messages with the model of loops over lanes, elements and bytes."""

from __future__ import annotations

import numpy as np

from tests.unit.runtime.simulator.oracles.messages import Machine, OracleFault, Segment
from tests.unit.runtime.simulator.programs.differential import (
    ARENA_BYTES,
    READ_ONLY,
    SCRATCH_BYTES,
    SLM_BYTES,
    Case,
    run_case,
)


def assert_model_agrees(case: Case, engine: str = "interpreter") -> None:
    """Runs a case of messages in an engine; fails unless registers, memory and faults are those of the model."""
    base = 1 << 42  # any address: the oracle's memory is elsewhere
    registers = bytearray(case.registers)
    for place, offset in case.addresses:
        registers[place : place + 8] = np.array([base + offset], np.uint64).tobytes()
    memory = [
        Segment(base, bytearray(case.arena[:ARENA_BYTES])),
        Segment(base + READ_ONLY, bytearray(case.arena[READ_ONLY:][: ARENA_BYTES // 2]), writable=False),
    ]
    slm = bytearray(SLM_BYTES)
    machine = Machine(case.target, registers, case.flags, case.mask, memory, bytearray(SCRATCH_BYTES), slm)
    outcome = run_case(case, [engine])[engine]
    try:
        for instruction in case.instructions[:-1]:
            machine.execute(instruction)
    except OracleFault as fault:
        kind, lane, address, size = fault.args
        assert outcome.fault is not None
        scratch = kind.name in ("SCRATCH_OVERFLOW", "SLM_OVERFLOW") or (address is not None and address < base >> 1)
        assert outcome.fault[0] is kind
        assert outcome.fault[3] == lane
        assert outcome.fault[6] == size
        if address is not None and not scratch:
            assert outcome.fault[5] == address - base
        return
    assert outcome.fault is None
    assert outcome.state is not None
    for row in range(len(registers) // case.target.platform.grf_bytes):
        where = slice(row * case.target.platform.grf_bytes, (row + 1) * case.target.platform.grf_bytes)
        actual, expected = outcome.state.registers[where], bytes(machine.registers[where])
        if not any(start < where.stop and where.start < start + 8 for start, _ in case.addresses):
            assert actual.hex() == expected.hex(), f"r{row}"
    assert outcome.arena[:ARENA_BYTES].hex() == machine.memory[0].data.hex()
