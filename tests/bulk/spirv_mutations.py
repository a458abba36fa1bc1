"""Mutates SPIR-V modules and brings them to MLIR in processes of limited memory: no traceback, no abort, no long run.

python -m tests.bulk.spirv_mutations --minutes 5 --seed 1
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import struct
import sys
import time
import traceback
from pathlib import Path

from passes.frontends import import_spirv
from passes.frontends.spirv import SpirvError, disassemble, specializations
from tests.paths import ROOT
from xegpu.diagnostics import CompileError

BATCH = 25
SECONDS = 20
MEMORY = 2 << 30
HEADER = 20


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


def attempt(data: bytes) -> None:
    """Does with a module what users do with it. Any other exception than ours is a defect."""
    try:
        disassemble(data)
        specializations(data)
        import_spirv(data, "mutation")
    except (SpirvError, CompileError):
        pass


def batch(modules: list[Path], seed: int) -> int | None:
    """Tries mutations in a process of its own. Returns the number of the one that ended it badly."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        status = 0
        for number in range(BATCH):
            draw = random.Random(f"{seed} {number}")
            os.write(writer, bytes([number]))
            signal.alarm(SECONDS)
            try:
                attempt(mutate(draw.choice(modules).read_bytes(), draw))
            except Exception:
                traceback.print_exc()
                status = 1
                break
        os._exit(status)
    os.close(writer)
    progress = b""
    while chunk := os.read(reader, 256):
        progress += chunk
    os.close(reader)
    _, status = os.waitpid(child, 0)
    return progress[-1] if status else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", type=Path, default=ROOT / "tests/corpus/spirv")
    options = parser.parse_args()
    modules = sorted(options.corpus.glob("*.spv"))
    end = time.monotonic() + 60 * options.minutes
    seed, failures = options.seed, 0
    while time.monotonic() < end:
        number = batch(modules, seed)
        if number is not None:
            failures += 1
            draw = random.Random(f"{seed} {number}")
            path = Path(f"mutation-{seed}-{number}.spv")
            path.write_bytes(mutate(draw.choice(modules).read_bytes(), draw))
            print(f"seed {seed}, mutation {number}: written to {path}")
        seed += 1
    print(f"{(seed - options.seed) * BATCH} mutations, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
