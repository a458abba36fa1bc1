"""Interrupts at random moments of launches, copies, allocations and streams, with threads, garbage and forks.

    python -m tests.bulk.interrupts --minutes 10

After every hundred calls a child of fork must get an answer; in the end a counter in device memory must be right. Calls
that take longer than `PATIENCE` seconds end the run with the stacks of all threads.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import signal
import threading
import time
from collections import Counter

import numpy as np

from runtime import Device, ZeError

PATIENCE = 30

KERNELS = """
gpu.module @kernels {
  gpu.func @count(%b: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %r = memref.atomic_rmw addi %one, %b[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }
}
"""


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


class Garbage:
    """A buffer that only the collector frees."""

    def __init__(self, device: Device) -> None:
        self.buffer, self.cycle = device.empty(16), self


class Storm:
    """Calls of the main thread that signals interrupt, while other threads launch without interrupts."""

    def __init__(self, seed: int, threads: int) -> None:
        self.random = random.Random(seed)
        self.device = Device("pvc")
        self.count = self.device.compile(KERNELS)["count"]
        self.stream = self.device.stream()
        self.array = np.zeros(65, np.int32)[1:2]
        self.counter = self.device.array([0], np.int32, memory="shared")
        self.counted = [0] * threads
        self.stopped = False
        self.seen: Counter[str] = Counter()
        self.threads = [threading.Thread(target=self.launch, args=(number,)) for number in range(threads)]

    def launch(self, number: int) -> None:
        """Launches without interrupts, on the stream that all share, until the storm is over."""
        while not self.stopped:
            self.count[1, (1,)](self.counter, stream=self.stream).wait(PATIENCE)
            self.counted[number] += 1
            Garbage(self.device)

    def call(self) -> None:
        """Makes one random call."""
        match self.random.randrange(5):
            case 0:
                self.count[1, (1,)](self.array)
            case 1:
                self.device.array(np.zeros(16, np.float32)).numpy()
            case 2:
                self.count[1, (1,)](self.device.empty(1, np.int32), stream=self.stream).wait(PATIENCE)
            case 3:
                self.count[1, (1,)](self.array, signal=self.device.event())
            case 4:
                with self.device.stream() as stream:
                    stream.fill(self.device.empty(4), 1)

    def interrupted_call(self) -> None:
        try:
            signal.setitimer(signal.ITIMER_REAL, self.random.uniform(1e-5, 6e-4))
            self.call()
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.seen["calls"] += 1
        except KeyboardInterrupt:
            self.seen["interrupts"] += 1

    def check_fork(self) -> None:
        """A child is told that the device is not its own."""
        child = os.fork()
        if not child:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(PATIENCE)  # ends a child that hangs
            try:
                self.count[1, (1,)](self.array)
            except ZeError as error:
                os._exit(0 if "UNINITIALIZED" in error.result.name else 1)
            os._exit(2)
        assert os.waitpid(child, 0)[1] == 0, "a child of fork"
        self.seen["forks"] += 1

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        for thread in self.threads:
            thread.start()
        while time.monotonic() < end:
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            for _ in range(100):
                self.interrupted_call()
            self.check_fork()
        self.stopped = True
        for thread in self.threads:
            thread.join()
        self.stream.synchronize()
        faulthandler.cancel_dump_traceback_later()
        assert self.counter.numpy()[0] == sum(self.counted) > 0, "lost launches"
        machine = self.device.session.context.machine
        assert machine.executing == {} and not machine.pauses
        self.device.close()
        assert machine.memory.live() == ()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--threads", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    signal.signal(signal.SIGALRM, interrupt)
    storm = Storm(arguments.seed, arguments.threads)
    storm.run(60 * arguments.minutes)
    print(f"{dict(storm.seen)}, {sum(storm.counted)} launches of other threads")


if __name__ == "__main__":
    main()
