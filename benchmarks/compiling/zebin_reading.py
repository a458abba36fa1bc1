"""Measures how time and memory of reading grow with the kernels of a ZEBIN, and what of it libyaml takes.

Each file is read by a process of its own. `--kernels 1000 2000 5000 10000 --code 6000`: kernels of each file, bytes of
code of a kernel. Linux only. Prints CPU seconds, the ratio to the time per kernel of the previous file (1 is linear),
the memory that reading takes at its peak beyond what the process had, in sizes of the file, and the share of the time
that the events of PyYAML's parser alone take for the text of `.ze_info`: of libyaml, or of the parser in Python where
PyYAML was built without it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import zebin
from xegpu.isa import ArgumentKind, CompiledKernel, ImplicitArgument, KernelArgument, KernelFacts
from xegpu.isa.code.program import encode_header
from xegpu.targets import PVC

_WORKER = r"""
import json, re, sys, time
import zebin
def peak():
    with open("/proc/self/status") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) * 1024
before, start = peak(), time.process_time()
contents = zebin.read(sys.argv[1])
kernels = len(contents.kernels)
print(json.dumps({"kernels": kernels, "seconds": time.process_time() - start, "memory": peak() - before}))
"""

_EVENTS = """
import sys, time
import yaml
import zebin
text = bytes(zebin.read(sys.argv[1]).section(".ze_info").data).decode()
start = time.process_time()
parser = (yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)(text)
while parser.get_event() is not None:
    pass
print(time.process_time() - start)
"""


@dataclass(frozen=True)
class Measurement:
    """One file: its size in bytes, CPU seconds and bytes for reading it, and CPU seconds for the events of its YAML."""

    size: int
    kernels: int
    seconds: float
    memory: int
    events: float


def many_kernels(count: int, code_bytes: int) -> bytes:
    """A ZEBIN of `count` kernels with twelve arguments each."""
    code = encode_header(PVC.platform.grf_bytes) + bytes(code_bytes)
    arguments = tuple(
        KernelArgument.at(32 + 8 * n, 8, f"arg{n}", "memref<?x?xf32>", ArgumentKind.POINTER, "readonly")
        if n % 2
        else KernelArgument.at(32 + 8 * n, 8, f"arg{n}", "index")
        for n in range(12)
    )
    implicit = (ImplicitArgument("global_id_offset", 0, 12), ImplicitArgument("local_size", 12, 12))
    facts = KernelFacts(16, arguments, implicit, local_id_dimensions=3, grf_count=128)
    kernels = [CompiledKernel(f"kernel_{n}", facts, code, 16) for n in range(count)]
    return zebin.build(PVC, kernels)


def _run(program: str, path: Path) -> str:
    return subprocess.run([sys.executable, "-c", program, path], check=True, capture_output=True, text=True).stdout


def measure(path: Path) -> Measurement:
    """Reads the file, and the events of its YAML."""
    found = json.loads(_run(_WORKER, path))
    events = float(_run(_EVENTS, path))
    return Measurement(path.stat().st_size, found["kernels"], found["seconds"], found["memory"], events)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kernels", type=int, nargs="+", default=[1000, 2000, 5000, 10000])
    parser.add_argument("--code", type=int, default=6000, help="bytes of code of each kernel")
    arguments = parser.parse_args(argv)
    print("kernels  file MB  seconds  time per kernel  memory/file  YAML events/time")
    previous: float | None = None
    with tempfile.TemporaryDirectory() as directory:
        for count in arguments.kernels:
            path = Path(directory) / "many.zebin"
            path.write_bytes(many_kernels(count, arguments.code))
            found = measure(path)
            each = found.seconds / found.kernels
            growth = "-" if previous is None else f"{each / previous:.2f}"
            previous = each
            print(
                f"{found.kernels:7}  {found.size / 1e6:7.1f}  {found.seconds:7.2f}  {growth:>15}"
                f"  {found.memory / found.size:11.2f}  {found.events / found.seconds:16.2f}",
                flush=True,
            )


if __name__ == "__main__":
    started = time.monotonic()
    main()
    print(f"measured in {time.monotonic() - started:.0f} s", file=sys.stderr)
