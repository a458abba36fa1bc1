"""Compares random C programs as kernels with what the host's C compiler makes of them.

    python -m tests.bulk.csmith --count 100 --seed 1

csmith (Debian: `csmith libcsmith-dev`) writes programs without undefined behavior. One work-item runs all of a program:
its variables are those of the module, its functions are inlined.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from runtime import Device, ZeError
from xegpu.diagnostics import CompileError

HEADERS = Path(__file__).parent
SYSTEM_HEADERS = Path("/usr/include")
_OPTIONS = ["--no-argc", "--no-bitfields", "--no-packed-struct", "--max-funcs", "4", "--concise"]
_C_OPTIONS = ("-w", "-O1", "-fwrapv", "-fno-strict-aliasing", f"-I{HEADERS}", "-lm")
_CL_OPTIONS = ("-cl-std=CL2.0", "-w", f"-I{HEADERS}", f"-I{SYSTEM_HEADERS}")
_SECONDS = 5
_LAUNCH_SECONDS = 60
_ONLY_IN_C = "non-overlapping address spaces"
"""A part of clang's message about comparisons that C allows and OpenCL C does not."""


def run(seed: int, device: Device, folder: Path) -> str:
    """Returns how a program ended: `same`, `too long`, `only in C`, or what is wrong."""
    command = ["csmith", "--seed", str(seed), *_OPTIONS]
    text = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    subprocess.run(["cc", str(source), "-o", str(program), *_C_OPTIONS], check=True)
    try:
        printed = subprocess.run([program], capture_output=True, text=True, timeout=_SECONDS, check=True).stdout
    except subprocess.TimeoutExpired:
        return "too long"
    expected = np.array([int(line) for line in printed.split()], np.uint64)
    out = np.zeros(len(expected) + 1, np.uint64)
    try:
        module = device.compile(kernel(text), f"csmith{seed}.cl", options=_CL_OPTIONS)
        module["program"](out, grid=1, block=1)
    except (CompileError, ZeError) as error:
        return "only in C" if _ONLY_IN_C in str(error) else str(error)
    differing = np.flatnonzero(out != np.append(expected, np.uint64(0)))
    if differing.size:
        first = differing[0]
        return f"value {first} is {out[first]}, expected {expected[first] if first < len(expected) else 'no more'}"
    return "same"


def kernel(text: str) -> str:
    """Returns a program with a kernel in the place of `main`."""
    text = re.sub(
        r"int main ?\(.*?\)\s*\{", "kernel void program(global ulong *out)\n{ uint count = 0;", text, flags=re.S
    )
    return re.sub(r"^\s*if \(print_hash_value\).*$", "", text, flags=re.M).replace("return 0;", "return;")


def main() -> int:
    """Runs the command; returns 1 if a program gave other numbers or was refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.bulk.csmith", description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", default="pvc")
    arguments = parser.parse_args()
    if shutil.which("csmith") is None or not (SYSTEM_HEADERS / "csmith/safe_math.h").exists():
        parser.error("needs csmith (Debian: csmith libcsmith-dev)")
    outcomes: Counter[str] = Counter()
    device = Device(arguments.target, time_limit=_LAUNCH_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            outcome = run(seed, device, Path(folder))
            known = outcome in ("same", "too long", "only in C")
            outcomes[outcome if known else "wrong"] += 1
            if not known:
                print(f"seed {seed}: {outcome}")
    print(", ".join(f"{outcome}: {count}" for outcome, count in outcomes.items()))
    return 1 if outcomes["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
