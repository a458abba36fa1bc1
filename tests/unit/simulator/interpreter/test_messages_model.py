"""Random messages, legal and illegal, against loops over lanes, elements and bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.simulator.memory import POISON
from tests.unit.simulator.differential import ARENA_BYTES, READ_ONLY, SCRATCH_BYTES, SLM_BYTES, memory_cases, run_case
from tests.unit.simulator.message_oracle import Machine, OracleFault, Segment
from xegpu.targets import ARC, PVC, Target


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_messages_do_what_the_loops_do(data: st.DataObject, target: Target) -> None:
    case = data.draw(memory_cases(target, 3, compute=False))
    base = 1 << 42  # any address: the oracle's memory is elsewhere
    registers = bytearray(case.registers)
    for place, offset in case.addresses:
        registers[place : place + 8] = np.array([base + offset], np.uint64).tobytes()
    memory = [
        Segment(base, bytearray(case.arena[:ARENA_BYTES])),
        Segment(base + READ_ONLY, bytearray(case.arena[READ_ONLY:][: ARENA_BYTES // 2]), writable=False),
    ]
    slm = bytearray([POISON] * SLM_BYTES)
    machine = Machine(target, registers, case.flags, case.mask, memory, bytearray(SCRATCH_BYTES), slm)
    outcome = run_case(case, ["interpreter"])["interpreter"]
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
    for row in range(len(registers) // target.grf_bytes):
        where = slice(row * target.grf_bytes, (row + 1) * target.grf_bytes)
        actual, expected = outcome.state.registers[where], bytes(machine.registers[where])
        if not any(start < where.stop and where.start < start + 8 for start, _ in case.addresses):
            assert actual.hex() == expected.hex(), f"r{row}"
    assert outcome.arena[:ARENA_BYTES].hex() == machine.memory[0].data.hex()
