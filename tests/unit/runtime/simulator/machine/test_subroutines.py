"""Calls, indirect calls and returns, in both engines."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.simulator import DeviceFault, FaultKind
from tests.unit.runtime.simulator.jit.launches import Bench
from tests.unit.runtime.simulator.programs.assembled import run_thread
from xegpu.isa import IllegalInstruction, assemble_program, validate
from xegpu.targets import PVC

ENGINES = pytest.mark.parametrize("engine", ["interpreter", "jit"])

FACTORIAL = """
    mov (1|M0) r5.0<1>:ud 1:ud
    mov (1|M0) r6.0<1>:ud 6:ud
    call (1|M0) r10.0 start
    jmpi (1|M0) done
    start:
    mov (1|M0) r7.0<1>:uq r10.0<0;1,0>:uq
    loop:
    cmp (1|M0) (eq)f0.0 null<1>:ud r6.0<0;1,0>:ud 0:ud
    (f0.0) jmpi (1|M0) out
    call (1|M0) r12.2 step
    jmpi (1|M0) loop
    out:
    ret (1|M0) r7.0
    step:
    mul (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud r6.0<0;1,0>:ud
    add (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud -1:d
    ret (1|M0) r12.2
    done:
"""


@ENGINES
def test_subroutines(engine: str) -> None:
    thread = run_thread(FACTORIAL, engine=engine)
    assert thread[5, "u4"][0] == 720
    assert thread[12, "u4"][3] == 0xFFFFFFFF  # the mask of the call


@ENGINES
def test_a_return_restores_the_mask_of_the_call(engine: str) -> None:
    text = """
    call (1|M0) r10.0 sub
    jmpi (1|M0) end
    sub: (f0.0) goto (32|M0) L L
    L: join (32|M0) M
    M: ret (1|M0) r10.0
    end: mov (16|M0) r5.0<1>:ud 1:ud
    """
    thread = run_thread(text, flags=(0xFF, 0, 0, 0), mask=0xFFF, engine=engine)
    assert thread[5, "u4"].tolist() == [1] * 12 + [0] * 4


POINTERS = """
    mov (1|M0) r20.0:ud @double:ud
    mov (1|M0) r20.1:ud @square:ud
    mov (1|M0) r20.2:ud @twice:ud
    mov (4|M0) r5:ud 3:ud
    and (1|M0) (ne)f1.0 null:ud r2:ud 1:ud
    (f1.0) sel (1|M0) r21:ud r20.1:ud r20.0:ud
    calla (1|M0) r10.0 r21.0
    mov (1|M0) r5.1:ud r5.0:ud
    calla (1|M0) r10.0 r20.2
    mov (1|M0) r5.2:ud r5.0:ud
    jmpi (1|M0) done
    double: add (1|M0) r5:ud r5:ud r5:ud
    ret (1|M0) r10.0
    square: mul (1|M0) r5:ud r5:ud r5:ud
    ret (1|M0) r10.0
    twice: mov (1|M0) r22:uq r10:uq
    calla (1|M0) r10.0 r21.0
    calla (1|M0) r10.0 r21.0
    ret (1|M0) r22.0
    done:
"""


@ENGINES
@pytest.mark.parametrize(("choice", "results"), [(0, [6, 24]), (1, [9, 6561])])
def test_functions_are_called_through_pointers(engine: str, choice: int, results: list[int]) -> None:
    thread = run_thread(POINTERS, {2: np.uint32(choice)}, engine=engine)
    assert thread[5, "u4"][1:3].tolist() == results


@ENGINES
def test_the_pointer_is_read_before_the_way_back_is_written(engine: str) -> None:
    text = """
    mov (1|M0) r10.0:ud @there:ud
    calla (1|M0) r10.0 r10.0
    jmpi (1|M0) done
    there: mov (1|M0) r5:ud 7:ud
    ret (1|M0) r10.0
    done:
    """
    assert run_thread(text, engine=engine)[5, "u4"][0] == 7


PREDICATED = """
    (f0.1) call (1|M4) r10.0 sub
    mov (1|M0) r20:ud @sub:ud
    (~f0.1) calla (1|M4) r10.0 r20.0
    jmpi (1|M0) done
    sub: add (1|M0) r5.0:ud r5.0:ud 1:ud
    (f1.0) ret (1|M0) r10.0
    add (1|M0) r5.0:ud r5.0:ud 10:ud
    ret (1|M0) r10.0
    done:
"""


@ENGINES
@pytest.mark.parametrize("called", [0, 1 << 20])
@pytest.mark.parametrize(("returned", "expected"), [(0, 11), (1, 1)])
def test_calls_and_returns_by_a_flag_bit(engine: str, called: int, returned: int, expected: int) -> None:
    thread = run_thread(PREDICATED, flags=(called, returned, 0, 0), mask=0xFF, engine=engine)
    assert thread[5, "u4"][0] == expected


@ENGINES
def test_a_call_that_does_not_happen_keeps_the_register(engine: str) -> None:
    text = "mov (1|M0) r10:uq 5:uq\n(f0.0) call (1|M0) r10.0 sub\njmpi (1|M0) done\nsub: ret (1|M0) r10.0\ndone:"
    assert run_thread(text, engine=engine)[10, "u8"][0] == 5


@ENGINES
def test_an_endless_recursion_is_stopped(engine: str) -> None:
    text = "mov (1|M0) r4:ud @f:ud\njmpi (1|M0) f\nf: calla (1|M0) r10.0 r4.0\nret (1|M0) r10.0"
    with pytest.raises(DeviceFault) as caught:
        Bench(text, [], simd_size=16, instruction_limit=1000).run(engine, (1, 1, 1), (16, 1, 1))
    assert caught.value.kind is FaultKind.RUNAWAY


@ENGINES
@pytest.mark.parametrize(
    ("text", "detail", "offset"),
    [
        (
            "mov (1|M0) r10.0<1>:ud 12:ud\nret (1|M0) r10.0\ncall (1|M0) r10.0 L\nL: nop",
            "the register holds offset 0xc, where there is no call in front",
            0x20,
        ),
        ("ret (1|M0) r10.0", "the register holds offset 0x0, where there is no call in front", 0x10),
        (  # an instruction, but control runs on to it
            "mov (1|M0) r4:ud @L:ud\ncalla (1|M0) r10.0 r4.0\nL: nop",
            "the register holds offset 0x30, where no subroutine begins",
            0x20,
        ),
        (  # the second word of an instruction
            "mov (1|M0) r4:ud 0x50:ud\ncalla (1|M0) r10.0 r4.0\njmpi (1|M0) E\nmov (1|M0) r6:q 5:q\nE:",
            "the register holds offset 0x50, where no subroutine begins",
            0x20,
        ),
        (
            "mov (1|M0) r4:ud -16:d\ncalla (1|M0) r10.0 r4.0\nret (1|M0) r10.0",
            "the register holds offset 0xfffffff0, where no subroutine begins",
            0x20,
        ),
    ],
)
def test_wrong_places_are_faults(engine: str, text: str, detail: str, offset: int) -> None:
    with pytest.raises(DeviceFault) as caught:
        run_thread(text, engine=engine)
    assert (caught.value.kind, caught.value.detail, caught.value.offset) == (FaultKind.BAD_TARGET, detail, offset)
    assert str(caught.value).startswith(f"call or return to an invalid target in kernel 'test': {detail}\n")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("calla (1|M0) r10.1 r4.0", "needs an aligned qword of a general register for the return address"),
        ("calla (1|M0) r127.15 r4.0", "needs an aligned qword"),
        ("calla (1|M0) r10.0 r4.2b", "needs an aligned dword of a general register for the offset of the subroutine"),
        ("calla (2|M0) r10.0 r4.0", "calla: execution size 2, expected 1"),
        ("calla (1|M0) r10.0 r128.0", "4 bytes from byte 0 of r128 leave the 128 registers of 64 bytes"),
        ("calla (1|M0) r128.0 r4.0", "8 bytes from byte 0 of r128 leave the 128 registers of 64 bytes"),
    ],
)
def test_illegal_calls(line: str, reason: str) -> None:
    with pytest.raises((IllegalInstruction, ValueError), match=reason):
        validate(assemble_program(line).instructions[0], PVC, 128)
