"""Takes every kernel of the gallery through every stage of upstream's pipeline, and renews the table of the page.

    python -m tests.bulk.stages            # each kernel with each version, and the page anew
    python -m tests.bulk.stages softmax    # prints what becomes of kernels whose names contain the word

It needs mlir-opt-22, and mlir-opt-23 of `scripts/peers`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor

from tests.peer.mlir_opt import mlir_opt
from tests.peer.stages.page import VERSIONS, Row, written
from tests.peer.stages.programs import names, program
from tests.peer.stages.verdicts import Verdict, judge


def _judged(case: tuple[Row, int]) -> tuple[tuple[Row, int], Mapping[str, Verdict]]:
    row, version = case
    return case, judge(program(*row), version)


def main() -> int:
    """Runs the command."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("word", nargs="?", default="")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    cases = [(row, version) for row in names() for version in VERSIONS if given.word in " ".join(row)]
    verdicts = {}
    with ProcessPoolExecutor(given.jobs) as pool:
        for case, found in pool.map(_judged, cases):
            verdicts[case] = found
            (kernel, level), version = case
            print(f"{kernel} {level} {version}: {' '.join(f'{s}={v.outcome.value}' for s, v in found.items())}")
            for stage, verdict in found.items():
                if verdict.reason:
                    print(f"    {stage}: {verdict.reason}")
            sys.stdout.flush()
    if not given.word:
        written(verdicts, [_release(version) for version in VERSIONS])
    return 0


def _release(version: int) -> str:
    found = re.search(r"version ([\d.]+)", mlir_opt(version, "", "--version").stdout)
    return found[1] if found else str(version)


if __name__ == "__main__":
    sys.exit(main())
