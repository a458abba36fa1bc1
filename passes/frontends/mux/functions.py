"""Reads the functions that a module defines: their attributes and metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import llvmlite.binding as llvm

_HEAD = re.compile(
    r"^define [^@\n]*@(?P<name>\"[^\"]*\"|[\w.$-]+)\(.*?(?P<metadata>(?: ![\w.]+ !\d+)*) \{$", re.MULTILINE
)
_NODE = re.compile(r"^(?P<name>!\d+) = (?:distinct )?!\{(?P<content>.*)\}$", re.MULTILINE)
_ATTRIBUTE = re.compile(r'"([^"]+)"(?:="([^"]*)")?')


@dataclass(frozen=True)
class DefinedFunction:
    """A function with a body. `attributes` are those with texts as names, `metadata` the contents of its nodes."""

    name: str
    result: str
    parameters: int
    attributes: Mapping[str, str]
    metadata: Mapping[str, str]


def functions_of(module: llvm.ModuleRef, text: str) -> list[DefinedFunction]:
    """Returns the functions that a module defines; `text` is the module as LLVM prints it."""
    nodes = {found["name"]: found["content"] for found in _NODE.finditer(text)}
    metadata = {}
    for head in _HEAD.finditer(text):
        kinds = re.findall(r"!([\w.]+) (!\d+)", head["metadata"])
        metadata[head["name"].strip('"')] = {kind: nodes.get(node, "") for kind, node in kinds}
    return [
        DefinedFunction(
            function.name,
            str(next(iter(function.global_value_type.elements))),
            sum(1 for _ in function.arguments),
            {name: value for each in function.attributes for name, value in _ATTRIBUTE.findall(str(each))},
            metadata.get(function.name, {}),
        )
        for function in module.functions
        if not function.is_declaration
    ]


def numbers(content: str) -> list[int] | None:
    """Returns the integers of 32 bits that a node consists of, or `None` if it has something else."""
    parts = [part.strip() for part in content.split(",")] if content else []
    found = [re.fullmatch(r"i32 (-?\d+)", part) for part in parts]
    return [int(each[1]) for each in found if each is not None] if all(found) else None
