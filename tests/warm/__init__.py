"""Commands that start at once, for tests that run hundreds of them.

A server has imported what the commands need and forks for each of them: a command takes milliseconds where a new
Python defines all dialects first, for half a second. Stand-ins with the names of the commands, in a folder for PATH,
hand their streams, arguments, environment and working folder to the server.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMANDS = {
    "xegpu-opt": "tools.xegpu_opt",
    "xegpu-run": "tools.xegpu_run",
    "xe-asm": "tools.xe_asm",
    "ze-info": "tools.ze_info",
    "xegpu-driver": "tools.xegpu_driver",
    "xegpu-top": "tools.xegpu_top",
    "xegpu-debug": "tools.xegpu_debug",
    "xegpu-lsp": "tools.xegpu_lsp",
    "xegpu-explore": "tools.xegpu_explore",
    "zebin-dump": "tools.zebin_dump",
    "zebin-edit": "tools.zebin_edit",
    "mux-compile": "tools.mux_compile",
    "filecheck": "filecheck.main",
}
"""The commands by name, each with the module whose `main` runs it."""

_FOLDER = Path(__file__).parent


@contextmanager
def warm_commands() -> Iterator[Path]:
    """Yields the folder of the stand-ins. Their server ends with the context, or with this process if that is first."""
    with tempfile.TemporaryDirectory(prefix="warm-") as name, socket.socket(socket.AF_UNIX) as listener:
        folder = Path(name)
        listener.bind(f"{name}/server")
        listener.listen(64)
        client = f"#!{sys.executable} -IS\n{(_FOLDER / 'client.py').read_text()}"
        for command in COMMANDS:
            stand_in = folder / command
            stand_in.write_text(client)
            stand_in.chmod(0o755)
        words = [sys.executable, "-m", "tests.warm.server", str(listener.fileno())]
        # The server watches the pipe, which closes when this process ends, however it does.
        with subprocess.Popen(words, cwd=_FOLDER.parents[1], stdin=subprocess.PIPE, pass_fds=[listener.fileno()]):
            listener.close()  # so that clients of a server that has died do not wait
            yield folder
