"""Random kernels against an evaluation in numpy and in both engines: control flow of all kinds around values of all
kinds, for work-items, for subgroups, and for subgroups whose values are distributed; in the XeGPU of the RFC and in
that of LLVM 22.

    python -m tests.bulk.kernels --count 1000 --seed 5                 both targets, all levels
    python -m tests.bulk.kernels --minutes 60 --target arc --level item

Prints each new kind of failure once, with its seed and the smallest kernel found that fails so; ends with 1 if there
was one. `--seed N --count 1` repeats a kernel.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.unit.passes.kernels.fuzzing import Finding, Level, Program, check, draw, shrink
from xegpu.targets import TARGETS


def failure(program: Program) -> Finding | None:
    """Returns the failure of a kernel; None if there is none."""
    try:
        check(program)
    except Finding as finding:
        return finding
    return None


def report(program: Program, finding: Finding) -> str:
    """Returns the text of the smallest kernel found that fails in the same way, and how it fails."""

    def fails(candidate: Program) -> bool:
        other = failure(candidate)
        return other is not None and other.kind == finding.kind

    small = shrink(program, fails)
    return f"{failure(small) or finding}\n{small.text()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="kernels")
    parser.add_argument("--minutes", type=float, help="run for so long, whatever the count")
    parser.add_argument("--seed", type=int, default=0, help="of the first kernel")
    parser.add_argument("--size", type=int, default=8, help="statements of the outermost block")
    parser.add_argument("--depth", type=int, default=2, help="blocks within each other")
    parser.add_argument("--target", choices=TARGETS, help="one target only")
    parser.add_argument("--level", choices=[level.value for level in Level], help="one level only")
    options = parser.parse_args()
    targets = [TARGETS[options.target]] if options.target else list(TARGETS.values())
    level = Level(options.level) if options.level else None
    start, seed = time.perf_counter(), options.seed
    outcomes: Counter[str] = Counter()
    seen: set[str] = set()

    def goes_on() -> bool:
        if options.minutes is not None:
            return time.perf_counter() - start < 60 * options.minutes
        return seed < options.seed + options.count

    while goes_on():
        program = draw(seed, targets[seed % len(targets)], level, options.size, options.depth)
        try:
            outcomes[check(program).value] += 1
        except Finding as finding:
            outcomes["failed"] += 1
            if finding.kind not in seen:
                seen.add(finding.kind)
                print(f"seed {seed}, {program.target.name}: {report(program, finding)}", flush=True)
        seed += 1
    seconds = time.perf_counter() - start
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"{outcomes.total()} kernels: {counts}; {seconds:.0f} s")
    return int(outcomes["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
