"""The pages about dialects say what the dialects are."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.traits import HasParent

from docs.dialects.generator.folder import pages
from docs.dialects.generator.page import DialectPage
from tests.paths import ROOT
from tests.unit.xegpu.dialects.support import context, parse_attribute
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import DIALECTS
from xegpu.dialects.documentation import describe_attribute, describe_op
from xegpu.dialects.printer import MLIRPrinter
from xegpu.mlir import LocatingParser, verify

pytestmark = pytest.mark.docs

FOLDER = ROOT / "docs/dialects"
FILES = ["README.md", "replaced.md", *(f"{prefix}.md" for prefix in DIALECTS)]
OTHER_NAMES = {"xegpu.memory_scope": "xegpu.memory_space"}

DIALECT_PAGES = [DialectPage(prefix) for prefix in DIALECTS]
NAMES = {form: [op.name for op in ops] for page in DIALECT_PAGES for form, ops in page.forms.items()}
OPS = {form: describe_op(form, names) for form, names in NAMES.items()}
ATTRIBUTES = {entry: describe_attribute(entry) for page in DIALECT_PAGES for entry in page.described_attributes}


def examples(descriptions, names):
    """Returns a parameter for each example of everything that is described."""
    return [
        pytest.param(entry, example, id=f"{names(entry)}-{number}")
        for entry, description in descriptions.items()
        for number, example in enumerate(description.examples)
    ]


@pytest.fixture(scope="module")
def made():
    return pages()


def read(example):
    """The one op that an example is, and a module that holds it behind what it uses."""
    parser = LocatingParser(context(), SourceBuffer("example", example))
    op = parser.parse_op()
    assert parser.pos == len(example)
    used = [value for values in parser.forward_ssa_references.values() for value in values.values()]
    source = test.TestOp(result_types=[value.type for value in used])
    for value, result in zip(used, source.results, strict=True):
        value.replace_all_uses_with(result)
    return op, ModuleOp([source, op])


def printed(op):
    text = StringIO()
    MLIRPrinter(stream=text).print_op(op)
    return text.getvalue()


def normal(text):
    """`text` in one line, with values and blocks called by the order in which they occur; plain integers are i64."""
    names = {}
    text = re.sub(r"[%^][\w$.]+", lambda match: f"{match[0][0]}{names.setdefault(match[0], len(names))}", text)
    return " ".join(text.replace(" : i64", "").split())


@pytest.mark.parametrize("name", FILES)
def test_the_committed_pages_are_current(made, name):
    assert (FOLDER / name).read_text() == made[name], "run python docs/dialects/generate.py"


def test_there_are_no_other_pages(made):
    assert {path.name for path in FOLDER.glob("*.md")} == made.keys() == {*FILES}


@pytest.mark.parametrize("form", OPS, ids=lambda form: NAMES[form][0])
def test_every_op_of_ours_is_described_with_an_example(form):
    text, found = OPS[form]
    assert text
    assert found


@pytest.mark.parametrize(("form", "example"), examples(OPS, lambda form: NAMES[form][0]))
def test_examples_hold_the_op_verify_and_are_printed_as_they_are_written(form, example):
    op, module = read(example)
    assert any(inner.name in NAMES[form] for inner in op.walk())
    assert normal(printed(op)) == normal(example)
    if not op.has_trait(HasParent):
        verify(module)


@pytest.mark.sampled(every=3)
def test_ops_that_need_a_parent_are_in_an_example_of_it():
    found = [read(example)[0] for description in OPS.values() for example in description.examples]
    verified = {inner.name for op in found if not op.has_trait(HasParent) for inner in op.walk()}
    # No example of its parent, which are all in custom form, can hold this terminator of the generic form.
    assert {op.name for op in found} - verified <= {"gpu.module_end"}


@pytest.mark.parametrize("attribute", ATTRIBUTES, ids=lambda attribute: attribute.name)
def test_types_and_attributes_are_described_with_an_example(attribute):
    text, found = ATTRIBUTES[attribute]
    assert text
    assert found


@pytest.mark.parametrize(("attribute", "example"), examples(ATTRIBUTES, lambda attribute: attribute.name))
def test_examples_of_attributes_are_printed_as_they_are_written(attribute, example):
    parsed = parse_attribute(example)
    assert parsed.name == OTHER_NAMES.get(attribute.name, attribute.name)
    assert parsed.name != attribute.name or normal(str(parsed)) == normal(example)


def level(heading):
    return len(heading) - len(heading.lstrip("#"))


@pytest.mark.parametrize("name", FILES)
def test_pages_have_no_empty_sections(made, name):
    lines = [line for line in made[name].splitlines() if line]
    for line, following in zip(lines, [*lines[1:], "# "], strict=True):
        if re.match("#+ ", line):
            assert not re.match(rf"#{{1,{level(line)}}} ", following), line


@pytest.mark.parametrize("name", FILES)
def test_pages_show_nothing_of_python(made, name):
    assert not re.search(r"<class|object at 0x|AnyAttr|Constraint\(|BaseAttr|\bNone\b|xegpu\.dialects", made[name])
