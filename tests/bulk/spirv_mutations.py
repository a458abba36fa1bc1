"""Mutates SPIR-V modules and brings them to MLIR in processes of limited memory: no traceback, no abort, no long run.

python -m tests.bulk.spirv_mutations --minutes 5 --seed 1

Each process tries a thousand mutations, one after the other; what ends it is written to a file, and the next process
goes on behind it. With `--log`, a line for each process tells how far it came.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import resource
import signal
import struct
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from passes.frontends import import_spirv
from passes.frontends.spirv import SpirvError, disassemble, specializations
from tests.paths import ROOT
from xegpu.diagnostics import CompileError

BATCH = 1000
SECONDS = 10
"""The processor time that a mutation may take before its process is ended."""
MEMORY = 2 << 30
HEADER = 20
SHARE = 0.1
"""The share of mutations that are disassembled and asked for constants, too."""


def mutate(data: bytes, draw: random.Random) -> bytes:
    """Returns a module with some words changed, or instructions repeated, moved or removed."""
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    for _ in range(draw.choice([1, 1, 1, 2, 4, 10])):
        starts = instructions(words)
        place = draw.randrange(1, len(words))
        match draw.randrange(6):
            case 0:
                words[place] = (
                    draw.choice([0, 1, words[place] + 1, words[place] - 1, draw.randrange(2**32)]) & 0xFFFFFFFF
                )
            case 1:
                words[place] ^= 1 << draw.randrange(32)
            case 2:
                words[place] = draw.randrange(1, max(words[3] & 0xFFFF, 2))
            case 3 if starts:
                begin, end = draw.choice(starts)
                del words[begin:end]
            case 4 if starts:
                (begin, end), (other, _) = draw.choice(starts), draw.choice(starts)
                words[other:other] = words[begin:end]
            case _ if starts:
                begin, _ = draw.choice(starts)
                _, opcode = words[begin] >> 16, draw.choice(starts)[0]
                words[begin] = words[begin] & 0xFFFF0000 | words[opcode] & 0xFFFF
            case _:
                pass
    return struct.pack(f"<{len(words)}I", *words)


def instructions(words: list[int]) -> list[tuple[int, int]]:
    """Returns where the instructions of a module start and end, as far as their lengths make sense."""
    found = []
    place = HEADER // 4
    while place < len(words) and (count := words[place] >> 16) and place + count <= len(words):
        found.append((place, place + count))
        place += count
    return found


def attempt(data: bytes, draw: random.Random) -> bool:
    """Does with a module what users do with it, and says whether it was accepted. Other exceptions are defects."""
    try:
        # The text and the list of constants are made of what the translation reads as well.
        if draw.random() < SHARE:
            disassemble(data)
            specializations(data)
        import_spirv(data, "mutation")
    except (SpirvError, CompileError):
        return False
    return True


@dataclass
class Tally:
    """Counts what became of mutations."""

    tried: int = 0
    accepted: int = 0
    failures: list[tuple[int, int]] = field(default_factory=list)
    """Seed and number of the mutations that ended their process badly."""

    def line(self, start: float) -> str:
        spent = time.monotonic() - start
        return f"{spent:.0f} s: {self.tried} mutations, {self.accepted} accepted, {len(self.failures)} failures"


def mutation(modules: list[bytes], seed: int, number: int) -> tuple[bytes, random.Random]:
    """Returns a mutation, and the generator that drew it."""
    draw = random.Random(f"{seed} {number}")
    return mutate(draw.choice(modules), draw), draw


def batch(modules: list[bytes], seed: int, tally: Tally) -> None:
    """Tries the mutations of a seed in processes of their own, a new one behind each that ends one badly."""
    first = 0
    while first < BATCH:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _try_all(modules, seed, first, writer)
        os.close(writer)
        with open(reader, "rb") as pipe:
            progress = pipe.read()
        _, status = os.waitpid(child, 0)
        tally.accepted += progress.count(ACCEPTED)
        tried = progress.count(STARTED)
        tally.tried += tried
        first += tried
        if status:
            tally.failures.append((seed, first - 1))


STARTED, ACCEPTED = b"s", b"a"


def _try_all(modules: list[bytes], seed: int, first: int, writer: int) -> NoReturn:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in range(first, BATCH):
        data, draw = mutation(modules, seed, number)
        os.write(writer, STARTED)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            if attempt(data, draw):
                os.write(writer, ACCEPTED)
        except Exception:
            traceback.print_exc()
            os._exit(1)
    os._exit(0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--count", type=int, default=10**9, help="stop after so many mutations")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", type=Path, default=ROOT / "tests/corpus/spirv")
    parser.add_argument("--log", type=Path, help="append the counts to this file as they grow")
    options = parser.parse_args()
    modules = [path.read_bytes() for path in sorted(options.corpus.glob("*.spv"))]
    # Processes inherit what the front end imports and what it reads from tables.
    for module in modules:
        attempt(module, random.Random(0))
    gc.freeze()
    start = time.monotonic()
    seed, tally = options.seed, Tally()
    while time.monotonic() < start + 60 * options.minutes and tally.tried < options.count:
        known = len(tally.failures)
        batch(modules, seed, tally)
        for row in tally.failures[known:]:
            path = Path("mutation-{}-{}.spv".format(*row))
            path.write_bytes(mutation(modules, *row)[0])
            print(f"seed {row[0]}, mutation {row[1]}: written to {path}", flush=True)
        seed += 1
        if options.log is not None:
            with options.log.open("a", encoding="utf-8") as log:
                print(f"seed {seed - 1}, {tally.line(start)}", file=log)
    print(tally.line(start))
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
