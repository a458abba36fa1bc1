"""Compiles kernels with today's `ocloc` for each product that has a model here, and runs what it makes.

    python -m tests.bulk.native                                   all kernels, all sets of options, all names
    python -m tests.bulk.native --family flow --options O0 --device pvc-xt-c0
    python -m tests.bulk.native --part 3/60 --engine jit          each sixtieth kernel from the third on

Many names are given the same code, which is looked at once: read without errors, its text compared with that of
Intel's library, its scoreboard proved, run and compared with the CPU's OpenCL, its memory compared with what Intel's
drivers say. Prints each failure, and numbers at the end or when interrupted; ends with 1 if there was a failure.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.bulk.native.binaries import FAMILIES, NAMES, OPTIONS, built, code_of
from tests.bulk.native.facts import Drivers
from tests.bulk.native.judgement import (
    RAN,
    SAME,
    Launches,
    device,
    everything,
    expected,
    is_comparable,
    models,
    outcome,
    problems,
)
from tests.bulk.suite.cases import Kernel
from tests.peer.generations import program
from tests.peer.native import iga
from tests.peer.native.ocloc import NotBuilt
from tests.peer.opencl import cpu
from tests.peer.opencl.refusals import known_of_ocloc

_OCLOC = {"pvc": "pvc", "arc": "dg2"}


@dataclass
class Tally:
    """The numbers of binaries by what became of them, and the failures."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def fail(self, kind: str, place: str, text: str) -> None:
        """Counts and prints a failure."""
        self.counts[f"failed: {kind}"] += 1
        line = f"{place} {kind}: {text}"
        self.failures.append(line)
        print(line, flush=True)


def _look(launch: Launches, answer: cpu.Answer, arguments: argparse.Namespace, drivers: Drivers, tally: Tally) -> None:
    """Compiles and runs a kernel for all models, with all options."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what clang says about the kernels
        right = expected(launch, answer)
    for model in models(launch):
        names = [name for name in NAMES[model] if not arguments.device or name in arguments.device]
        seen: dict[bytes, str] = {}
        for chosen in arguments.options or OPTIONS:
            options = OPTIONS[chosen]
            if not names or (options.without and re.search(options.without, launch.text)):
                continue
            with tempfile.TemporaryDirectory() as folder:
                try:
                    binaries = list(built(launch, options, names, Path(folder)))
                except NotBuilt as error:
                    tally.counts["not built"] += len(names)
                    if known_of_ocloc(launch.text, _OCLOC[model]) is None:
                        print(f"{launch.name} {model} {chosen} not built: {str(error)[-200:]!r}", flush=True)
                    continue
            for name, binary in binaries:
                tally.counts["binaries"] += 1
                key = code_of(binary)
                if key in seen:
                    tally.counts[seen[key]] += 1
                    continue
                tally.counts["distinct"] += 1
                place, gpu = f"{launch.file}.{launch.name} {chosen} {name}", device(model, arguments.engine)
                for kind, text in problems(gpu.target.platform, name, binary):
                    tally.fail(kind, place, text)
                if (family := FAMILIES.get(name)) is not None:
                    for text in drivers.differences(model, family, binary):
                        tally.fail("facts", place, text)
                wanted = right if is_comparable(launch, name, options) else None
                seen[key], text = outcome(launch, binary, gpu, wanted, options)
                if seen[key] not in (SAME, RAN):
                    tally.fail(seen[key], place, text)
                tally.counts[seen[key]] += 1


def main() -> int:
    """Runs the command; returns 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", action="append", help="a file of kernels")
    parser.add_argument("--kernel", action="append", help="a kernel")
    parser.add_argument("--options", action="append", choices=OPTIONS, help="a set of options")
    parser.add_argument("--device", action="append", help="a name of a product")
    parser.add_argument("--part", default="1/1", help="N/M: each M-th kernel from the N-th on")
    parser.add_argument("--engine", default="interpreter", choices=["jit", "interpreter"])
    parser.add_argument("--drivers", action="store_true", help="compare memory with what Intel's drivers say")
    arguments = parser.parse_args()
    if cpu.driver() is None or program("ocloc", "today") is None or not iga.is_there():
        parser.error("needs OpenCL for CPUs (PoCL, or intel-opencl-rt of PyPI), and what scripts/peers fetches")
    first, step = map(int, arguments.part.split("/"))
    chosen = [
        launch
        for launch in everything()
        if (not arguments.family or launch.file in arguments.family)
        and (not arguments.kernel or launch.name in arguments.kernel)
    ][first - 1 :: step]
    answers = cpu.run([launch.on_cpu() if isinstance(launch, Kernel) else launch for launch in chosen])
    tally = Tally()
    with Drivers.found(arguments.drivers) as drivers, suppress(KeyboardInterrupt):
        for launch, answer in zip(chosen, answers, strict=True):
            _look(launch, answer, arguments, drivers, tally)
            tally.counts["kernels"] += 1
    print(dict(sorted(tally.counts.items())))
    return int(bool(tally.failures))


if __name__ == "__main__":
    sys.exit(main())
