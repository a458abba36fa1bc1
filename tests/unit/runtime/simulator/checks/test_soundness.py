"""Random programs run twice, with other values where they are undefined: what is said to be defined comes out equal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from numpy.typing import NDArray

from runtime.simulator import DeviceFault, Memory, ThreadState
from runtime.simulator.checks.checker import KernelChecker
from runtime.simulator.checks.definedness.origins import DEFINED, UNWRITTEN, undefined_bits
from runtime.simulator.checks.definedness.propagation import Definedness
from runtime.simulator.interpreter import Interpreter
from runtime.simulator.interpreter.observer import Execution
from tests.amounts import examples
from tests.unit.runtime.simulator.programs.differential import Case, compute_cases, kernel
from xegpu.targets import ARC, PVC, Target

Numbers = NDArray[np.int32]


class Follower(KernelChecker):
    """Starts a thread with some of its register bytes and flag bits undefined, and keeps what becomes of them."""

    def __init__(self, registers: NDArray[np.bool_], flags: NDArray[np.bool_]):
        super().__init__(())
        self._undefined = registers, flags
        self.registers: Numbers = np.zeros(0, np.int32)
        self.flags: Numbers = np.zeros(0, np.int32)

    def launch_started(self, execution: Execution) -> None:
        super().launch_started(execution)
        launch = self._launches[execution]
        follower = Definedness(execution, launch.findings, memory=True, registers=True)
        launch.inspectors.append(follower)
        self._shadow = follower._shadow

    def thread_started(self, execution: Execution) -> None:
        super().thread_started(execution)
        registers, flags = self._undefined
        self._shadow.file[: len(registers)][registers] = UNWRITTEN
        self._shadow.flags[flags] = UNWRITTEN

    def thread_ended(self, execution: Execution) -> None:
        self.registers = self._shadow.file[: len(self._undefined[0])].copy()
        self.flags = self._shadow.flags.copy()


def outcome(case: Case, follower: Follower) -> ThreadState | None:
    """The state at the end, None for a fault, and where control flow or an address is found to be undefined."""
    executable = kernel(case.instructions, case.target)
    state = ThreadState(case.registers, case.flags, case.mask)
    try:
        return Interpreter((follower,)).prepare(executable).run_thread(state, Memory())
    except DeviceFault:
        return None


def bits(flags: tuple[int, ...]) -> NDArray[np.bool_]:
    return (np.array(flags, np.uint32)[:, None] >> np.arange(32, dtype=np.uint32) & 1).astype(np.bool_)


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_defined_does_not_depend_on_what_is_not(data: st.DataObject, target: Target) -> None:
    case = data.draw(compute_cases(target))
    rng = np.random.default_rng(data.draw(st.integers(0, 1 << 32)))
    image = np.frombuffer(case.registers, np.uint8)
    share = rng.choice([0.02, 0.3])
    undefined = np.repeat(rng.random(len(image) // 4) < share, 4) & (rng.random(len(image)) < 0.8)
    other = np.where(undefined, rng.integers(0, 256, len(image), np.uint8), image)
    unset = rng.random((len(case.flags), 32)) < share
    changes = [
        int(sum(1 << int(bit) for bit in np.flatnonzero(row))) for row in unset & (rng.random(unset.shape) < 0.5)
    ]
    followers = Follower(undefined, unset), Follower(undefined, unset)
    first = outcome(case, followers[0])
    flags = tuple(flag ^ change for flag, change in zip(case.flags, changes, strict=True))
    second = outcome(replace(case, registers=other.tobytes(), flags=flags), followers[1])
    if first is None or second is None:
        return
    differing = np.frombuffer(first.registers, np.uint8) ^ np.frombuffer(second.registers, np.uint8)
    wrong = np.flatnonzero(differing & ~undefined_bits(followers[0].registers).astype(np.uint8))
    assert not len(wrong), f"bytes {wrong[:8]} of registers {wrong[:8] // target.platform.grf_bytes}"
    flags_differ = bits(first.flags) != bits(second.flags)
    assert not (flags_differ & (followers[0].flags == DEFINED)).any()
