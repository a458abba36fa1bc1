"""Processes with bounds end with the program that has started them."""

from __future__ import annotations

import subprocess
import sys

from tests.paths import ROOT


def test_nothing_survives_a_program_that_is_killed() -> None:
    """Standard error closes when the last process ends that has it: the program, its own process, or that one's."""
    words = [sys.executable, "-m", "tests.unit.tools.bounded.busy"]
    with subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        try:
            assert program.stderr.readline() == "busy\n"
        finally:
            program.kill()
        _, rest = program.communicate(timeout=60)
    assert rest == ""
