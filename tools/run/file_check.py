"""`--filecheck`: compares the output of a program with the CHECK lines of its file."""

from __future__ import annotations

import re
import subprocess
import sys

from tools.cli import CommandError

_RUN_LINE = re.compile(r"^\s*//\s*RUN:(.*)$", re.MULTILINE)
_PREFIXES = re.compile(r"--?check-prefix(?:es)?[= ]([\w,-]+)")
_DEFAULT = "CHECK"


def prefixes_of(text: str) -> str:
    """Returns the comma-separated prefixes of the first RUN line that names any; `CHECK` without one."""
    lines = "".join(line.removesuffix("\\") for line in _RUN_LINE.findall(text))
    found = _PREFIXES.search(lines)
    return found[1] if found else _DEFAULT


def check_output(file: str, text: str, output: str, prefixes: str | None) -> bool:
    """Returns whether the output matches the CHECK lines of a file; prints mismatches to standard error.

    Raises `CommandError` for a file that cannot be read again.
    """
    if file == "-":
        raise CommandError("--filecheck reads the input again: expected a file instead of standard input")
    command = [sys.executable, "-m", "filecheck", file, f"--check-prefixes={prefixes or prefixes_of(text)}"]
    done = subprocess.run(command, input=output, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.rstrip(), file=sys.stderr)
    return done.returncode == 0
