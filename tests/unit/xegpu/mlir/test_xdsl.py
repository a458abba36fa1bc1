"""The border to xDSL: its private names that are used exist, so that a release that renames one is noticed by name."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import xdsl
from xdsl.context import Context
from xdsl.dialects import affine, get_all_dialects
from xdsl.ir import Block, Dialect
from xdsl.parser import AttrParser, Parser
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from tests.structure import sources, trees
from xegpu.mlir import LocatingParser, attributes, literals, locations, wording
from xegpu.mlir.affine import SemiAffineParser

BORDER = "xegpu.mlir"

OVERRIDING = [
    (LocatingParser, Parser),
    (attributes.AttributeParser, Parser),
    (locations.LocationParser, Parser),
    (literals.Lexer, MLIRLexer),
    (literals.DenseElement, AttrParser._TensorLiteralElement),
    (SemiAffineParser, AffineParser),
]
"""Our classes that override methods, each with xDSL's."""

PRIVATE = {
    AttrParser: {
        "_TensorLiteralElement",
        "_current_token",
        "_parse_attribute_type",
        "_parse_dense_literal_type",
        "_parse_dialect_symbol_body",
        "_parse_location",
        "_parse_optional_integer_or_float_type",
        "_parse_optional_token",
        "_parse_tensor_literal_element",
        "_parse_token",
        "_parser_state",
        "_resume_from",
    },
    Parser: {
        "_get_block_from_name",
        "_get_op_by_name",
        "_parse_alias_def",
        "_parse_block",
        "_parse_block_body",
        "_parse_file_metadata_dictionary",
        "_parse_op_result_list",
        "_parse_optional_block_arg_list",
        "_register_ssa_definition",
    },
    MLIRLexer: {"_lex_bare_identifier", "_lex_number", "_unescaped_characters_regex"},
    AffineParser: {"_create_binop_expr", "_parse_affine_expr"},
    Block: {"_args"},
    Dialect: {"_interfaces"},
    affine: {"_print_affine_expr_of_ssa_ids"},
}
"""The private names of xDSL that the border uses or overrides, by the class or module that has them."""

REWORDED = {
    '%a, %b = "test.op"() : () -> i32': "Operation has",
    '%a = "test.op"() : () -> i32 "test.op"(%a#1) : (i32) -> ()': "SSA value tuple",
    '"test.op"(%a#1) : (i32) -> () %a = "test.op"() : () -> i32': "SSA value %",
    '"test.op"(%a) : (i32) -> () %a = "test.op"() : () -> f32': "Result",
    '"test': "End of file",
    '"test.op"() : () -> ! i32': "Expected suffix",
    ";": "Unexpected character",
    '"test.op"() {a = dense<"0xZZ"> : tensor<4xi8>} : () -> ()': "Hex string",
}
"""Texts, and how the pattern begins that the message of xDSL's own parser fits."""


@pytest.mark.parametrize(("ours", "base"), OVERRIDING, ids=lambda value: value.__name__)
def test_each_method_that_overrides_one_of_xdsl_has_it(ours, base):
    overriding = {name for name, value in vars(ours).items() if _overrides(value)}
    assert overriding
    assert overriding <= {name for name in dir(base) if inspect.isroutine(getattr(base, name))}


def _overrides(value: object) -> bool:
    return getattr(getattr(value, "__func__", value), "__override__", False)


@pytest.mark.parametrize(
    ("owner", "name"), [(owner, name) for owner, names in PRIVATE.items() for name in sorted(names)]
)
def test_each_private_name_exists(owner, name):
    annotated = {field for base in getattr(owner, "__mro__", ()) for field in vars(base).get("__annotations__", ())}
    assert hasattr(owner, name) or name in annotated


def test_the_list_of_private_names_is_complete():
    used = {name for module in sources() if module.startswith(BORDER) for name in _private_names(trees()[module])}
    assert used & _names_of_xdsl() == set().union(*PRIVATE.values())


def test_no_other_package_uses_private_names():
    names = _names_of_xdsl()
    for module, tree in trees().items():
        if not module.startswith(BORDER) and _imports_xdsl(tree):
            assert not (_private_names(tree) - _defined(tree)) & names, module


def _private_names(tree: ast.Module) -> set[str]:
    """Private names that a module imports, and attributes that it uses or overrides."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found.update(alias.name for alias in node.names if (node.module or "").startswith("xdsl"))
        elif isinstance(node, ast.ClassDef):
            found.update(_targets(node.body))
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def _targets(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef):
            yield statement.name
        elif isinstance(statement, ast.Assign):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))


def _defined(tree: ast.Module) -> set[str]:
    """The names of functions, classes and attributes that a module defines."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def _imports_xdsl(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.ImportFrom) and (node.module or "").startswith("xdsl") for node in ast.walk(tree))


def _names_of_xdsl() -> set[str]:
    """Names that xDSL's parser, printer, IR and dialects define."""
    files = [
        Path(module.module_finder.path, *module.name.split(".")[-1:]).with_suffix(".py")
        for module in pkgutil.walk_packages(xdsl.__path__, "xdsl.")
        if re.match(r"xdsl\.(parser|ir|irdl|dialects|utils|context|printer)\b", module.name) and not module.ispkg
    ]
    return set().union(*(_defined(ast.parse(file.read_text())) for file in files))


@pytest.mark.parametrize(("text", "begin"), REWORDED.items())
def test_xdsl_still_says_what_is_reworded(text, begin):
    with pytest.raises(ParseError) as failure:
        _parse(text)
    (pattern,) = (pattern for pattern, _ in wording._WORDING if pattern.pattern.startswith(begin))
    assert pattern.search(failure.value.msg)


def test_each_reworded_text_is_provoked():
    assert len(REWORDED) == len(wording._WORDING)


def test_words_for_tokens_are_those_of_the_lexer():
    assert set(wording._TOKENS) <= {kind.name for kind in MLIRTokenKind}


def _parse(text: str) -> None:
    context = Context()
    for name in ("builtin", "test"):
        context.register_dialect(name, get_all_dialects()[name])
    Parser(context, text).parse_module()
