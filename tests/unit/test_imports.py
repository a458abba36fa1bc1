"""Programs wait for no module that they do not use: each start imports what is listed here, and nothing else."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib

import pytest

from tests.paths import ROOT
from tests.structure import offered

NEW_MODULES = """
import contextlib, os, sys
before = set(sys.modules)
with open(os.devnull, "w") as null, contextlib.redirect_stdout(null), contextlib.suppress(SystemExit):
    {code}
print(*sorted(set(sys.modules) - before))
"""

LIBRARY = {"xegpu.on_demand", "xegpu.suggestions"}
"""The modules that everything may import."""

COMMAND = {*LIBRARY, "tools", "xegpu.targets"}
"""The modules that a command may import before it knows what it has to do."""

DRIVER_START = """
    import runtime.driver.entry
    from runtime import ze
    ze.zeInit()
    for device in ze.zeDeviceGet(ze.zeDriverGet()[0]):
        ze.zeDeviceGetProperties(device)
"""

DRIVER = {
    *LIBRARY,
    "runtime.card",
    "runtime.concurrency",
    "runtime.driver",
    "runtime.private_files",
    "runtime.ze",
    "runtime.simulator.checks.table",
    "runtime.simulator.engines",
    "runtime.simulator.profile!",
    "runtime.simulator.supervision",
    "runtime.debuggee!",
    "typing_extensions",
    "xegpu.isa.code.line_table",
    "xegpu.isa.code.printf",
    "xegpu.isa.model.kernel",
    "xegpu.isa.model.surface_states",
    "xegpu.targets",
    "zebin.contract!",
    "zebin.elf.constants",
}
"""The modules imported before a C program has the properties of its devices; of a package with `!`, no submodules."""


def unexpected(code: str, allowed: set[str]) -> list[str]:
    """Returns the modules, besides those of Python and what is allowed, that some code imports."""
    process = subprocess.run(
        [sys.executable, "-c", NEW_MODULES.replace("{code}", code)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [name for name in process.stdout.split() if not _is_expected(name, allowed)]


def _is_expected(name: str, allowed: set[str]) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names or name.startswith("_"):
        return True
    return any(
        f"{room.rstrip('!')}.".startswith(f"{name}.") or (name.startswith(f"{room}.") and "!" not in room)
        for room in allowed
    )


def test_the_driver_starts_without_compiler_engines_and_numpy() -> None:
    assert unexpected(DRIVER_START, DRIVER) == []


def test_importing_the_runtime_imports_none_of_its_layers() -> None:
    assert unexpected("import runtime", LIBRARY | {"runtime!"}) == []


def commands() -> dict[str, str]:
    """The functions of the installed commands, as `module:function`."""
    scripts: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    return scripts


@pytest.mark.parametrize(("name", "place"), commands().items())
def test_help_imports_the_options_only(name: str, place: str) -> None:
    module, function = place.split(":")
    code = f"sys.argv = [{name!r}, '--help']; from {module} import {function} as command; command()"
    passes = {"immutabledict", "passes", "typing_extensions", "xdsl", "xegpu"} if name == "xegpu-opt" else set()
    assert unexpected(code, COMMAND | passes) == []


INTERRUPTED = """
import sys
class Interrupt:
    def find_spec(self, name, *_):
        if name == "tools.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.argv = ["/bin/xegpu-run"]
import tools.commands
print([getattr(tools.commands, name)() for name in sys.stdin.read().split()])
"""
"""Runs commands while an interrupt arrives during their first import."""


def test_an_interrupt_while_modules_are_imported() -> None:
    names = [place.partition(":")[2] for place in commands().values()]
    line = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(line, input=" ".join(names), capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout == f"{[130] * len(names)}\n"
    assert done.stderr == "xegpu-run: interrupted\n" * len(names)


PACKAGES = [
    ".".join(path.parent.relative_to(ROOT).parts)
    for top in ("xegpu", "zebin", "runtime")
    for path in sorted((ROOT / top).rglob("__init__.py"))
    if "\nwith imports_on_demand(globals()):\n" in path.read_text()
]
"""The packages whose public names are imported when they are first used."""


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_found(package: str) -> None:
    module = importlib.import_module(package)
    assert [name for name in offered(package) if not hasattr(module, name)] == []
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        _ = module.nothing


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_has_the_name_of_something_public(package: str) -> None:
    folder = ROOT.joinpath(*package.split("."))
    assert {path.stem for path in folder.iterdir()} & offered(package) == set()
