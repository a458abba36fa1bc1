"""The timestamp register counts the cycles of the cost model, the same ones in every engine."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.simulator.engines import ENGINES
from tests.unit.runtime.simulator.programs.assembled import run_thread
from xegpu.isa import assemble, decode_program
from xegpu.isa.cost import instruction_cycles
from xegpu.targets import PVC

pytestmark = pytest.mark.parametrize("engine", sorted(ENGINES))
READ = "(W) mov (2|M0) {}:ud tm0.0<1;1,0>:ud"


def cycles(program: str) -> list[int]:
    """The cycles of each instruction, by the cost model."""
    return instruction_cycles(decode_program(assemble(program + "\neot\n", grf_bytes=PVC.platform.grf_bytes)), PVC, 128)


def test_straight_code(engine: str) -> None:
    """A read has the cycles of what was executed before it, however long that takes and whatever is switched off."""
    program = "\n".join(
        (
            READ.format("r20"),
            "math.sin (16|M0) r3:f r1:f",
            "(f0.0) add (16|M0) r4:f r3:f r3:f",
            READ.format("r21"),
            "(W) mov (4|M0) r22:ud tm0.0<1;1,0>:ud",
        )
    )
    thread, each = run_thread(program, {22: np.full(4, 7, np.uint32)}, engine=engine), cycles(program)
    assert [int(thread[r, "u8"][0]) for r in (20, 21, 22)] == [0, sum(each[:3]), sum(each[:4])]
    assert thread[22, "u8"][1] == 0
    assert sum(each[:3]) > 3


def test_loops(engine: str) -> None:
    """Each iteration takes as long; the half of a clock is read alone."""
    program = f"""
        (W) mov (1|M0) r10:d 0:d
        loop:
        (W) add (1|M0) r10:d r10:d 1:d
        {READ.format("r20")}
        (W) cmp (1|M0) (lt)f0.0 null:d r10:d 9:d
        (W&f0.0) jmpi (1|M0) loop
        (W) mov (1|M0) r21:ud tm0.0<0;1,0>:ud
        (W) mov (1|M0) r22:ud tm0.1<0;1,0>:ud
    """
    thread, each = run_thread(program, engine=engine), cycles(program)
    assert int(thread[20, "u8"][0]) == each[0] + 8 * sum(each[1:5]) + each[1]
    assert int(thread[21, "u4"][0]) == each[0] + 9 * sum(each[1:5])
    assert int(thread[22, "u4"][0]) == 0


def test_divergent_code(engine: str) -> None:
    """An instruction takes its full time unless all channels are parked; then it takes none."""
    program = f"""
        cmp (32|M0) (lt)f0.0 null:d r1:d 4:d
        (f0.0) goto (32|M0) after after
        math.sin (32|M0) r3:f r3:f
        after:
        join (32|M0) end
        {READ.format("r20")}
        end:
        nop
    """
    each = cycles(program)
    for lanes, skipped in ((np.arange(32), 0), (np.zeros(32), each[2])):
        thread = run_thread(program, {1: lanes.astype(np.int32)}, engine=engine)
        assert int(thread[20, "u8"][0]) == sum(each[:4]) - skipped
