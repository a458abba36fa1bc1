"""All ratios of one run, the page that shows those recorded last, and a check that none has become worse.

`python benchmarks/report.py` measures, and ends with status 1 if a ratio is below four fifths of the recorded one.
`--record` writes what it measures to `recorded.json` instead, and renews docs/performance.md. `--page` renews the page
only. Ratios are times as fast as the peer, so that more is better. One core is measured by processor time, which other
programs on the machine hardly change. `--quiet` says that the machine does nothing else: then two cores and launches
are measured, too, by wall-clock time, in about three minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RECORDED = FOLDER / "recorded.json"
PAGE = FOLDER.parent / "docs" / "performance.md"

ALLOWED = 0.8
"""The part of a recorded ratio that the new one must reach: runs differ by a tenth or so."""

ONE_CORE = "one core"
"""The peer of rows that say how much faster a workload is on two cores than on one, both simulated."""

SECOND_CORE_GOAL = 1.9

GOALS: Mapping[tuple[str, str], float] = {
    ("bf16 GEMM 256", "numpy float32"): 0.6,
    ("bf16 GEMM 1024", "numpy float32"): 0.85,
    ("vector_add", "numpy.add"): 0.9,
    ("transpose", "numpy.add"): 0.9,
    ("reduction", "PoCL"): 1.5,
    ("softmax", "PoCL"): 1.5,
}
"""The ratios that we aim at on one core, on CPUs without matrix units."""

STREAMS = ("vector_add", "transpose")
"""Kernels that do nothing but move memory, which alone are compared with its bandwidth."""

PROCESSOR, WALL = "processor", "wall"

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


_PAGE = """\
# Performance

How many times as fast as a peer the simulator runs on the same cores, both measured in one run: 0.5 is half as fast, 2
is twice as fast. The peers are numpy (a product in float32 by its BLAS; the bandwidth of `numpy.add`),
[PoCL](https://portablecl.org), which compiles OpenCL C for CPUs, and [Oclgrind](https://github.com/jrprice/Oclgrind), a
simulator of OpenCL devices, which gets a smaller size. All of them have as many threads as the simulator. The peer
`one core` is the simulator itself with one thread: so those rows say what the second core adds. This page is generated
from `benchmarks/recorded.json`.

Measured on {date}: {cpu}, {cores} cores, with a load average of {load}. Rows with the clock `processor`
count processor time, which other programs hardly change; those with `wall` are measured on a machine that does nothing
else.

| Workload | Peer | Cores | Clock | Times as fast | Goal | Command |
|---|---|---|---|---|---|---|
{rows}

## Measuring again

    python benchmarks/report.py            # measure, and compare with what is recorded
    python benchmarks/report.py --record   # record, and renew this page

With `--quiet`, on a machine that does nothing else, two cores and launches are measured, too. The comparison fails for
a ratio that is below {allowed} of the recorded one, or that is not measured any more. PoCL and Oclgrind are Debian's
`pocl-opencl-icd` and `oclgrind`, with `pip install -e '.[bench]'`.
"""


@dataclass(frozen=True)
class Ratio:
    """The speed of a workload in units of that of a peer; `command` measures it."""

    workload: str
    peer: str
    cores: int
    clock: str
    ratio: float
    command: str

    @property
    def goal(self) -> float | None:
        """The ratio that we aim at, if there is one."""
        if self.peer == ONE_CORE:
            return SECOND_CORE_GOAL
        return GOALS.get((self.workload, self.peer)) if self.cores == 1 else None

    @property
    def key(self) -> tuple[str, str, int]:
        return self.workload, self.peer, self.cores


def measure(repeat: int, *, is_quiet: bool) -> Iterator[Ratio]:
    """Runs the benchmarks and yields their ratios."""
    yield from _products(1, "--cpu", "--repeat", str(repeat))
    yield from _kernels(1, "--cpu", "--repeat", str(repeat))
    if not is_quiet:
        return
    if (os.cpu_count() or 1) > 1:
        yield from _products(2, "--repeat", str(repeat))
        yield from _kernels(2, "--fast", "--repeat", str(repeat))
    for row in _rows("launching/launch.py", *(word for library in _pocl() for word in ("--pocl", library))):
        yield Ratio(
            row["workload"], row["peer"], 1, WALL, row["ratio"], "benchmarks/launching/launch.py --pocl LIBRARY"
        )


def _products(cores: int, *words: str) -> Iterator[Ratio]:
    clock = PROCESSOR if "--cpu" in words else WALL
    command = f"benchmarks/speed/gemm.py --threads {cores}{' --cpu' if clock == PROCESSOR else ''}"
    environment = os.environ | dict.fromkeys(THREAD_VARIABLES, str(cores))
    for row in json.loads(_run("speed/gemm.py", "--threads", str(cores), *words, environment=environment)):
        workload = f"bf16 GEMM {row['size']:.0f}"
        yield Ratio(workload, "numpy float32", cores, clock, row["ratio"], command)
        if cores > 1:
            yield Ratio(workload, ONE_CORE, cores, clock, row["second_core"], command)


def _kernels(cores: int, *words: str) -> Iterator[Ratio]:
    clock = PROCESSOR if "--cpu" in words else WALL
    command = f"benchmarks/speed/kernels.py {'--cpu' if clock == PROCESSOR else f'--threads {cores}'}"
    for row in _rows("speed/kernels.py", "--threads", str(cores), *words):
        if row["peer"] != "numpy.add" or row["workload"] in STREAMS:
            yield Ratio(row["workload"], row["peer"], cores, clock, row["ratio"], command)


def _rows(name: str, *words: str) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.json"
        _run(name, *words, "--json", str(file), environment=os.environ)
        rows: list[dict[str, Any]] = json.loads(file.read_text())
    return rows


def _pocl() -> list[str]:
    return [str(path) for path in sorted(Path("/usr/lib").rglob("libpocl.so*"))[:1]]


def _run(name: str, *words: str, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, str(FOLDER / name), *words], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip()}")
    return done.stdout


def regressions(recorded: Sequence[Ratio], found: Sequence[Ratio]) -> list[str]:
    """Returns a line for each ratio that has become worse, or that is not measured any more.

    What is measured by wall-clock time may be missing, because it asks for a quiet machine.
    """
    now = {ratio.key: ratio.ratio for ratio in found}
    lines = []
    for old in recorded:
        new = now.get(old.key)
        name = f"{old.workload} against {old.peer}{'' if old.cores == 1 else f', {old.cores} cores'}"
        if new is None and old.clock == PROCESSOR:
            lines.append(f"{name}: not measured, recorded {old.ratio:.2f}")
        elif new is not None and new < ALLOWED * old.ratio:
            lines.append(f"{name}: {new:.2f}, recorded {old.ratio:.2f}")
    return lines


def load(path: Path = RECORDED) -> tuple[dict[str, str], list[Ratio]]:
    """Returns the machine and the ratios that were recorded last."""
    document = json.loads(path.read_text())
    return document["machine"], [Ratio(**row) for row in document["ratios"]]


def _digits(ratio: float) -> str:
    """Returns a ratio with three digits that count, without an exponent."""
    return f"{ratio:.3g}" if ratio < 100 else f"{float(f'{ratio:.3g}'):,.0f}"


def page(machine: Mapping[str, str], ratios: Sequence[Ratio]) -> str:
    """Returns docs/performance.md."""
    rows = []
    for ratio in ratios:
        goal = ratio.goal
        reached = "" if goal is None else f"{goal:g}{'' if ratio.ratio >= goal else ', not reached'}"
        workload = ratio.workload.replace("[", "\\[")  # a call of a kernel looks like a link
        cells = (workload, ratio.peer, ratio.cores, ratio.clock, _digits(ratio.ratio), reached)
        rows.append(f"| {' | '.join(map(str, cells))} | `{ratio.command}` |")
    return _PAGE.format(rows="\n".join(rows), allowed=f"{ALLOWED:.0%}", **machine)


def _machine() -> dict[str, str]:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    units = [name for flag, name in (("avx512f", "AVX-512"), ("amx_tile", "AMX")) if flag in flags]
    today = subprocess.run(["date", "-u", "+%Y-%m-%d"], capture_output=True, text=True, check=True).stdout.strip()
    return {
        "date": today,
        "cpu": f"{cpu} ({' and '.join(units) or 'without AVX-512'})",
        "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[1]:.0f}",
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="record what is measured, and renew the page")
    parser.add_argument("--page", action="store_true", help="renew the page only")
    parser.add_argument("--quiet", action="store_true", help="measure by wall-clock time, too: nothing else runs")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the fastest counts")
    options = parser.parse_args()
    if options.page:
        PAGE.write_text(page(*load()))
        return 0
    found = list(measure(options.repeat, is_quiet=options.quiet))
    for ratio in found:
        print(f"{ratio.workload:<50} {ratio.peer:<14} {ratio.cores:>2} {_digits(ratio.ratio):>8}")
    if options.record:
        document = {"machine": _machine(), "ratios": [asdict(ratio) for ratio in found]}
        RECORDED.write_text(json.dumps(document, indent=1) + "\n")
        PAGE.write_text(page(*load()))
        return 0
    lines = regressions(load()[1], found)
    print("\n".join(lines) or "nothing has become worse")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
