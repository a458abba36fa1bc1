"""Texts of absurd size are read or refused with one message, in time that grows with their size."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.unit.xegpu.dialects.support import context
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.dialects.upstream.func.signature import MOST_ARGUMENTS
from xegpu.mlir import parse_module

SAFETY = 60.0
"""Seconds that no text may take; a quadratic algorithm takes many times as long."""

LENGTH = 1_000_000


def function(body: str, arguments: str = "") -> str:
    return f"func.func @f({arguments}) {{\n{body}\n  return\n}}"


def listed(element: str, count: int) -> str:
    return ", ".join([element] * count)


def numbered(element: str, count: int) -> str:
    return ", ".join(element.format(number) for number in range(count))


def message_of(text: str) -> str | None:
    """The message about a text, None if it is read."""
    source = SourceBuffer("t", text)
    start = time.perf_counter()
    try:
        parse_module(context(), source)
    except CompileError as error:
        return str(error)
    finally:
        assert time.perf_counter() - start < SAFETY
    return None


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(
    "text",
    [
        lambda: function("%" + "x" * LENGTH + " = arith.constant 1 : i32"),
        lambda: "func.func private @" + "x" * LENGTH + "()",
        lambda: 'module attributes {x.a = "' + "x" * LENGTH + '"} {}',
        lambda: "//" + "x" * LENGTH,
        lambda: " " * LENGTH,
        lambda: function("%y = arith.constant 1." + "9" * LENGTH + " : f32"),
        lambda: function("", numbered("%a{}: i32", MOST_ARGUMENTS)),
        lambda: "func.func @f() {\n  return\n^bb1(" + numbered("%a{}: i32", 50_000) + "):\n  return\n}",
        lambda: function(f"%r:100000 = func.call @g() : () -> ({listed('i32', 100_000)})"),
        lambda: function(f"func.call @g({listed('%a', 50_000)}) : ({listed('i32', 50_000)}) -> ()", "%a: i32"),
        lambda: "module attributes {" + numbered("x.a{0} = {0}", 50_000) + "} {}",
        lambda: "module attributes {x.a = [" + listed("1", 100_000) + "]} {}",
        lambda: function(
            "\n".join(f"%{i} = arith.constant {i} : i32\nscf.if %c {{\n}}" for i in range(5_000)), "%c: i1"
        ),
    ],
    ids=[
        *("value name", "symbol", "string", "comment", "blanks", "float", "arguments", "block arguments", "results"),
        *("operands", "attributes", "array", "values and regions"),
    ],
)
def test_read(text: Callable[[], str]) -> None:
    assert message_of(text()) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (lambda: "x" * LENGTH, "t:1:1: error: unknown operation 'xxx"),
        (lambda: function("cf.br ^" + "x" * LENGTH), "t:2:7: error: reference to an undefined block '^xxx"),
        (lambda: "module attributes {a = #" + "x" * LENGTH + "} {}", "t:1:24: error: undefined symbol alias '#xxx"),
        (lambda: function("%y = arith.constant " + "9" * LENGTH + " : i32"), "an integer has at most 4300 digits"),
        (lambda: "func.func private @f(i" + "9" * LENGTH + ")", "type expected"),
        (lambda: "module attributes {a = " + "[" * LENGTH, "nested too deeply"),
        (lambda: "func.func private @f(" + "(" * LENGTH, "nested too deeply"),
        (lambda: "func.func private @f(" + "tuple<" * 100_000, "nested too deeply"),
        (lambda: "module {" * 10_000, "nested too deeply"),
        (lambda: "module {} loc(" + "fused[" * 10_000, "nested too deeply"),
        (lambda: "module {\n", "t:2:1: error: expected an operation, a block or '}'"),
    ],
    ids=[
        *("op", "block", "alias", "digits", "width", "brackets", "parentheses", "types", "regions", "locations"),
        "open region",
    ],
)
def test_refused(text: Callable[[], str], message: str) -> None:
    found = message_of(text())
    assert found is not None
    assert message in found
    assert len(found) < 400
