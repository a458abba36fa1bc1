"""`--filecheck`: compares the output of a program with the CHECK lines of its file."""

from __future__ import annotations

import subprocess
import sys

from tools.cli import CommandError
from tools.run.run_lines import check_prefixes
from xegpu.python_children import module_command


def check_output(file: str, text: str, output: str, prefixes: str | None) -> bool:
    """Returns whether the output matches the CHECK lines of a file; prints mismatches to standard error.

    Raises `CommandError` for a file that cannot be read again.
    """
    if file == "-":
        raise CommandError("--filecheck reads the input again: expected a file instead of standard input")
    command = [*module_command("filecheck"), file, f"--check-prefixes={prefixes or check_prefixes(text)}"]
    done = subprocess.run(command, input=output, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.rstrip(), file=sys.stderr)
    return done.returncode == 0
