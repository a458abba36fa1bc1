"""Runs the commands of a page and writes down what they print: `python docs/console.py docs/zebin-dump.md`.

A block that is marked as `console` holds commands, each behind a `$`, and below each what it prints, standard error
last. They run one after the other in a new folder with copies of the sample binaries and of `examples/`. A block marked
`console needs=TOOL` is left as it is where there is no command or package of that name. Any other block that is marked
with `file=NAME` is the file of that name for the commands below it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "tests" / "data" / "zebin"

_BLOCK = re.compile(
    r"^```(?:console(?: needs=(?P<tool>\S+))?|\w+ file=(?P<file>\S+))\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


def rerun(page: str, *, with_tools: bool = True, commands: Path = Path(sys.executable).parent) -> str:
    """Returns the page with the output that its commands have today.

    Args:
        page: The text of the page.
        with_tools: Whether the blocks that need tools of others are run too.
        commands: The folder of our commands.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in (*SAMPLES.iterdir(), *(ROOT / "examples").glob("*.mlir")):
            shutil.copy(source, folder)
        for room in ("programs", "gallery", "templates"):
            shutil.copytree(ROOT / "examples" / room, folder / room)

        def with_output(block: re.Match[str]) -> str:
            if block["file"] is not None:
                (folder / block["file"]).write_text(block["text"])
                return block[0]
            tool = block["tool"]
            if tool is not None and not (with_tools and (shutil.which(tool) or find_spec(tool))):
                return block[0]
            head, _, _ = block[0].partition("\n")
            lines = [line[2:] for line in block["text"].splitlines() if line.startswith("$ ")]
            return f"{head}\n{''.join(_session(line, folder, commands) for line in lines)}```"

        return _BLOCK.sub(with_output, page)


def _session(command: str, folder: Path, commands: Path) -> str:
    path = os.pathsep.join((str(commands), os.environ["PATH"]))
    environment = os.environ | {"PATH": path, "NO_COLOR": "1"}
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    return "".join(f"{line}\n" for line in (f"$ {command}", *lines))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        Path(argument).write_text(rerun(Path(argument).read_text()))
