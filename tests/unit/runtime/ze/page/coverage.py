"""Finds the tests that call each function, in the text of the tests."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.paths import ROOT

FOLDERS = tuple(f"tests/unit/runtime/{name}" for name in ("ze", "zes", "zet", "api", "ze/fuzz"))
API_MODULES = {"ze", "zes", "zet"}


@dataclass(frozen=True)
class Test:
    """A test, by its file and its name in that, and the functions of the API that it calls itself."""

    file: str
    name: str
    calls: frozenset[str]

    @property
    def path(self) -> str:
        return f"{self.file}::{self.name}"


def _calls(tree: ast.AST) -> Iterator[str]:
    """The functions that are called or handed on: `ze.zeInit`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in API_MODULES:
            yield node.attr


def _tests_in(path: Path) -> Iterator[Test]:
    file = path.relative_to(ROOT).as_posix()
    for node in ast.parse(path.read_text()).body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        for member in members:
            if isinstance(member, ast.FunctionDef) and member.name.startswith("test_"):
                yield Test(file, prefix + member.name, frozenset(_calls(member)))


@cache
def tests() -> tuple[Test, ...]:
    """All tests of the runtime, file by file."""
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("test_*.py"))
    return tuple(test for path in paths for test in _tests_in(path))


@cache
def by_function() -> Mapping[str, tuple[Test, ...]]:
    """The tests that call a function, those that call the fewest others first."""
    found: dict[str, list[Test]] = defaultdict(list)
    for test in sorted(tests(), key=lambda test: len(test.calls)):
        for name in test.calls:
            found[name].append(test)
    return {name: tuple(calling) for name, calling in found.items()}


def exists(path: str) -> bool:
    """Returns whether there is a test, a class of tests or a file of tests at this path."""
    return any(test.path == path or test.path.startswith(f"{path}::") for test in tests())
