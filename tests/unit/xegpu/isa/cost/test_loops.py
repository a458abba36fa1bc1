"""Loops of programs, and the path that is taken to be executed."""

from __future__ import annotations

from hypothesis import given

from tests.unit.xegpu.isa.programs import programs
from xegpu.isa import Instruction, assemble, decode_program
from xegpu.isa.code.program import Program, encode_program
from xegpu.isa.cost.loops import LoopForest, find_loops
from xegpu.isa.cost.path import MainPaths
from xegpu.targets import PVC


def program(text: str) -> Program:
    return decode_program(assemble(text))


def main_path(code: Program, loop: int | None) -> list[int]:
    return MainPaths(code, find_loops(code)).of(loop)


def parents(forest: LoopForest) -> list[tuple[int, int | None]]:
    return [(loop.header, loop.parent) for loop in forest.loops]


NESTED = program("""
    nop
outer:
    nop
first:
    nop
    (W&f0.0) jmpi (1|M0) first
second:
    (W&~f0.0) jmpi (1|M0) behind
    nop
    jmpi (1|M0) second
behind:
    (W&f1.0) jmpi (1|M0) outer
    eot
""")


def test_nested_loops_in_the_order_of_the_program() -> None:
    forest = find_loops(NESTED)
    assert parents(forest) == [(1, None), (2, 0), (4, 0)]
    own = {loop: [(block.start, block.end) for block in blocks] for loop, blocks in forest.own_blocks().items()}
    assert own == {None: [(0, 1), (8, 9)], 0: [(1, 2), (7, 8)], 1: [(2, 4)], 2: [(4, 5), (5, 7)]}
    assert [forest.headed_by(index) for index in (0, 1, 3, 4, 5, 7)] == [None, 0, 1, 2, None, None]


def test_paths_pass_inner_loops() -> None:
    assert main_path(NESTED, None) == [0, 8]
    assert main_path(NESTED, 0) == [1, 7]
    assert main_path(NESTED, 1) == [2, 3]
    assert main_path(NESTED, 2) == [4, 5, 6]


def test_a_straight_line_has_no_loops() -> None:
    code = program("nop\n(W&f0.0) jmpi (1|M0) on\nnop\non:\neot")
    forest = find_loops(code)
    assert forest.loops == ()
    assert main_path(code, None) == [0, 1, 2, 3]


def test_the_other_side_of_a_branch_is_not_on_the_path() -> None:
    code = program("(W&~f0.0) jmpi (1|M0) other\nnop\njmpi (1|M0) on\nother:\nnop\nnop\non:\neot")
    assert main_path(code, None) == [0, 1, 2, 5]


def test_two_jumps_to_one_header_are_one_loop() -> None:
    code = program("again:\n(W&f0.0) jmpi (1|M0) again\nnop\n(W&f0.1) jmpi (1|M0) again\neot")
    forest = find_loops(code)
    assert parents(forest) == [(0, None)]
    assert forest.innermost == {0: 0, 1: 0}


def test_a_loop_entered_in_the_middle_is_none() -> None:
    code = program("(W&f0.0) jmpi (1|M0) middle\nagain:\nnop\nmiddle:\nnop\n(W&f0.1) jmpi (1|M0) again\neot")
    assert find_loops(code).loops == ()


def test_channels_that_repeat_a_loop() -> None:
    code = program(
        "again:\nnop\n(f0.0) goto (32|M0) out out\nnop\n(f0.1) goto.b (32|M0) out again\n"
        "out:\njoin (32|M0) end\nend:\neot"
    )
    forest = find_loops(code)
    assert [loop.header for loop in forest.loops] == [0]
    assert main_path(code, 0) == [0, 1, 2, 3]


def test_a_subroutine_called_twice_makes_no_loop() -> None:
    code = program("call (1|M0) r2.0 sub\nnop\ncall (1|M0) r2.0 sub\neot\nsub:\nnop\nret (1|M0) r2.0")
    forest = find_loops(code)
    assert forest.loops == ()
    assert main_path(code, None) == [0, 4, 5, 1, 2, 3]


def test_a_subroutine_is_part_of_the_loop_that_calls_it() -> None:
    code = program(
        "again:\ncall (1|M0) r2.0 sub\n(W&f0.0) jmpi (1|M0) again\neot\nsub:\nin:\nnop\n(W&f1.0) jmpi (1|M0) in\n"
        "nop\nret (1|M0) r2.0"
    )
    forest = find_loops(code)
    assert parents(forest) == [(0, None), (3, None)]
    assert main_path(code, 0) == [0, 5, 6, 1]


def test_an_endless_loop_and_no_code_at_all() -> None:
    endless, nothing = program("nop\nagain:\njmpi (1|M0) again\neot"), program("")
    assert main_path(endless, None) == [0]
    assert main_path(endless, 0) == [1]
    assert main_path(nothing, None) == []


@given(programs(PVC))
def test_every_instruction_belongs_to_one_region(instructions: list[Instruction]) -> None:
    code = decode_program(encode_program(instructions, PVC.platform.grf_bytes))
    forest = find_loops(code)
    own = sorted(i for blocks in forest.own_blocks().values() for b in blocks for i in range(b.start, b.end))
    assert own == list(range(len(code.instructions)))
    path = main_path(code, None)
    assert len(path) == len(set(path))


def test_loops_in_loops_in_loops() -> None:
    """As many as a program may have: what is inside is not looked at again for each loop around it."""
    depth = 1000
    starts = "".join(f"a{n}:\nnop\n" for n in range(depth))
    ends = "".join(f"(W&f0.0) jmpi (1|M0) a{n}\n" for n in reversed(range(depth)))
    code = program(starts + ends + "eot")
    forest = find_loops(code)
    assert [loop.parent for loop in forest.loops] == [None, *range(depth - 1)]
    paths = MainPaths(code, forest)
    assert [paths.of(loop) for loop in range(depth)] == [[loop, 2 * depth - 1 - loop] for loop in range(depth)]
    assert paths.of(None) == [2 * depth]
