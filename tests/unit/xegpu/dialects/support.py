"""Helpers shared by several tests of dialects."""

from __future__ import annotations

from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation

from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.dialects.printer import MLIRPrinter
from xegpu.mlir import LocatingParser, parse_module, verify


def context() -> Context:
    result = Context()
    register_dialects(result)
    return result


def parse(text: str) -> ModuleOp:
    """A module that verifies."""
    module = parse_module(context(), SourceBuffer("test", text))
    verify(module)
    return module


def parse_attribute(text: str) -> Attribute:
    """A type or attribute; nothing may follow it."""
    parser = LocatingParser(context(), SourceBuffer("test", text))
    attribute = parser.parse_type() if text.startswith("!") else parser.parse_attribute()
    assert parser.pos == len(text)
    return attribute


def custom(op: Operation) -> str:
    """The op in custom form, as `xegpu-opt` prints it."""
    text = StringIO()
    MLIRPrinter(stream=text).print_op(op)
    return text.getvalue()


def generic(op: Operation) -> str:
    text = StringIO()
    MLIRPrinter(stream=text, print_generic_format=True).print_op(op)
    return text.getvalue()
