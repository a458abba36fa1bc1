"""Names of functions and globals mean nothing to the code that compiles them."""

from __future__ import annotations

import pytest

from runtime.host.emission.emitter import ALLOCATE, FAIL, FREE, REACH
from tests.unit.runtime.host.support import Program

_OWN = ("host.entry", "host.depth", "host.free_all", FAIL, ALLOCATE, FREE, REACH)
"""The symbols that the code of each program has anyway."""
_NAMES = (
    *_OWN,
    *(name.removeprefix("host.") for name in _OWN),
    "f",
    "main",
    "foreign.0.printI64",
    "global.x",
    "llvm.sqrt.f32",
    "malloc",
    'quo"te',
    "back\\slash",
    "größe",
    "new\nline",
)


@pytest.mark.parametrize("name", _NAMES)
def test_function_of_any_name(name: str) -> None:
    quoted = name.replace("\\", "\\5C").replace('"', "\\22").replace("\n", "\\0A")
    program = Program(
        f"""
        memref.global @"{quoted}_number" : memref<1xi64> = dense<5>
        func.func @"{quoted}"(%n: i64) -> i64 {{
          %zero = arith.constant 0 : i64
          %one = arith.constant 1 : i64
          %at = arith.constant 0 : index
          %is_end = arith.cmpi sle, %n, %zero : i64
          %r = scf.if %is_end -> i64 {{
            %g = memref.get_global @"{quoted}_number" : memref<1xi64>
            %v = memref.load %g[%at] : memref<1xi64>
            scf.yield %v : i64
          }} else {{
            %m = memref.alloc() : memref<1xi64>
            memref.store %n, %m[%at] : memref<1xi64>
            %before = arith.subi %n, %one : i64
            %rest = func.call @"{quoted}"(%before) : (i64) -> i64
            %k = memref.load %m[%at] : memref<1xi64>
            memref.dealloc %m : memref<1xi64>
            %sum = arith.addi %rest, %k : i64
            scf.yield %sum : i64
          }}
          return %r : i64
        }}
        func.func @start(%n: i64) -> i64 {{
          %r = func.call @"{quoted}"(%n) : (i64) -> i64
          return %r : i64
        }}
        """,
        "start",
    )
    assert program(3) == 5 + 3 + 2 + 1
