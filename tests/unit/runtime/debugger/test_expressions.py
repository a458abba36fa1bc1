"""Expressions and registers: what they are worth in a stopped thread."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runtime.debugger import DebugError, Debugger, registers
from runtime.debugger.expressions import Expression, ExpressionScope
from runtime.simulator import Memory
from tests.unit.runtime.debugger.kernels import Kernel, run

MEMORY = Memory()
ARRAY = MEMORY.allocate(64, label="a")
OTHER = MEMORY.allocate(64, label="in")

KERNEL = Kernel(
    """
    mov (8|M0) r2:uw 0x76543210:uv
    mov (8|M0) r2.8:uw 0xfedcba98:uv
    (W) mov (16|M0) r3:f r2:uw
    (W) mov (16|M0) r4:d -7:d
    mov (16|M0) r6:bf 1.5:bf
    mov (1|M0) f0.1:uw 0x00f0:uw
    mov (1|M0) a0.2:uw 64:uw
    mov (1|M0) r8:uq 0xffffffffffffffff:uq
    nop
    eot
    """,
    groups=2,
    threads=2,
    memory=MEMORY,
)


@pytest.fixture(scope="module")
def scope() -> Iterator[ExpressionScope]:
    """Work-group (1, 0, 0), subgroup 1, in front of the last but one instruction."""
    with Debugger() as debugger:
        debugger.run(lambda: run(KERNEL, debugger))
        debugger.add_breakpoint("#8", "group_x == 1 && subgroup == 1")
        debugger.resume()
        yield debugger.scope


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", (7,)),
        ("0x10 - -4", (20,)),
        ("7 / 2", (3,)),
        ("-7 / 2", (-3,)),
        ("7.0 / 2", (3.5,)),
        ("1 << 4 | 3 & ~1", (18,)),
        ("r2.3:uw", (3,)),
        ("r2.0<4;2,2>:uw", (0, 2, 4, 6, 8, 10, 12, 14, *[0] * 8)),
        ("r3.0:f + 0.5", (0.5,)),
        ("max(r3:f)", (15.0,)),
        ("sum(r4:d)", (-112,)),
        ("abs(r4.0:d)", (7,)),
        ("r4.0:ud", (2**32 - 7,)),
        ("r8.0:uq + 1", (2**64,)),
        ("r8.0:q", (-1,)),
        ("any(lane == 3 && r3:f == 3)", (True,)),
        ("all(r3:f < 15)", (False,)),
        ("!(r2.0:uw != 0)", (True,)),
        ("not 1 or 2 > 1", (True,)),
        ("(r3:f)[3] + lane[2]", (5.0,)),
        ("group_x", (1,)),
        ("group_y + group_z", (0,)),
        ("subgroup", (1,)),
        ("index", (8,)),
        ("mask", (0xFFFF,)),
        ("ce0", (0xFFFF,)),
        ("f0.1", (0xF0,)),
        ("f0", (0xF00000,)),
        ("a0.2", (64,)),
        ("sr0.2", (0xFFFF,)),
        ("a + 8", (ARRAY.address + 8,)),
        ("in", (OTHER.address,)),
    ],
)
def test_values(scope: ExpressionScope, text: str, value: tuple[int | float, ...]) -> None:
    assert Expression.parse(text).value(scope) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an expression is missing"),
        ("1 +", "'1 \\+' is no expression"),
        ("1" * 2000, "the expression is too long"),
        ("(" * 400, "is no expression"),
        ("nothing", "there is no 'nothing' here"),
        ("1 / 0", "division"),
        ("1 % 0", "modulo"),
        ("1 << 1000", "at most 64 bits"),
        ("2 ** 3", "is not understood: binop"),
        ("__import__('os')", "is not understood"),
        ("a.b", "is not understood"),
        ("'text'", "is not understood"),
        ("1 < 2 < 3", "is not understood"),
        ("r2:uw + r3:f", "32 elements and 16 elements"),
        ("lane[16]", "there is no such element, there are 16"),
        ("lane[-1]", "there is no such element"),
        ("lane[1.5]", "there is no such element"),
        ("1.5 & 1", "whole numbers are expected"),
        ("~1.5", "~ takes whole numbers"),
        ("r128", "r128: the kernel has registers r0 to r127"),
        ("r127:2", "r127:2: the kernel has registers r0 to r127"),
        ("r3:nothing", "there is no type 'nothing', expected one of ub, b,"),
        ("r3:v", "there is no type 'v'"),
        ("r3.16:f", "there is no element 16, the last one of type f is 15"),
        ("r127.8<4;2,2>:f", "the region leaves the registers"),
        ("r2.0<1;0,0>:f", "rows of the region have no elements"),
    ],
)
def test_what_cannot_be_computed(scope: ExpressionScope, text: str, message: str) -> None:
    with pytest.raises(DebugError, match=message):
        Expression.parse(text).value(scope)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r4.0", "0xfffffff9"),
        ("r4.0:d", "-7"),
        ("r6.0:bf", "1.5"),
        ("r6:2:bf", "[" + " ".join(["1.5"] * 16 + ["0"] * 48).replace(" 0", " 0.0") + "]"),
        ("f0.1", "0x00f0"),
        ("a0.2", "0x0040"),
        ("mask", "0x0000ffff"),
    ],
)
def test_registers_for_people(scope: ExpressionScope, name: str, text: str) -> None:
    assert registers.read(name, scope.thread).text() == text


def test_what_is_no_register(scope: ExpressionScope) -> None:
    with pytest.raises(DebugError, match="'r' is no register"):
        registers.read("r", scope.thread)
