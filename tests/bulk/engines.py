"""Long comparisons of the two engines, for whoever wants more than the test suite's share.

    python -m tests.bulk.engines programs --count 1000000 --jobs 8     small programs of one thread, on registers
    python -m tests.bulk.engines messages --count 100000               programs that load, store and fault
    python -m tests.bulk.engines kernels --count 10000                 work-groups with everything at once

Batches have seeds that follow each other from `--seed` on; the seed of a batch with a difference is printed, and
`--seed N --count 1` repeats it. Ends with 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from hypothesis import HealthCheck, Phase, given, seed as seeded, settings

from tests.unit.runtime.simulator.programs.differential import Case, assert_engines_agree, memory_cases
from tests.unit.runtime.simulator.programs.random_kernels import KernelSource, run
from tests.unit.runtime.simulator.programs.random_programs import ProgramSource
from xegpu.targets import ARC, PVC


def check_programs(seed: int, count: int) -> None:
    """Compares small programs of one thread."""
    source = ProgramSource(ARC if seed % 3 == 2 else PVC, seed)
    for _ in range(count):
        assert_engines_agree(source.case())


def check_messages(seed: int, count: int) -> None:
    """Compares programs that access memory of every kind."""

    @seeded(seed)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(memory_cases(ARC if seed % 3 == 2 else PVC))
    def check(case: Case) -> None:
        assert_engines_agree(case)

    check()


def check_kernels(seed: int, count: int) -> None:
    """Compares kernels of several threads and groups."""
    source = KernelSource(seed)
    for _ in range(count):
        kernel = source.next()
        assert run(kernel, "jit") == run(kernel, "interpreter"), kernel.text


@dataclass(frozen=True)
class Kind:
    """A kind of program: how its runs are compared, and how many are drawn at a time."""

    check: Callable[[int, int], None]
    batch: int


KINDS: Mapping[str, Kind] = {
    "programs": Kind(check_programs, 1000),
    "messages": Kind(check_messages, 200),
    "kernels": Kind(check_kernels, 10),
}


def run_batch(kind: str, seed: int) -> str:
    """Compares one batch; what differs, or nothing."""
    try:
        KINDS[kind].check(seed, KINDS[kind].batch)
    except AssertionError as difference:
        return f"seed {seed}: {difference}"
    return ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bulk.engines", description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--count", type=int, default=10_000, help="programs, in whole batches")
    parser.add_argument("--seed", type=int, default=0, help="of the first batch")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    size = KINDS[options.kind].batch
    batches = -(-options.count // size)
    start, different = time.perf_counter(), 0
    os.environ["XEGPU_CACHE_DIR"] = ""  # nobody will run these kernels again
    # Processes end after some batches, so that nothing that a compiler leaves behind adds up.
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn"), max_tasks_per_child=20) as pool:
        seeds = range(options.seed, options.seed + batches)
        for difference in pool.map(partial(run_batch, options.kind), seeds):
            if difference:
                different += 1
                print(difference, flush=True)
    seconds = time.perf_counter() - start
    print(f"{batches * size} {options.kind}, {different} of {batches} batches differ, {seconds:.0f} s")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
