"""Compiler passes, from XeTile and XeGPU kernels to allocated code of the virtual Xe ISA.

The name of a pass follows from its module, so that adding the module registers the pass: `xetile-wg-to-sg` is
`passes.xetile.wg_to_sg`, one folder per dialect. Beside these stand conversions between dialects, with `_to_` in their
names, such as `convert-xegpu-to-xe`, and `xe-pipeline`, which runs passes of several folders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from xegpu import __version__ as __version__
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    from passes.upstream_names import ELSEWHERE as ELSEWHERE, RENAMED as RENAMED

_DIALECTS = ("arith", "gpu", "memref", "scf", "xe", "xegpu", "xetile")
"""The folders whose modules define a pass each."""


def _modules() -> Iterator[str]:
    """Yields the modules that define passes, relative to this package. Imports none of them: start-up time matters."""
    root = Path(__file__).parent
    yield from (
        module.name
        for module in iter_modules([str(root)])
        if module.name.endswith("_pipeline") or "_to_" in module.name
    )
    for dialect in _DIALECTS:
        yield from (f"{dialect}.{module.name}" for module in iter_modules([str(root / dialect)]))


def _load(name: str, module: str) -> type[ModulePass]:
    """Imports a module and returns the pass `name` that it defines."""
    members = vars(import_module(f"{__name__}.{module}")).values()
    (found,) = (m for m in members if isinstance(m, type) and issubclass(m, ModulePass) and vars(m).get("name") == name)
    return found


def _names() -> dict[str, str]:
    """Returns the modules of all passes of this project by the names of the passes."""
    return {module.translate(str.maketrans("._", "--")): module for module in sorted(_modules())}


def registry() -> dict[str, Callable[[], type[ModulePass]]]:
    """Returns the factories of all passes of this project by the names that pipelines use."""
    return {name: partial(_load, name, module) for name, module in _names().items()}


def available() -> dict[str, Callable[[], type[ModulePass]]]:
    """Returns the factories of all passes that pipelines may name: those of xDSL and those of this project."""
    return Universe.get_multiverse().all_passes | registry()


def summaries() -> dict[str, str]:
    """Returns a line about each pass of this project: the first of its module, which is read but not imported."""
    found: dict[str, str] = {}
    for name, module in _names().items():
        path = Path(__file__).parent.joinpath(*module.split("."))
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        with source.open(encoding="utf-8") as lines:
            found[name] = lines.readline().strip().strip('"').removeprefix(f"`{name}`: ").rstrip(".")
    return found
