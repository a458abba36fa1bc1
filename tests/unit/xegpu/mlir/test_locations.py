"""Locations in the text: read, printed, and read again."""

from __future__ import annotations

from io import StringIO

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from tests.peer.mlir_opt import MODERN, accepted, each
from tests.unit.xegpu.dialects.support import context
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.mlir import parse_module

LOCATIONS = {
    '"a.py":1:2': '"a.py":1:2',
    '"name"': '"name"',
    '"name"(unknown)': '"name"',
    '"name"("a.py":1:2)': '"name"("a.py":1:2)',
    'callsite("a.py":1:2 at "b.py":3:4)': 'callsite("a.py":1:2 at "b.py":3:4)',
    'callsite("f"(#before) at #behind)': 'callsite("f"("x.py":1:1) at fused["x.py":1:1, "y.py":2:2])',
    'fused["a.py":1:2, "b.py":3:4]': 'fused["a.py":1:2, "b.py":3:4]',
    'fused<"inlined">["a.py":1:2, #before]': 'fused<"inlined">["a.py":1:2, "x.py":1:1]',
    "#before": '"x.py":1:1',
    "#behind": 'fused["x.py":1:1, "y.py":2:2]',
}

TEXT = """#before = loc("x.py":1:1)
module {{
  func.func @f(%a: f32 loc({0})) {{
    cf.br ^bb1(%a : f32) loc({0})
  ^bb1(%b: f32 loc({0})):
    return loc({0})
  }} loc({0})
}} loc({0})
#last = loc("y.py":2:2)
#behind = loc(fused[#before, #last])
"""


def parse(text: str) -> ModuleOp:
    return parse_module(context(), SourceBuffer("k.mlir", text))


def printed(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream, print_debuginfo=True).print_op(module)
    return stream.getvalue()


@pytest.mark.parametrize("location", LOCATIONS)
def test_locations_of_everything_survive(location: str) -> None:
    text = printed(parse(TEXT.format(location)))
    assert text.count(f"loc({LOCATIONS[location]})") == 6
    assert printed(parse(text)) == text


@each(*MODERN)
@pytest.mark.parametrize("location", LOCATIONS)
def test_mlir_opt_exchanges_locations_with_us(version: int, location: str) -> None:
    *program, last, behind = TEXT.format(location).splitlines()
    text = "\n".join(
        [last, program[0], behind, *program[1:]]
    )  # mlir-opt wants them before arguments and other locations
    expected = accepted(version, text, "--mlir-print-debuginfo")
    assert accepted(version, printed(parse(text)), "--mlir-print-debuginfo") == expected
    assert accepted(version, printed(parse(expected)), "--mlir-print-debuginfo") == expected


def test_the_location_of_an_argument_may_be_unknown() -> None:
    assert "%a: f32 loc(unknown)" in printed(
        parse("func.func private @f()\nfunc.func @g(%a: f32 loc(unknown)) { return }")
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module {} loc(#a)", "k.mlir:1:15: error: undefined symbol alias '#a'"),
        ("module {} loc(#a)\n#a = loc(fused[#b])\n#b = loc(fused[#a])", "k.mlir:3:16: error: undefined symbol alias"),
        ("module {} loc(#a)\n#a = loc(unknown)\n#a = loc(unknown)", "k.mlir:3:4: error: re-declaration of alias '#a'"),
        ("#a = loc(unknown)\n#a = loc(unknown)", "k.mlir:2:4: error: re-declaration of alias '#a'"),
        ("module {} loc(#a)\n#a = 3", "undefined symbol alias '#a'"),
        ('module {} loc("r.py":1:2 to 3:4)', "k.mlir:1:26: error: ranges of places are not supported"),
        ('module {} loc("r.py":1)', "Expected ':'"),
        ("module {} loc(somewhere)", "Unsupported location type."),
        ("module {} loc(", "Unexpected location syntax."),
    ],
)
def test_refused_locations(text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse(text)
    assert message in str(caught.value)
