"""Level Zero under fire for as long as wanted: random calls against a model, calls of an application without manners,
and threads that share objects.

    python -m tests.bulk.ze --minutes 60

Each round has a seed of its own, which `--seed` begins with. What is wrong ends the run with the calls that show it;
threads, open files and memory must not grow from round to round.
"""

from __future__ import annotations

import argparse
import gc
import threading
import time

import psutil

from runtime.ze import layers
from runtime.ze.layers import Layers
from runtime.ze.layers.validation import ValidationCheck
from tests.bulk.growth import used_bytes
from tests.unit.runtime.ze.fuzz.chaos import chaos
from tests.unit.runtime.ze.fuzz.playing import play
from tests.unit.runtime.ze.fuzz.running import fuzz
from tests.unit.runtime.ze.fuzz.stress import stress

GAMES = 30
"""Runs of likely calls in a round."""

ROUNDS_TO_WARM_UP = 3
MOST_GROWTH = 16 << 20
"""Bytes that the process may grow after it has warmed up."""


def usage() -> tuple[int, int, int]:
    """Threads, open files and used bytes of this process."""
    gc.collect()
    return threading.active_count(), psutil.Process().num_fds(), used_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    began = time.monotonic()
    end, number, first = began + 60 * arguments.minutes, 0, usage()
    while time.monotonic() < end:
        seed = arguments.seed + number
        # Threads break no rule, so that they go the same with all layers; random calls do, and get other answers.
        layers.install(Layers())
        fuzz(seed, examples=20, steps=50)
        for game in range(GAMES):
            play(seed * GAMES + game, length=150)
        for game in range(GAMES):
            chaos(seed * GAMES + game, length=500)
        stress(30, seed)
        layers.install(Layers(tracing=True, checks=frozenset(ValidationCheck)))
        stress(10, seed)
        number += 1
        now = usage()
        if number == ROUNDS_TO_WARM_UP:
            first = now
        print(f"round {number}, seed {seed}: {now[0]} threads, {now[1]} files, {now[2] >> 20} MiB", flush=True)
        if number > ROUNDS_TO_WARM_UP:
            assert now[:2] <= first[:2], f"threads and files grew from {first[:2]}"
            assert now[2] < first[2] + MOST_GROWTH, f"memory grew from {first[2] >> 20} MiB"
    print(f"{number} rounds in {(time.monotonic() - began) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
