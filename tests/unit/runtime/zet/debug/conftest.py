"""Programs that can be debugged, with one runtime directory: a process has one socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.unit.runtime.zet.debug.world import DebuggedWorld


@pytest.fixture(scope="session")
def runtime_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runtime directory."""
    home = tmp_path_factory.mktemp("runtime")
    home.chmod(0o700)
    return home


@pytest.fixture
def debuggable(monkeypatch: pytest.MonkeyPatch, runtime_home: Path) -> pytest.MonkeyPatch:
    """An environment that makes programs debuggable."""
    monkeypatch.setenv("ZET_ENABLE_PROGRAM_DEBUGGING", "1")
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(runtime_home))
    return monkeypatch


@pytest.fixture
def make(debuggable: pytest.MonkeyPatch) -> Iterator[Callable[..., DebuggedWorld]]:
    """Makes worlds, which are closed behind the test."""
    made: list[DebuggedWorld] = []

    def one(*args: str, attaches: bool = True) -> DebuggedWorld:
        made.append(DebuggedWorld(debuggable, *args, attaches=attaches))
        return made[-1]

    yield one
    for world in made:
        world.close()


@pytest.fixture
def world(make: Callable[..., DebuggedWorld]) -> DebuggedWorld:
    """A world with a debugger that has taken no event."""
    return make()
