"""The comparison of engines finds differences of every kind, and nothing where there are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from runtime.simulator import DeviceFault, FaultAccess, FaultKind, Memory, ThreadState, engines
from runtime.simulator.execution.engine import Executable
from runtime.simulator.interpreter import Interpreter
from runtime.simulator.interpreter.engine import InterpretedKernel
from tests.unit.runtime.simulator.programs.differential import ARENA_BYTES, GRF_COUNT, Case, assert_engines_agree
from xegpu.isa import assemble, decode_program
from xegpu.isa.model import Dim3
from xegpu.targets import PVC


def case(text: str) -> Case:
    instructions = decode_program(assemble(text)).instructions
    registers = np.arange(GRF_COUNT * 16, dtype=np.uint32).tobytes()
    arena = bytes(3 * ARENA_BYTES)
    return Case(PVC, instructions, registers, (0,) * 4, 0xFFFFFFFF, arena, addresses=((64, 0),))


STORE = case("store.ugm.d32x16t.a64 (1|M0) flat[r1] r4\neot")
FAULT = case("store.ugm.d32x16t.a64 (1|M0) flat[r1-64] r4\neot")


class WrongKernel(InterpretedKernel):
    """Runs a thread and then gets one thing wrong."""

    def __init__(self, executable: Executable, defect: str):
        super().__init__(executable)
        self._defect = defect

    def run_thread(self, state: ThreadState, memory: Memory, group: Dim3 = (0, 0, 0), subgroup: int = 0) -> ThreadState:
        if self._defect == "subgroup":
            return super().run_thread(state, memory, group, subgroup + 1)
        final = super().run_thread(state, memory, group, subgroup)
        if self._defect == "registers":
            final = replace(final, registers=final.registers[:-1] + b"\xee")
        if self._defect == "flags":
            final = replace(final, flags=(0, 0, 0, 1 << 31))
        if self._defect == "memory":
            (arena, *_) = memory.table().allocations
            arena.view()[100] ^= 1
        if self._defect == "fault":
            raise DeviceFault(
                FaultKind.MISALIGNED,
                kernel="",
                group=group,
                subgroup=subgroup,
                offset=16,
                instruction="",
                at=FaultAccess(0),
            )
        return final


class WrongEngine(Interpreter):
    defect = ""

    def prepare(self, executable: Executable) -> WrongKernel:
        return WrongKernel(executable, self.defect)


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setattr(engines, "ENGINES", {**engines.ENGINES, "wrong": lambda observers: WrongEngine()})
    monkeypatch.setattr(WrongEngine, "defect", request.param)


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ("registers", "register file, row 127 byte 63"),
        ("flags", "flags .*'0x80000000'"),
        ("memory", "memory, row 1 byte 36"),
        ("fault", r"faults None and \(<FaultKind.MISALIGNED"),
    ],
    indirect=["wrong"],
)
def test_differences_are_found(text: str) -> None:
    with pytest.raises(AssertionError, match=f"interpreter and wrong disagree: {text}"):
        assert_engines_agree(STORE, ("interpreter", "wrong"))


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("wrong", ["subgroup"], indirect=True)
def test_faults_are_compared_field_by_field(wrong: None) -> None:
    with pytest.raises(AssertionError, match=r"interpreter and wrong disagree: faults .* 5, .* and .* 6, "):
        assert_engines_agree(FAULT, ("interpreter", "wrong"))


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("wrong", [""], indirect=True)
def test_equal_engines_agree(wrong: None) -> None:
    assert_engines_agree(STORE, ("interpreter", "wrong"))
    assert_engines_agree(FAULT, ("interpreter", "wrong"))
