"""The page about one dialect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

from xdsl.context import Context
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import ParseError, VerifyException

from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import DIALECTS, dialects, register_dialects
from xegpu.dialects.documentation import anchor, attribute_lines, code, form_of, operation, sigil, signature, table
from xegpu.dialects.upstream.llvm import (
    BareIntrinsicOp,
    CallingIntrinsicOp,
    IntrinsicOp,
    ListedIntrinsicOp,
    TypedIntrinsicOp,
)
from xegpu.dialects.xe import AluOp, ImageOp, MessageOp
from xegpu.mlir import LocatingParser

from .rules import Rule, tested_rules

_TESTS = Path(__file__).parents[3] / "tests/lit/dialects"

_FORMS: dict[type, str] = {
    AluOp: "ALU instructions",
    ImageOp: "Messages to images",
    MessageOp: "Messages",
    BareIntrinsicOp: "Intrinsics without operands",
    CallingIntrinsicOp: "Intrinsics as calls",
    IntrinsicOp: "Intrinsics in generic form",
    ListedIntrinsicOp: "Intrinsics with types as functions have",
    TypedIntrinsicOp: "Intrinsics of one type",
}
"""Titles of what several ops share."""


class DialectPage:
    """The page of one of our dialects."""

    def __init__(self, prefix: str):
        self.prefix = prefix
        self.introduction = cleandoc(import_module(DIALECTS[prefix][0]).__doc__ or "")
        dialect = dialects()[prefix]()
        self.attributes = sorted(dialect.attributes, key=lambda attribute: attribute.name)
        self.operations = sorted(dialect.operations, key=lambda op: op.name)

    @cached_property
    def _rules(self) -> Mapping[str, Sequence[Rule]]:
        return tested_rules(_context(), _TESTS / self.prefix)

    @property
    def forms(self) -> dict[type, list[type[IRDLOperation]]]:
        """Our ops, grouped by the class whose doc string describes them."""
        forms: dict[type, list[type[IRDLOperation]]] = {}
        for op in self.operations:
            if issubclass(op, IRDLOperation) and not _is_foreign(op) and not _is_other_name(op):
                forms.setdefault(form_of(op), []).append(op)
        return forms

    @property
    def described_attributes(self) -> list[type[Attribute]]:
        """Our types and attributes, but for those that are refused."""
        return [entry for entry in self.attributes if not _is_foreign(entry) and not _is_refused(entry)]

    def lines(self) -> Iterator[str]:
        """The page as Markdown."""
        yield "<!-- Made by `python docs/dialects/generate.py`; change the doc strings instead. -->"
        yield from (f"# The `{self.prefix}` dialect", "", self.introduction)
        if self.described_attributes:
            yield from ("", "## Types and attributes")
        for attribute in self.described_attributes:
            yield from _attribute(attribute, self._rules.get(attribute.name, ()))
        titles = {form: _FORMS.get(form, f"`{ops[0].name}`") for form, ops in self.forms.items()}
        if titles:
            links = (f"[{title}](#{anchor(title)})" for title in titles.values())
            yield from ("", "## Operations", "", " · ".join(links))
        for form, ops in self.forms.items():
            rules = [rule for op in ops for rule in self._rules.get(op.name, ())]
            yield from operation(titles[form], ops, form)
            yield from _rules_table(rules)
        yield from self._other_names()
        refused = [attribute for attribute in self.attributes if _is_refused(attribute)]
        yield from _refused([*refused, *(op for op in self.operations if not issubclass(op, IRDLOperation))])
        yield from self._foreign()

    def _other_names(self) -> Iterator[str]:
        others = [op for op in self.operations if issubclass(op, IRDLOperation) and _is_other_name(op)]
        if others:
            yield from ("", "## Other names", "", "Read, and printed under the name of the dialect.")
            yield from table(
                ("Name", "Read as"), [(f"`{op.name}`", f"`{op.get_irdl_definition().name}`") for op in others]
            )

    def _foreign(self) -> Iterator[str]:
        """Lists what xDSL has, and the rules that we add to it."""
        ops = [op for op in self.operations if issubclass(op, IRDLOperation) and _is_foreign(op)]
        attributes = [f"`{sigil(entry)}{entry.name}`" for entry in self.attributes if _is_foreign(entry)]
        if ops or attributes:
            yield from ("", "## From xDSL", "", "What xDSL has and is used as it is, written as MLIR writes it.")
        if attributes:
            yield from ("", f"Types and attributes: {', '.join(attributes)}.")
        yield from table(("Operation", "Operands", "Results"), [(f"`{op.name}`", *_summary(op)) for op in ops])
        yield from _rules_table(rule for op in ops for rule in self._rules.get(op.name, ()))


def _rules_table(rules: Iterable[Rule]) -> Iterator[str]:
    """Messages, and what they are given for."""
    return table(("Error", "Given for"), [(code(rule.message), code(rule.code)) for rule in rules])


def _context() -> Context:
    context = Context()
    register_dialects(context)
    return context


def _is_foreign(entry: type[Operation] | type[Attribute]) -> bool:
    return entry.__module__.startswith("xdsl.dialects.")


def _is_other_name(op: type[IRDLOperation]) -> bool:
    return op.get_irdl_definition().name != op.name


def _is_refused(attribute: type[Attribute]) -> bool:
    """Returns whether the method that parses the attribute never returns; annotations are strings."""
    reader = getattr(attribute, "parse_parameters", None)
    return reader is not None and reader.__annotations__.get("return") == "NoReturn"


def _attribute(attribute: type[Attribute], rules: Sequence[Rule]) -> Iterator[str]:
    yield from attribute_lines(attribute)
    yield from _rules_table(rules)


def _refused(entries: Sequence[type[Operation] | type[Attribute]]) -> Iterator[str]:
    if entries:
        yield from ("", "## Refused", "", "Names of other versions that have no counterpart here, with the error.")
        yield from table(("Name", "Error"), [(f"`{_written(entry)}`", code(_refusal(entry))) for entry in entries])


def _written(entry: type[Operation] | type[Attribute]) -> str:
    return entry.name if issubclass(entry, Operation) else f"{sigil(entry)}{entry.name}"


def _refusal(entry: type[Operation] | type[Attribute]) -> str:
    """Returns the error for text that has `entry`."""
    parser = LocatingParser(_context(), SourceBuffer(entry.name, _written(entry)))
    try:
        if issubclass(entry, Operation):
            parser.parse_op()
        elif issubclass(entry, ParametrizedAttribute):
            parser.parse_optional_type() or parser.parse_optional_attribute()
    except ParseError as error:
        return error.msg
    except VerifyException as error:
        return str(error)
    raise AssertionError(f"{entry.name} is read")


def _summary(op: type[IRDLOperation]) -> tuple[str, str]:
    """Operands and results in one line each."""
    operands, results = signature(op.get_irdl_definition())
    return _listed(operands), _listed(results)


def _listed(values: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name}: {words}" for name, words in values)
