"""Names of xDSL that the parser overrides exist, so that a release that renames one is noticed by name."""

from __future__ import annotations

import inspect
import re

import pytest
from xdsl.parser import AttrParser, Parser
from xdsl.utils.mlir_lexer import MLIRLexer

from tests.unit.xegpu.dialects.support import context
from xegpu.diagnostics import LocatingParser, SourceBuffer
from xegpu.diagnostics.mlir import literals, locations, parsing

OVERRIDING = [
    (LocatingParser, Parser),
    (locations.LocationParser, Parser),
    (literals.Lexer, MLIRLexer),
    (literals.DenseElement, AttrParser._TensorLiteralElement),
]


@pytest.mark.parametrize(("ours", "base"), OVERRIDING, ids=lambda value: value.__name__)
def test_each_method_that_overrides_one_of_xdsl_has_it(ours, base):
    overriding = {name for name, value in vars(ours).items() if _overrides(value)}
    assert overriding
    assert overriding <= {name for name in dir(base) if inspect.isroutine(getattr(base, name))}


def _overrides(value: object) -> bool:
    return getattr(getattr(value, "__func__", value), "__override__", False)


@pytest.mark.parametrize("module", [parsing, locations], ids=lambda module: module.__name__)
def test_each_private_member_that_the_parser_uses_exists(module):
    parser = LocatingParser(context(), SourceBuffer("test", ""))
    names = set(re.findall(r"self\.(_\w+)", inspect.getsource(module)))
    assert names
    assert {name for name in names if not hasattr(parser, name)} == set()
