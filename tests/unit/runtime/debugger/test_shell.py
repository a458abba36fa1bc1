"""The command loop: what it answers."""

from __future__ import annotations

import io
from collections.abc import Sequence
from unittest.mock import Mock

import pytest
from hypothesis import given, settings, strategies as st

from runtime.debugger import Debugger, Shell, StopReason
from runtime.debugger.commands import COMMANDS, help_text
from runtime.simulator import Memory
from tests.amounts import examples
from tests.unit.runtime.debugger.kernels import Kernel, run

MEMORY = Memory()
ARRAY = MEMORY.allocate(64, kind="host", label="a")
ARRAY.view()[:16] = bytes(range(16))

KERNEL = Kernel(
    """
    mov (1|M0) r2:ud 16:ud
    (W) mov (4|M0) r4:f 1.5:f
    store.slm.d32x4t.a32 (1|M0) flat[r2] r4
    barrier
    call (1|M0) r10.0 sub
    eot
sub:
    mov (1|M0) r5:ud 7:ud
    ret (1|M0) r10.0
    """,
    groups=2,
    threads=2,
    lines=(1, 2, 3, 4, 5, 6, 11, 12),
    memory=MEMORY,
    slm_size=64,
    scratch_size=64,
)


def answers(commands: Sequence[str], kernel: Kernel = KERNEL, places: Sequence[str] = ()) -> list[str]:
    """Returns the output of a script of commands, from the first stop on."""
    output = io.StringIO()
    script = io.StringIO("".join(f"{command}\n" for command in commands))
    with Debugger() as debugger:
        shell = Shell(debugger, lambda: run(kernel, debugger), script, output, is_script=True)
        shell.start(places)
        shell.cmdloop()
    return output.getvalue().split("(xegpu) ", 1)[1].splitlines()


def answer(command: str, *before: str) -> list[str]:
    """Returns the output of one command that runs after those of `before`."""
    found = answers([*before, command])
    start = len(found) - found[::-1].index(f"(xegpu) {command}") if before else 1
    return found[start:]


def test_threads_at_a_barrier() -> None:
    assert answer("info threads", "break #4", "continue") == [
        "  subgroup 0 of work-group (0, 0, 0) waits at a barrier 0: #3 barrier",
        "* subgroup 1 of work-group (0, 0, 0) stopped here: #4 call (1|M0) r10.0 L1",
    ]


def test_another_thread() -> None:
    assert answer("print subgroup", "break #4", "continue", "thread 0") == ["subgroup = 0"]


def test_barriers() -> None:
    assert answer("info barriers", "tbreak #3", "continue", "stepi", "tbreak #3", "continue")[0].startswith(
        "barrier 0: "
    )


def test_backtrace_in_a_subroutine() -> None:
    assert answer("bt", "break L1", "c") == [
        "0  #6 mov (1|M0) r5.0<1>:ud 0x7:ud  at k.mlir:11:1",
        "1  #4 call (1|M0) r10.0 L1  at k.mlir:5:1",
    ]


def test_memory_by_type_and_space() -> None:
    assert answer("x/4ub a+4") == [f"{ARRAY.address + 4:#x} <a+4>: 4 5 6 7"]
    assert answer("x/2 a") == [f"{ARRAY.address:#x} <a+0>: 0x03020100 0x07060504"]
    assert answer("x/2f slm:16", "break #3", "c") == ["0x10: 1.5 1.5"]
    assert answer("x/1ud scratch:8") == ["0x8: 0"]
    assert answer("x/40ub slm:60") == ["0x3c: 0 0 0 0"]


def test_memory_in_rows() -> None:
    assert len(answer("x/16ud a")) == 2


def test_disassembly_with_marks() -> None:
    lines = answer("disassemble all", "break #1", "stepi", "stepi")
    assert lines[1].startswith("b  #1 ")
    assert lines[2].startswith("=> #2 ")
    assert lines[6] == "   L1:"
    assert len(lines) == 9


def test_info_registers() -> None:
    lines = answer("info registers", "stepi 2")
    assert lines[0] == "next instruction #2 at 0x30, mask 0x0000ffff"
    assert "r2 = [0x00000010 " + " ".join(["0x00000000"] * 15) + "]" in lines
    assert lines[-1] == "All other registers are zero."


def test_info_memory() -> None:
    assert answer("info memory") == [
        f"host memory 'a', 64 bytes at {ARRAY.address:#x}",
        "slm: 64 bytes, scratch: 64 bytes",
    ]


def test_breakpoints_are_listed_and_deleted() -> None:
    assert answers(["break 2 if lane == 3", "tbreak L1", "info b", "delete 1", "d", "info breakpoints"]) == [
        "break 2 if lane == 3",
        "Breakpoint 1: 2 if lane == 3, at #1 (k.mlir:2:1)",
        "(xegpu) tbreak L1",
        "Breakpoint 2: L1 (temporary), at #6 (k.mlir:11:1)",
        "(xegpu) info b",
        "error: info takes one of registers, flags, threads, breakpoints, memory, barriers, kernel, line",
        "(xegpu) delete 1",
        "(xegpu) d",
        "(xegpu) info breakpoints",
        "There are no breakpoints.",
    ]


def test_steps_with_counts() -> None:
    assert answer("stepi 3")[-1].startswith("=> #3 ")
    assert answer("next 2")[-1].startswith("=> #2 ")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("frobnicate", "there is no command 'frobnicate', try help"),
        ("!", "there is no command '!', try help"),
        ("info", "info takes one of registers,"),
        ("info nothing", "info takes one of registers,"),
        ("step x", "'x' is no number from 0 to 1000000"),
        ("thread 7", "there is no thread 7, the work-group has 2"),
        ("delete 5", "there is no breakpoint 5"),
        ("break nowhere", "'nowhere' is no location in kernel 'k'"),
        ("break #1 if", "a condition is missing"),
        ("print", "an expression is missing"),
        ("x", "an expression is missing"),
        ("x/4qq a", "there is no type 'qq'"),
        ("x/99999ud a", "99999 elements, at most 4096 can be shown"),
        ("x a + r2:f", "is not a single whole number"),
        ("x 0x10", "no memory at 0x10; nearest is host memory 'a'"),
        ("x slm:64", "no byte 0x40: shared local memory of the work-group has 64 bytes"),
        ("list", "k.mlir cannot be read"),
        ("disassemble #99", "there is no instruction #99, the kernel has 8"),
    ],
)
def test_what_cannot_be_done(command: str, message: str) -> None:
    (line,) = answer(command)
    assert line.startswith("error: ")
    assert message in line


def test_the_end_of_a_launch() -> None:
    assert answers(["continue", "continue", "print r1", "start"])[:6] == [
        "continue",
        "The launch has ended.",
        "(xegpu) continue",
        "error: no kernel is running",
        "(xegpu) print r1",
        "error: no kernel is running",
    ]


def test_comments_and_empty_lines_do_nothing() -> None:
    assert answers(["# stepi", "", "print index"]) == ["# stepi", "(xegpu) ", "(xegpu) print index", "index = 0"]


def test_a_terminal_repeats_the_last_command_on_an_empty_line() -> None:
    output = io.StringIO()
    with Debugger() as debugger:
        shell = Shell(debugger, lambda: run(KERNEL, debugger), io.StringIO("stepi\n\nprint index\n"), output)
        shell.start()
        shell.cmdloop()
        assert output.getvalue().endswith("(xegpu) (xegpu) index = 2\n(xegpu) ".removeprefix("(xegpu) "))


def test_an_interrupt_at_the_prompt_gives_up_the_line() -> None:
    commands = Mock(spec=io.StringIO)
    commands.readline.side_effect = [KeyboardInterrupt, "print index\n", ""]
    output = io.StringIO()
    with Debugger() as debugger:
        shell = Shell(debugger, lambda: run(KERNEL, debugger), commands, output, is_script=True)
        shell.start()
        shell.cmdloop()
    assert output.getvalue().endswith("(xegpu) print index\nindex = 0\n")


def test_registers_and_memory_are_set() -> None:
    assert answer("print r5.1:f", "set r5.1:f = 2.5") == ["r5.1:f = 2.5"]
    assert answer("print r6:ud", "set r6 = r6 + 3")[0].startswith("r6:ud = [3 3 ")
    assert answer("print f1.1", "set f1.1 = 0x8001") == ["f1.1 = 0x8001"]
    assert answer("x/2uw slm:2", "set {uw} slm:2 = 65535") == ["0x2: 65535 0"]
    assert answer("x/2ub a+4", "set {ub} a+4 = 9")[0].endswith("9 5")


@pytest.mark.parametrize(
    "command",
    [
        "set", "set r5", "set r5 == 1", "set r500 = 1", "set mask = 1", "set ce0 = 1", "set r5:uw = 65536",
        "set r5.0<8;8,1>:w = 1", "set {q3} a = 1", "set {ud} slm:62 = 1", "set {ud} 16 = 1", "set r5 = r6:ub",
        "set 5 = 5", "set r5 = 1.5",
    ],
)  # fmt: skip
def test_what_cannot_be_set(command: str) -> None:
    assert answer(command)[0].startswith("error: ")


def test_detaching_lets_the_launch_end() -> None:
    assert answers(["break 4", "continue", "detach", "info line"])[-2:] == ["(xegpu) detach", "The launch has ended."]


def test_help_speaks_of_every_command() -> None:
    lines = help_text().splitlines()
    assert all(any(line.startswith(name) for line in lines) for name in COMMANDS)
    assert max(map(len, lines)) <= 120


def test_where_a_launch_was_left() -> None:
    with Debugger() as debugger:
        shell = Shell(debugger, lambda: run(KERNEL, debugger), io.StringIO("continue\n"), io.StringIO(), is_script=True)
        shell.start()
        shell.cmdloop()
        assert shell.last is not None
        assert shell.last.reason is StopReason.END


WORDS = [
    *COMMANDS,
    "if",
    "#1",
    "L1",
    "*0x20",
    "2",
    "a",
    "r4:f",
    "slm:16",
    "/x",
    "/4f",
    "==",
    "+",
    "(",
    "[",
    "all",
    "mask",
]


@settings(max_examples=examples(100), derandomize=True, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=5).map(" ".join), max_size=8))
def test_any_commands_are_answered(commands: list[str]) -> None:
    answers([*(command.replace("\n", " ").replace("\r", " ") for command in commands), "print 1"])
