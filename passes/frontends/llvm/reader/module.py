"""Reads modules of LLVM IR as LLVM prints them: one statement a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from xdsl.ir import Attribute, Operation

from passes.frontends.llvm.reader.instructions import (
    Instruction,
    read_instruction,
    skip_attribute,
    unquoted,
)
from passes.frontends.llvm.reader.metadata import Metadata
from passes.frontends.llvm.reader.tokens import Statement, code_of
from passes.frontends.llvm.reader.types import TypeReader
from passes.frontends.llvm.reader.values import Value, read_value

_LABEL = re.compile(r'^(?:([-\w.$]+)|"([^"]*)"):')
_ATTRIBUTES = re.compile(r"attributes (#\d+) = \{(.*)\}")
_QUOTED = re.compile(r'"([^"]*)"(?:="([^"]*)")?')
_SKIPPED = ("target ", "source_filename", "attributes ", "module asm", "$", ";", "declare ")
_KERNEL = "spir_kernel"
_LINKAGES_WITHOUT_VALUE = frozenset({"external", "extern_weak", "available_externally"})
"""The linkages of variables whose value another module sets."""
_LOCAL_LINKAGES = frozenset({"internal", "private"})


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function; `by_value` is the type of a structure that a pointer passes by value."""

    name: str
    type: Attribute
    by_value: Attribute | None = None


@dataclass(frozen=True)
class Block:
    """A basic block."""

    label: str
    instructions: list[Instruction] = field(default_factory=list)


@dataclass(frozen=True)
class Function:
    """A function with a body.

    `metadata` has the names of nodes that belong to it by their kinds, `attributes` the values of those in quotes.
    """

    statement: Statement
    name: str
    parameters: list[Parameter]
    blocks: list[Block]
    metadata: dict[str, str]
    is_kernel: bool
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Variable:
    """A variable of the module; no value stands for one that the module does not set. Others can use shared ones."""

    statement: Statement
    name: str
    type: Attribute
    space: int
    value: Value | None
    is_constant: bool
    alignment: int
    is_shared: bool


@dataclass
class Module:
    """Holds the contents of a module, and the operations of MLIR that functions of their names stand for."""

    functions: list[Function] = field(default_factory=list)
    variables: dict[str, Variable] = field(default_factory=dict)
    metadata: Metadata = field(default_factory=Metadata)
    operations: Mapping[str, Operation] = field(default_factory=dict)


def read_module(text: str, filename: str) -> Module:
    """Returns the module in a text. Raises `CompileError` at the first statement that is not supported."""
    return _ModuleReader(text, filename).read()


class _ModuleReader:
    def __init__(self, text: str, filename: str):
        self._lines = text.split("\n")
        self._filename = filename
        self._module = Module()
        definitions: dict[str, Statement] = {}
        self._attributes: dict[str, dict[str, str]] = {}
        for number, line in enumerate(self._lines, 1):
            if line[:1] == "!":
                self._module.metadata.add(line)
            elif line[:1] == "%" and " = type " in line:
                statement = Statement(line, filename, number)
                name = statement.take()
                statement.take()
                statement.take()
                definitions[name] = statement
            elif group := _ATTRIBUTES.match(line):
                self._attributes[group[1]] = dict(_QUOTED.findall(group[2]))
        self._types = TypeReader(definitions)

    def read(self) -> Module:
        lines = enumerate(self._lines, 1)
        for number, line in lines:
            first = line[:1]
            if not first or first in "%!" or line.startswith(_SKIPPED):
                continue
            statement = self._statement(line, number)
            if first == "@":
                self._variable(statement)
            elif line.startswith("define "):
                self._function(statement, lines)
            else:
                statement.error(f"starts with {statement.peek()!r}: expected a statement of LLVM IR")
        return self._module

    def _statement(self, text: str, line: int) -> Statement:
        return Statement(text, self._filename, line, self._module.metadata.place)

    def _variable(self, statement: Statement) -> None:
        name = unquoted(statement.take())
        statement.expect("=")
        words, space = set(), 0
        while (word := statement.take()) not in ("global", "constant"):
            if word in ("alias", "ifunc"):
                statement.error("is an alias, which is not supported")
            if word == "addrspace":
                statement.expect("(")
                space = statement.integer()
                statement.expect(")")
            elif statement.peek() == "(":
                statement.skip_group()
            words.add(word)
        type = self._types.read(statement)
        has_value = not (words & _LINKAGES_WITHOUT_VALUE) and statement.peek() not in ("", ",")
        value = read_value(statement, self._types, type) if has_value else None
        while statement.peek() not in ("align", ""):
            statement.take()
        alignment = statement.integer() if statement.accept("align") else 0
        self._module.variables[name] = Variable(
            statement, name, type, space, value, word == "constant", alignment, not words & _LOCAL_LINKAGES
        )

    def _function(self, statement: Statement, lines: Iterator[tuple[int, str]]) -> None:
        words = []
        while statement.peek()[:1] != "@":
            words.append(statement.take())
        name = unquoted(statement.take())
        parameters = statement.items("(", lambda: self._parameter(statement))
        parameters = [
            p if p.name else Parameter(f"%{number}", p.type, p.by_value) for number, p in enumerate(parameters)
        ]
        rest = statement.rest()
        attributes = next((self._attributes[word] for word in rest if word in self._attributes), {})
        metadata = {kind[1:]: node for kind, node in pairwise(rest) if kind[:1] == node[:1] == "!"}
        unnamed = sum(parameter.name[1:].isdigit() for parameter in parameters)
        blocks = self._body(lines, f"%{unnamed}")
        is_kernel = _KERNEL in words
        self._module.functions.append(Function(statement, name, parameters, blocks, metadata, is_kernel, attributes))

    def _parameter(self, statement: Statement) -> Parameter:
        if statement.peek() == "...":
            statement.error("takes any number of arguments, which is not supported")
        type, by_value = self._types.read(statement), None
        while True:
            if statement.accept("byval"):
                statement.expect("(")
                by_value = self._types.read(statement)
                statement.expect(")")
            elif (token := statement.peek())[:1].isalpha():
                skip_attribute(statement)
            elif token[:1] == '"':
                statement.take()
                if statement.accept("="):
                    statement.take()
            else:
                break
        name = statement.take() if token[:1] == "%" else ""
        return Parameter(name, type, by_value)

    def _body(self, lines: Iterator[tuple[int, str]], entry: str) -> list[Block]:
        blocks: list[Block] = []
        for number, line in lines:
            if line == "}":
                return blocks
            if not line or line.startswith(";"):
                continue
            label = _LABEL.match(line)
            if label is not None:
                blocks.append(Block("%" + (label[1] or f'"{label[2]}"')))
                continue
            text = line.lstrip()
            if text.startswith(("#dbg_", ";")):
                continue
            if text.startswith("switch "):
                while "]" not in line:
                    _, line = next(lines, (0, "]"))
                    text += code_of(line)
            if not blocks:
                blocks.append(Block(entry))
            blocks[-1].instructions.append(read_instruction(self._statement(text, number), self._types))
        Statement("", self._filename, len(self._lines)).error("ends inside a function")
