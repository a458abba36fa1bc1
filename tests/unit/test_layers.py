"""The arrows between packages point one way, and commands that need little import little."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

ALLOWED = {
    "xegpu.targets": {"xegpu.targets"},
    "xegpu.graphs": {"xegpu.graphs"},
    "xegpu.isa": {"xegpu.isa", "xegpu.targets", "xegpu.graphs"},
    "xegpu.diagnostics": {"xegpu.diagnostics"},
    "xegpu.mlir": {"xegpu.mlir", "xegpu.diagnostics", "xegpu.graphs"},
    "xegpu.dialects": {"xegpu.dialects", "xegpu.diagnostics", "xegpu.mlir", "xegpu.isa", "xegpu.targets", "xegpu"},
    "passes": {"passes", "xegpu"},
    "zebin": {"zebin", "xegpu.isa", "xegpu.targets", "xegpu.__version__"},
    "runtime.concurrency": {"runtime.concurrency"},
    "runtime.private_files": {"runtime.private_files"},
    "runtime.disk_cache": {"runtime.disk_cache", "runtime.private_files"},
    "runtime.llvm": {"runtime.llvm", "runtime.concurrency", "runtime.disk_cache", "xegpu.isa"},
    "runtime.simulator": {
        "runtime.simulator",
        "runtime.concurrency",
        "runtime.disk_cache",
        "runtime.llvm",
        "xegpu.isa",
        "xegpu.targets",
    },
    "runtime.card": {"runtime.card", "runtime.concurrency", "runtime.private_files", "xegpu.targets"},
    "runtime.debuggee": {
        "runtime.debuggee",
        "runtime.card",
        "runtime.concurrency",
        "runtime.simulator",
        "zebin",
        "xegpu.isa",
        "xegpu.targets",
    },
    "runtime.debugger": {"runtime.debugger", "runtime.concurrency", "runtime.simulator", "xegpu.isa", "xegpu.targets"},
    "runtime.driver": {
        "runtime.driver",
        "runtime.debugger",
        "runtime.mux",
        "runtime.private_files",
        "runtime.simulator",
        "runtime.ze",
        "xegpu.isa",
    },
    "runtime.ze": {
        "runtime.ze",
        "runtime.card",
        "runtime.concurrency",
        "runtime.debuggee",
        "runtime.mux",
        "runtime.simulator",
        "zebin",
        "xegpu.isa",
        "xegpu.targets",
    },
    "runtime": {"runtime", "zebin", "passes", "xegpu"},
    "tools": {"tools", "runtime", "zebin", "passes", "xegpu"},
}
"""The packages and modules of ours that a package may import; a name allows everything below it."""

FOR_ALL = {"xegpu.discovery", "xegpu.on_demand", "xegpu.markup", "xegpu.python_children"}
"""The modules that every package may import."""

CLASSES_ON_DEMAND = ("runtime.ze", "runtime.zes", "runtime.zet", "xegpu.isa", "zebin")
"""The packages of which programs import many data classes and use few; elsewhere they are those of Python."""

OURS = ("xegpu", "passes", "zebin", "runtime", "tools")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def package_of(module: str) -> str:
    return max((name for name in ALLOWED if module == name or module.startswith(f"{name}.")), key=len, default="xegpu")


def modules() -> list[tuple[str, Path]]:
    found = []
    for top in OURS:
        for path in sorted((ROOT / top).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            found.append((name, path))
    return found


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: value if isinstance(value, str) else "")
def test_imports_follow_the_layers(module: str, path: Path) -> None:
    package = package_of(module)
    allowed = ALLOWED.get(package, {"xegpu"})
    for imported in imports(path):
        if imported.split(".")[0] in OURS:
            assert any(imported == name or imported.startswith(f"{name}.") for name in allowed | FOR_ALL), (
                f"{module} imports {imported}"
            )


def test_data_classes_are_delayed_where_few_of_them_are_used() -> None:
    users = [module for module, path in modules() if "xegpu.on_demand.dataclass" in imports(path)]
    assert {package for module in users for package in CLASSES_ON_DEMAND if module.startswith(f"{package}.")} == {
        *CLASSES_ON_DEMAND
    }
    assert [module for module in users if not module.startswith(tuple(f"{name}." for name in CLASSES_ON_DEMAND))] == []


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("zebin", "xdsl"),
        ("runtime.simulator", "xdsl"),
        ("runtime", "xdsl"),
        ("xegpu.isa", "xdsl"),
        ("tools.opt.driver", "passes.pipelines"),  # who reads a module waits for no pass
        *(("zebin", module) for module in ("numpy", "xegpu.isa", "yaml", "elftools")),
    ],
)
def test_import_does_not_pull_in(module: str, forbidden: str) -> None:
    code = f"import sys, {module}; sys.exit({forbidden!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
