"""The pages about dialects say what the dialects are."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.traits import HasParent
from xdsl.utils.mlir_lexer import MLIRTokenKind

from docs.dialects.generator.descriptions import describe_attribute, describe_op
from docs.dialects.generator.folder import pages
from docs.dialects.generator.page import DialectPage
from tests.unit.dialects.support import context, parse_attribute
from xegpu.diagnostics import LocatingParser, Source, verify
from xegpu.dialects import DIALECTS

PAGES = pages()
OTHER_NAMES = {"xegpu.memory_scope": "xegpu.memory_space"}
FOLDER = Path(__file__).parents[3] / "docs/dialects"

FORMS = [(form, [op.name for op in ops]) for prefix in DIALECTS for form, ops in DialectPage(prefix).forms.items()]
DESCRIPTIONS = {form: describe_op(form, names) for form, names in FORMS}
EXAMPLES = [
    pytest.param(names, example, id=f"{names[0]}-{number}")
    for form, names in FORMS
    for number, example in enumerate(DESCRIPTIONS[form].examples)
]


ATTRIBUTES = {
    attribute: describe_attribute(attribute)
    for prefix in DIALECTS
    for attribute in DialectPage(prefix).described_attributes
}


def read(example):
    """The one op that an example is, and a module that holds it behind what it uses."""
    parser = LocatingParser(context(), Source("example", example))
    op = parser.parse_op()
    assert parser._current_token.kind is MLIRTokenKind.EOF
    used = [value for values in parser.forward_ssa_references.values() for value in values.values()]
    source = test.TestOp(result_types=[value.type for value in used])
    for value, result in zip(used, source.results, strict=True):
        value.replace_all_uses_with(result)
    return op, ModuleOp([source, op])


def printed(op):
    text = StringIO()
    Printer(stream=text).print_op(op)
    return text.getvalue()


def normal(text):
    """`text` in one line, with values and blocks called by the order in which they occur; plain integers are i64."""
    names = {}
    text = re.sub(r"[%^][\w$.]+", lambda match: f"{match[0][0]}{names.setdefault(match[0], len(names))}", text)
    return " ".join(text.replace(" : i64", "").split())


@pytest.mark.parametrize("name", PAGES)
def test_the_committed_pages_are_current(name):
    assert (FOLDER / name).read_text() == PAGES[name], "run python docs/dialects/generate.py"


def test_there_are_no_other_pages():
    assert {path.name for path in FOLDER.glob("*.md")} == PAGES.keys()


@pytest.mark.parametrize("form", DESCRIPTIONS, ids=lambda form: f"{form.__module__}.{form.__name__}")
def test_every_op_of_ours_is_described_with_an_example(form):
    text, examples = DESCRIPTIONS[form]
    assert text
    assert examples


@pytest.mark.parametrize(("names", "example"), EXAMPLES)
def test_examples_hold_the_op_verify_and_are_printed_as_they_are_written(names, example):
    op, module = read(example)
    assert any(inner.name in names for inner in op.walk())
    assert normal(printed(op)) == normal(example)
    if not op.has_trait(HasParent):
        verify(module)


@pytest.mark.parametrize("attribute", ATTRIBUTES, ids=lambda attribute: attribute.name)
def test_types_and_attributes_are_described_with_an_example(attribute):
    text, examples = ATTRIBUTES[attribute]
    assert text
    assert examples


@pytest.mark.parametrize(
    ("attribute", "example"),
    [
        pytest.param(attribute, example, id=f"{attribute.name}-{number}")
        for attribute, (_, examples) in ATTRIBUTES.items()
        for number, example in enumerate(examples)
    ],
)
def test_examples_of_attributes_are_printed_as_they_are_written(attribute, example):
    parsed = parse_attribute(example)
    assert parsed.name == OTHER_NAMES.get(attribute.name, attribute.name)
    assert parsed.name != attribute.name or normal(str(parsed)) == normal(example)


def test_ops_that_need_a_parent_are_in_an_example_of_it():
    examples = [read(example)[0] for description in DESCRIPTIONS.values() for example in description.examples]
    verified = {inner.name for op in examples if not op.has_trait(HasParent) for inner in op.walk()}
    # No example of its parent, which are all in custom form, can hold this terminator of the generic form.
    assert {op.name for op in examples} - verified <= {"gpu.module_end"}


def level(heading):
    return len(heading) - len(heading.lstrip("#"))


@pytest.mark.parametrize("name", PAGES)
def test_pages_have_no_empty_sections(name):
    lines = [line for line in PAGES[name].splitlines() if line]
    for line, following in zip(lines, [*lines[1:], "# "], strict=True):
        if re.match("#+ ", line):
            assert not re.match(rf"#{{1,{level(line)}}} ", following), line
