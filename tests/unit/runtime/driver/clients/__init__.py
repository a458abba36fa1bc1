"""Programs in C that use Level Zero, and how they are compiled and run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

FOLDER = Path(__file__).parent

TRACING = {"ZET_ENABLE_API_TRACING_EXP": "1"}
"""The variables that put the loader's tracing layer between a program and the driver."""

LAYERS = {"ZE_ENABLE_VALIDATION_LAYER": "1", "ZE_ENABLE_PARAMETER_VALIDATION": "1", **TRACING}
"""The variables that put all of the loader's layers there."""


class Route(Enum):
    """The ways from a program to the driver."""

    LOADER = "loader"
    STAND_IN = "stand-in"


class Client:
    """Compiles and runs programs."""

    def __init__(self, libraries: Mapping[Route, Path], folder: Path) -> None:
        self._libraries = libraries
        self._folder = folder

    def compiled(self, name: str, *flags: str) -> Path:
        """Returns the program of `name.c`."""
        target = self._folder / Path(name).stem
        if not target.exists():
            source = FOLDER / f"{name}.c"
            line = ["cc", "-O1", "-Wall", "-Werror", "-I", str(FOLDER), "-o", str(target), str(source), *flags]
            subprocess.run([*line, "-lze_loader", "-lpthread", "-ldl"], check=True)
        return target

    def environment(self, route: Route, **variables: str) -> dict[str, str]:
        """Returns the environment of a program that takes a route."""
        library = self._libraries[route]
        found = {name: value for name, value in os.environ.items() if not name.startswith(("ZE_", "ZET_", "XEGPU_"))}
        found |= {"XEGPU_CACHE_DIR": os.environ["XEGPU_CACHE_DIR"]} if "XEGPU_CACHE_DIR" in os.environ else {}
        if route is Route.LOADER:
            found["ZE_ENABLE_ALT_DRIVERS"] = str(library)
        else:
            found["LD_LIBRARY_PATH"] = str(library.parent)
        return found | variables

    def run(
        self, name: str, *arguments: str, route: Route = Route.LOADER, timeout: float = 60, **variables: str
    ) -> str:
        """Returns what a program prints; it must succeed and write nothing to standard error."""
        done = subprocess.run(
            [self.compiled(name), *arguments],
            env=self.environment(route, **variables),
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )
        assert (done.returncode, done.stderr) == (0, ""), f"{done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout
