"""Basic blocks, liveness, and where registers live."""

from __future__ import annotations

import pytest

from runtime.simulator.jit.state.registers import Cell, RegisterPlan
from xegpu.isa import Program, decode_program
from xegpu.isa.code.flow import basic_blocks, only_goes_down, read_first
from xegpu.isa.formats import Footprint, Span, footprint
from xegpu.isa.text.assembler import assemble
from xegpu.targets import PVC

FULL = 0xFFFFFFFF


def program(text: str) -> Program:
    return decode_program(assemble(text))


def footprints(code: Program, mask: int | None = FULL) -> list[Footprint]:
    return [footprint(instruction, PVC, 128, mask) for instruction in code.instructions]


LOOP = """
    (W) mov (1|M0) r5.0<1>:ud 0:ud
loop:
    (W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud 1:ud
    (W) cmp (1|M0) (lt)f0.0 null<1>:ud r5.0<0;1,0>:ud r6.0<0;1,0>:ud
    (W&f0.0) jmpi (1|M0) loop
    (W) jmpi (1|M0) end
    (W) illegal (1|M0)
end:
    (W) eot (1|M0)
"""


def test_blocks_of_a_loop() -> None:
    found = [(block.start, block.end, block.successors) for block in basic_blocks(program(LOOP))]
    assert found == [(0, 1, (1,)), (1, 4, (1, 4)), (4, 5, (6,)), (5, 6, ()), (6, 7, ())]


BRANCH = """
    (W) cmp (1|M0) (lt)f0.0 null<1>:ud r5.0<0;1,0>:ud r6.0<0;1,0>:ud
    (f0.0) goto (16|M0) down down
    (W&f0.0) jmpi (1|M0) down
down:
    join (16|M0) end
end:
    (W) eot (1|M0)
"""

RECURSION = """
    (W) call (1|M0) r5 sub
    (W) eot (1|M0)
sub:
    (W) call (1|M0) r6 sub
    (W) ret (1|M0) r5
"""


@pytest.mark.parametrize(("text", "only_down"), [(BRANCH, True), (LOOP, False), (RECURSION, False)])
def test_programs_without_loops_only_go_down(text: str, only_down: bool) -> None:
    assert only_goes_down(program(text)) is only_down


def test_a_register_written_in_part_before_a_loop_is_read_first() -> None:
    code = program(LOOP)
    assert read_first(basic_blocks(code), footprints(code), PVC.platform.grf_bytes)[0] == {5, 6}


def test_a_register_written_as_a_whole_is_not_read_first() -> None:
    code = program(
        """
        (W) mov (16|M0) r5.0<1>:ud 0:ud
        (W) add (16|M0) r7.0<1>:ud r5.0<1;1,0>:ud r6.0<1;1,0>:ud
        (W) eot (1|M0)
        """
    )
    assert read_first(basic_blocks(code), footprints(code), PVC.platform.grf_bytes)[0] == {6}


def test_a_masked_write_keeps_what_was_there() -> None:
    code = program("mov (16|M0) r5.0<1>:ud 0:ud\n(W) eot (1|M0)")
    (span,) = footprints(code)[0].writes
    assert footprints(code, mask=0xFFFF)[0].reads == ()
    assert footprints(code, mask=0xFF)[0].reads == (span,)
    assert footprints(code, mask=None)[0].reads == (span,)


def test_a_register_on_one_path_only_is_read_first() -> None:
    code = program(
        """
        (W&f0.0) jmpi (1|M0) skip
        (W) mov (16|M0) r5.0<1>:ud 0:ud
    skip:
        (W) mov (16|M0) r6.0<1>:ud r5.0<1;1,0>:ud
        (W) eot (1|M0)
        """
    )
    assert read_first(basic_blocks(code), footprints(code), PVC.platform.grf_bytes)[0] == {5}


def test_long_chains_of_blocks_take_linear_time() -> None:
    hops = "\n".join(f"l{i}:\n(W&f0.0) jmpi (1|M0) l{i}" for i in range(3000))
    code = program(f"{hops}\n(W) mov (1|M0) r9.0<1>:ud r8.0<0;1,0>:ud\n(W) eot (1|M0)")
    assert read_first(basic_blocks(code), footprints(code), PVC.platform.grf_bytes)[0] == {8}


def cells(*found: Footprint) -> tuple[Cell, ...]:
    return RegisterPlan(found, PVC, keep_all=False).cells[0]


def test_registers_of_scalars_are_split_into_them() -> None:
    wide_write, low, high = Span(0, 64, 4), Span(0, 8, 8), Span(16, 4, 4)
    assert cells(Footprint((low, high), (wide_write,))) == (Cell(0, 8, 4), Cell(16, 4, 4))


def test_scalars_that_overlap_share_a_variable() -> None:
    assert cells(Footprint((Span(0, 8, 8), Span(4, 4, 4)))) == (Cell(0, 8, 4),)


def test_a_vector_read_keeps_the_register_whole() -> None:
    assert cells(Footprint((Span(0, 64, 4), Span(2, 2, 2)))) == (Cell(0, 64, 2),)


def test_operands_by_address_stay_in_memory() -> None:
    plan = RegisterPlan(
        [Footprint((Span(32, 64, 4, by_address=True),)), Footprint((Span(128, 4, 4),))], PVC, keep_all=False
    )
    assert plan.in_memory == {0, 1}
    assert set(plan.cells) == {2}
