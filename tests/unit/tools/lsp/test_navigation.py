"""Definitions in text that is not parsed: `~` stands before a use, `=>` before its definition."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paths import EXAMPLES
from tools.lsp.catalogue import Catalogue
from tools.lsp.navigation import Kind, NameIndex, tokenize

CASES = {
    "result": "=>%a = arith.constant 1 : i32\n%b = arith.addi ~%a, %a : i32",
    "one of several results": "=>%a:2, %b = scf.f() : i32\n%c = arith.addi ~%a#1, %b : i32",
    "the last of several results": "%a:2, =>%b = scf.f() : i32\n%c = arith.addi %a#1, ~%b : i32",
    "argument": "func.func @f(=>%a: i32) {\n  x.y ~%a\n}",
    "argument of another function": "func.func @f(%a: i32) {\n}\nfunc.func @g(=>%a: i32) {\n  x.y ~%a\n}",
    "argument before attributes": "gpu.func @f(=>%a: i32) kernel attributes {x.y = 1} {\n  x.y ~%a\n}",
    "loop": "scf.for %i = %a to %b {\n}\nscf.for =>%i = %a to %b {\n  x.y ~%i\n}",
    "carried": "%z = x.z\n%r = scf.for %i = %a to %b iter_args(=>%x = %z) -> (i32) {\n  x.y ~%x\n}",
    "from around": "func.func @f(=>%a: i32) {\n  scf.forall (%i) in (%a) {\n    x.y ~%a\n  }\n}",
    "second region": "scf.if %c {\n  %x = x.y\n} else {\n  =>%x = x.y\n  x.z ~%x\n}",
    "argument of a block": "func.func @f() {\n^a(%x: i32):\n  x.y\n^b(=>%y: i32):\n  x.y ~%y\n}",
    "later in a region": "func.func @f() {\n  cf.br ^b\n^a:\n  x.y ~%x\n^b:\n  =>%x = x.z\n  cf.br ^a\n}",
    "block": "func.func @f() {\n  cf.br ~^b\n=>^b:\n  return\n}\nfunc.func @g() {\n^b:\n  return\n}",
    "block with arguments": "func.func @f() {\n  cf.br ~^b(%x : i32)\n=>^b(%y: i32):\n  return\n}",
    "function": "func.func private =>@f()\nfunc.func @g() {\n  call ~@f() : () -> ()\n}",
    "nested symbol": (
        "gpu.module @a {\n  gpu.func @k() kernel {\n  }\n}\ngpu.module @b {\n  gpu.func =>@k() kernel {\n  }\n}\n"
        "func.func @h() {\n  gpu.launch_func @b::~@k\n}"
    ),
    "module of a symbol": "gpu.module =>@b {\n}\nfunc.func @h() {\n  gpu.launch_func ~@b::@k\n}",
    "generic symbol": '"func.func"() <{sym_name = =>"f"}> ({\n}) : () -> ()\nfunc.call ~@f() : () -> ()',
    "alias of an attribute": "=>#map = affine_map<(d0) -> (d0)>\nx.y {m = ~#map}",
    "alias that follows": "x.y loc(~#loc1)\n=>#loc1 = loc(unknown)",
    "alias of a type": "=>!t = vector<8xf32>\nx.y : ~!t",
    "another piece": "%a = x.y\n// -----\n=>%a = x.y\nx.z ~%a",
    "broken text": "func.func @f(=>%a: i32 {{{ \n x.y ~%a ) ]",
    "comments and strings": '=>%a = x.y // { %a\nx.y "{ %a" ~%a',
}


def unmarked(text: str) -> tuple[str, int, int]:
    """Returns a text without its marks, the use and the definition."""
    definition, use = text.index("=>"), text.index("~")
    definition, use = (definition, use - 2) if definition < use else (definition - 1, use)
    return text.replace("=>", "").replace("~", ""), use, definition


@pytest.mark.parametrize("case", CASES)
def test_definitions(case: str) -> None:
    text, use, definition = unmarked(CASES[case])
    index = NameIndex(text, Catalogue().defines_symbol)
    found = index.definition(use)
    assert found is not None
    assert found.start == definition
    places = [name.start for name in index.references(definition)]
    assert definition in places
    assert use in places
    assert index.references(use) == index.references(definition)


@pytest.mark.parametrize("text", ["", "x.y %missing", "cf.br ^nowhere", "func.call @nothing()", "x.y : !none", "{x}"])
def test_what_has_no_definition(text: str) -> None:
    index = NameIndex(text, Catalogue().defines_symbol)
    assert [index.definition(offset) for offset in range(len(text) + 1)] == [None] * (len(text) + 1)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_every_name_of_an_example_is_defined(path: Path) -> None:
    text = path.read_text()
    index = NameIndex(text, Catalogue().defines_symbol)
    names = [token for token in tokenize(text) if token.kind in (Kind.VALUE, Kind.BLOCK, Kind.SYMBOL)]
    assert names
    assert [token for token in names if index.definition(token.start) is None] == []
