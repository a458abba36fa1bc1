"""Imports on demand happen with the first use, once, and disturb no others."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from xegpu.on_demand import import_names, imports_on_demand

WAREHOUSE = {
    "__init__.py": """
        from xegpu.on_demand import imports_on_demand

        with imports_on_demand(globals()):
            import warehouse.deep.tools as tools
            from warehouse.shelf import BOX as BOX, missing as missing

        HERE = 1

        def size():
            return tools.SIZE
    """,
    "shelf.py": "BOX = object()",
    "deep/__init__.py": "",
    "deep/tools.py": "SIZE = 3",
}


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    for name, text in WAREHOUSE.items():
        path = tmp_path / "warehouse" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = text.splitlines()
        path.write_text("\n".join(line.removeprefix(" " * 8) for line in lines))
    monkeypatch.syspath_prepend(tmp_path)
    yield __import__("warehouse")
    for name in [name for name in sys.modules if name.partition(".")[0] == "warehouse"]:
        del sys.modules[name]


def test_public_names_are_imported_when_they_are_asked_for(warehouse: ModuleType) -> None:
    assert "warehouse.shelf" not in sys.modules
    assert {"BOX", "HERE", "missing", "size"} <= set(dir(warehouse))
    from warehouse import BOX

    assert BOX is sys.modules["warehouse.shelf"].BOX
    assert vars(warehouse)["BOX"] is BOX


def test_a_stand_in_gives_way_to_its_module(warehouse: ModuleType) -> None:
    assert "warehouse.deep.tools" not in sys.modules
    assert warehouse.size() == 3
    assert warehouse.tools is sys.modules["warehouse.deep.tools"]


def test_names_that_are_nowhere(warehouse: ModuleType) -> None:
    with pytest.raises(AttributeError, match="module 'warehouse' has no attribute 'nothing'"):
        _ = warehouse.nothing
    with pytest.raises(AttributeError, match=r"module 'warehouse.shelf' has no attribute 'missing'"):
        _ = warehouse.missing


def test_all_names_can_be_imported_at_once(warehouse: ModuleType) -> None:
    warehouse.__dict__["__dir__"] = lambda: ["BOX", "HERE"]
    import_names(warehouse)
    assert "BOX" in vars(warehouse)


def test_a_star_takes_names_on_demand(warehouse: ModuleType) -> None:
    sys.modules["warehouse.shelf"] = shelf = ModuleType("warehouse.shelf")
    vars(shelf).update(BOX="box", missing="found")
    taken: dict[str, object] = {}
    exec("from warehouse import *", taken)
    assert (taken["BOX"], taken["missing"], taken["HERE"]) == ("box", "found", 1)


def test_imports_of_other_modules_happen_in_the_block() -> None:
    with imports_on_demand({"__name__": "own"}), pytest.raises(ModuleNotFoundError):
        import nothing_of_this_name  # noqa: F401


def test_blocks_of_two_threads_leave_no_trace() -> None:
    """A block that ends after one that began later has kept its way of importing; it then passes on to Python's."""
    before = builtins.__import__
    first, second = {"__name__": "first"}, {"__name__": "second"}
    outer, inner = imports_on_demand(first), imports_on_demand(second)
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    inner.__exit__(None, None, None)
    try:
        exec("import json as found", first)
        exec("import json as found", second)
        assert first["found"] is second["found"] is sys.modules["json"]
    finally:
        builtins.__import__ = before
