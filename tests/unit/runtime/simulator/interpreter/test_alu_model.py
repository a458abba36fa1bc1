"""Every ALU instruction, with random types, regions, modifiers and masks, against the scalar model."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runtime.simulator import DeviceFault, FaultKind, Memory, ThreadState
from runtime.simulator.engines import create
from tests.amounts import examples
from tests.unit.runtime.simulator.oracles.alu import BadRegister, execute
from tests.unit.runtime.simulator.programs.differential import GRF_COUNT, kernel, random_bytes
from tests.unit.xegpu.isa.programs import alu
from xegpu.isa import BY_MNEMONIC, TABLE, Instruction, InstructionFormat
from xegpu.targets import ARC, PVC, Target

MNEMONICS = [spec.mnemonic for spec in TABLE if spec.format is InstructionFormat.ALU]
TARGETS = [PVC, ARC]


@pytest.mark.sampled(every=18)
@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
@pytest.mark.parametrize("mnemonic", MNEMONICS)
@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_instruction_does_what_the_scalar_model_does(data: st.DataObject, mnemonic: str, target: Target) -> None:
    instruction = data.draw(alu(target, BY_MNEMONIC[mnemonic], special=data.draw(st.booleans())))
    registers = random_bytes(GRF_COUNT * target.platform.grf_bytes, data.draw(st.integers(0, 1 << 32)))
    flags = tuple(data.draw(st.integers(0, 0xFFFFFFFF)) for _ in range(target.platform.flag_registers))
    mask = data.draw(st.sampled_from([0xFFFFFFFF, 0xFFFF, 0]) | st.integers(0, 0xFFFFFFFF))
    prepared = create("interpreter").prepare(kernel([instruction, Instruction(BY_MNEMONIC["eot"])], target))
    state = ThreadState(registers, flags, mask)
    try:
        expected, expected_flags = execute(instruction, registers, flags, mask, target)
    except BadRegister:
        with pytest.raises(DeviceFault) as caught:
            prepared.run_thread(state, Memory())
        assert caught.value.kind is FaultKind.BAD_REGISTER
        return
    final = prepared.run_thread(state, Memory())
    assert final.flags == expected_flags
    for row in range(GRF_COUNT):
        place = slice(row * target.platform.grf_bytes, (row + 1) * target.platform.grf_bytes)
        assert final.registers[place].hex() == expected[place].hex(), f"r{row}"
    assert final.mask == mask
