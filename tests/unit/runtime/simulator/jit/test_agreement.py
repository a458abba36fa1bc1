"""The JIT leaves behind what the interpreter leaves behind, bit for bit, for random programs on random states."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runtime.simulator import DeviceFault, Memory, ThreadState
from runtime.simulator.engines import create
from runtime.simulator.execution.engine import PreparedKernel
from runtime.simulator.jit import JitEngine
from tests.amounts import examples
from tests.unit.runtime.simulator.jit.hosts import HOSTS
from tests.unit.runtime.simulator.programs.differential import (
    GRF_COUNT,
    Case,
    assert_engines_agree,
    compute_cases,
    kernel,
    memory_cases,
    random_bytes,
)
from tests.unit.xegpu.isa.programs import alu
from xegpu.isa import BY_MNEMONIC, TABLE, Instruction, InstructionFormat, assemble, decode_program
from xegpu.targets import ARC, PVC, Target

MNEMONICS = [spec.mnemonic for spec in TABLE if spec.format is InstructionFormat.ALU]
TARGETS = [PVC, ARC]
EOT = Instruction(BY_MNEMONIC["eot"])

SETTINGS = settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
@SETTINGS
@given(data=st.data())
def test_programs_without_memory(data: st.DataObject, target: Target) -> None:
    assert_engines_agree(data.draw(compute_cases(target)))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
@SETTINGS
@given(data=st.data())
def test_programs_with_memory_and_faults(data: st.DataObject, target: Target) -> None:
    assert_engines_agree(data.draw(memory_cases(target)))


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("mnemonic", MNEMONICS)
@settings(SETTINGS, max_examples=examples(8))
@given(data=st.data())
def test_each_instruction_on_each_kind_of_cpu(data: st.DataObject, mnemonic: str, host: str) -> None:
    size = data.draw(st.integers(4, 8))
    special = data.draw(st.integers(0, 3)) == 0
    instructions = [data.draw(alu(PVC, BY_MNEMONIC[mnemonic], special=special)) for _ in range(size)]
    registers = random_bytes(GRF_COUNT * PVC.platform.grf_bytes, data.draw(st.integers(0, 1 << 32)))
    flags = tuple(data.draw(st.integers(0, 0xFFFFFFFF)) for _ in range(PVC.platform.flag_registers))
    case = Case(PVC, (*instructions, EOT), registers, flags, data.draw(st.integers(0, 0xFFFFFFFF)))
    executable = kernel(case.instructions, PVC)
    state, memory = ThreadState(case.registers, case.flags, case.mask), Memory()
    engines = JitEngine(HOSTS[host]), create("interpreter")
    compiled, interpreted = (_outcome(engine.prepare(executable), state, memory) for engine in engines)
    assert compiled == interpreted


def _outcome(prepared: PreparedKernel, state: ThreadState, memory: Memory) -> ThreadState | str:
    """The final state, or the report of the fault."""
    try:
        return prepared.run_thread(state, memory)
    except DeviceFault as fault:
        return str(fault)


FLAGS_OF_TWO_CHANNELS = """
(W) asr (2|M16) (eq)f0.0 (sat)null<1>:ub r0.0<0;1,0>:ub 0x0:ub
asr (32|M0) (eq)f0.0 r0.0<4>:uq r0.0<1;1,0>:ub r0.0<1;1,0>:ub
(W) eot (1|M0)
"""


@pytest.mark.parametrize("host", HOSTS)
def test_flags_of_two_channels_between_wide_vectors(host: str) -> None:
    """The vectors take registers that not every instruction of the CPU can encode."""
    executable = kernel(decode_program(assemble(FLAGS_OF_TWO_CHANNELS)).instructions, PVC)
    state = ThreadState(bytes(GRF_COUNT * PVC.platform.grf_bytes), (0,) * PVC.platform.flag_registers, 0)
    final = JitEngine(HOSTS[host]).prepare(executable).run_thread(state, Memory())
    assert final.flags[0] == 0x3_0000
