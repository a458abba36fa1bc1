"""Libraries in C and the programs that use them, compiled once a session."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from passes.frontends.opencl import find_compiler
from runtime.driver.library import LibraryKind, build
from runtime.mux import compile_source
from tests.unit.runtime.driver.clients import FOLDER, Client, Route


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that libraries are kept in, also those that `xegpu-driver` looks for."""
    return tmp_path_factory.mktemp("libraries")


@pytest.fixture(scope="session")
def libraries(cache: Path) -> dict[Route, Path]:
    """The libraries by the way in which programs find them."""
    if shutil.which("cc") is None or not Path("/usr/include/level_zero/ze_api.h").exists():
        pytest.skip("needs a C compiler and the headers of Level Zero (libze-dev)")
    kinds = {Route.LOADER: LibraryKind.DRIVER, Route.STAND_IN: LibraryKind.STAND_IN}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XEGPU_CACHE_DIR", str(cache))
        return {route: build(kind) for route, kind in kinds.items()}


@pytest.fixture(scope="session")
def client(libraries: dict[Route, Path], tmp_path_factory: pytest.TempPathFactory) -> Client:
    return Client(libraries, tmp_path_factory.mktemp("clients"))


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a ZEBIN with the kernels of the programs."""
    if find_compiler() is None:
        pytest.skip("needs clang")
    path = tmp_path_factory.mktemp("kernels") / "kernels.zebin"
    source = FOLDER / "kernels.cl"
    path.write_bytes(compile_source(source.read_text(), "pvc", str(source)))
    return str(path)
