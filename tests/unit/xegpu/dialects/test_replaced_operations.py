"""The product uses our form of each operation of xDSL that ours replaces: rules know one class per operation."""

import ast
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from xdsl.ir import Operation

from tests.structure import trees
from xegpu.dialects import DIALECTS, dialects

OURS = {kind.name: kind for prefix in DIALECTS for kind in dialects()[prefix]().operations}


def used(tree: ast.Module) -> Iterator[object]:
    """Yields what a module imports from the dialects of xDSL, or names as a part of one."""
    modules: dict[str, ModuleType] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("xdsl.dialects"):
            for alias in node.names:
                found = getattr(import_module(node.module or ""), alias.name, None)
                if isinstance(found, ModuleType):
                    modules[alias.asname or alias.name] = found
                yield found
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield getattr(modules[node.value.id], node.attr, None)


def test_operations_of_xdsl_are_not_used_where_ours_replace_them() -> None:
    """Only the dialect itself does, to derive from them."""
    wrong = []
    for module, tree in trees().items():
        for found in used(tree):
            if isinstance(found, type) and issubclass(found, Operation):
                ours = OURS.get(getattr(found, "name", ""), found)
                if ours is not found and not module.startswith(f"xegpu.dialects.upstream.{ours.dialect_name()}"):
                    wrong.append(f"{module}: use {ours.__module__}.{ours.__name__}")
    assert wrong == []
