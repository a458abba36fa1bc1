"""Programs in other processes, which tests debug."""

from __future__ import annotations

import contextlib
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.unit.runtime.zet.debug.world import LINES, TEXT, DebuggedWorld

CALLING = """
    mov (16|M0) r10.0<1>:ud 0x5:ud
    call (1|M0) r20.0 more
    (W) store.ugm.d32.a64 (1|M0) flat[r4] r10
    eot
more:
    add (16|M0) r10.0<1>:ud r10.0<1;1,0>:ud 0x1:ud
    ret (1|M0) r20.0
"""
"""A kernel with a subroutine, whose instructions come from the lines that those of `TEXT` come from."""

SOURCE = "".join(f"line {number} of the kernel\n" for number in range(1, 7))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The runtime directory, in which the source of the kernel is, too."""
    tmp_path.chmod(0o700)
    (tmp_path / "held.mlir").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def program(home: Path) -> Iterator[Callable[..., int]]:
    """Starts programs that wait for a debugger and launch the kernel, which end with what it has written.

    With `endless`, they launch it again and again, with `on_arc` another kernel behind it, on the other card.
    """
    children: list[int] = []

    def start(
        text: str = TEXT, *, groups: int = 2, size: int = 32, endless: bool = False, on_arc: str | None = None
    ) -> int:
        child = os.fork()
        if not child:
            status = 99
            try:
                patch = pytest.MonkeyPatch()
                patch.setenv("ZET_ENABLE_PROGRAM_DEBUGGING", "1")
                patch.setenv("XEGPU_WAIT_FOR_DEBUGGER", "20")
                world = DebuggedWorld(patch, text, attaches=False)
                world.launch(groups, size)
                status = world.result()
                if on_arc is not None:
                    status += world.launch_on_arc(on_arc, (21, 22, 23, 24, 25))
                while endless:
                    world.launch(groups, size)
                    world.result()
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        children.append(child)
        return child

    assert len(LINES) == 6
    yield start
    for child in children:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
