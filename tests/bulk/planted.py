"""Measures how long the fuzzer of Level Zero takes to find faults planted in the driver, one at a time.

    python -m tests.bulk.planted                     # all of them, at most five minutes each
    python -m tests.bulk.planted lost-signal         # this one
    python -m tests.bulk.planted none --minutes 30   # no fault: the fuzzer must stay silent

Each fault is planted in a process of its own, which runs what `python -m tests.bulk.ze` does and does not know what it
looks for. The last column is the report that it ended with.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import subprocess
import sys
import time
import traceback
from contextlib import nullcontext

from tests.unit.runtime.ze.fuzz.faults import FAULTS, planted
from tests.unit.runtime.ze.fuzz.playing import play
from tests.unit.runtime.ze.fuzz.running import fuzz
from tests.unit.runtime.ze.fuzz.stress import stress

NONE = "none"
GAMES = 20
"""The runs of likely calls in a round."""

ONE_SILENT_OF = 10
"""The number of faults of which one may stay silent: some show only in interleavings that are seldom under load."""

HANGS_AFTER = 150
"""Seconds after which a round counts as hanging: its threads are shown, and the process ends."""


def search(fault: str, seed: int, seconds: float) -> str | None:
    """Runs the fuzzer with a fault planted; returns its report, None if it has nothing to report in that time."""
    end = time.monotonic() + seconds
    with planted(fault) if fault != NONE else nullcontext():
        while time.monotonic() < end:
            faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
            try:
                for number in range(GAMES):
                    play(seed * GAMES + number, length=150)
                fuzz(seed, examples=10, steps=50, shrinks=False)
                stress(5, seed)
            except Exception as error:
                return "".join(traceback.format_exception_only(error)).splitlines()[0]
            seed += 1
    return None


def report(fault: str, seed: int, minutes: float) -> bool:
    """Prints a row for a fault; returns whether it was found."""
    start = time.monotonic()
    command = [sys.executable, "-m", "tests.bulk.planted", fault]
    command += ["--minutes", str(minutes), "--seed", str(seed), "--child"]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    found = child.returncode != 0
    lines = (child.stdout if child.returncode == 1 else child.stderr).strip().splitlines()
    print(f"{fault:<24} {'found' if found else 'silent':<7} {seconds:>6.1f} s  {lines[0] if lines else ''}", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("faults", nargs="*", metavar="fault", help=", ".join((*FAULTS, NONE)))
    parser.add_argument("--minutes", type=float, default=5, help="for each fault")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    unknown = set(arguments.faults) - {*FAULTS, NONE}
    if unknown:
        parser.error(f"unknown faults: {', '.join(unknown)}")
    chosen = arguments.faults or list(FAULTS)
    if arguments.child:
        found = search(chosen[0], arguments.seed, 60 * arguments.minutes)
        print(found or "")
        sys.stdout.flush()
        os._exit(found is not None)  # threads may wait for ever
    silent = [fault for fault in chosen if report(fault, arguments.seed, arguments.minutes) == (fault == NONE)]
    print(f"{len(chosen) - len(silent)} of {len(chosen)} as expected")
    return int(len(silent) * ONE_SILENT_OF > len(chosen))


if __name__ == "__main__":
    sys.exit(main())
