"""Six threads make random calls, with interrupts, forks and garbage collections at random moments.

    python -m tests.bulk.interrupts --minutes 10

The main thread is interrupted. After each round, counters and copies in memory must be right; no object, allocation,
thread or file may be left over, and the process must not grow. A call that takes longer than `PATIENCE` seconds ends
the run with the stacks of all threads.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import os
import random
import signal
import threading
import time
from collections import Counter

import numpy as np

from runtime import Device, Stream, ZeError
from runtime.api.sessions.session import NOTES
from tests.bulk.growth import used_bytes

PATIENCE = 60
ROUND_SECONDS = 5
ROUNDS_TO_WARM_UP = 6
MOST_GROWTH = 4 << 20
"""Bytes that the process may grow after it has warmed up. A lost buffer, event or stream a second would show."""

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


class Garbage:
    """A buffer, an event and a stream that only the collector ends."""

    def __init__(self, device: Device) -> None:
        self.objects = device.empty(16), device.event(), device.stream()
        self.cycle = self


class Caller:
    """One thread: random calls, and a counter in memory that it shares with the device."""

    def __init__(self, storm: Storm, seed: int) -> None:
        self.storm = storm
        self.device = storm.device
        self.random = random.Random(seed)
        self.counter = self.device.array([0], np.int32, memory="shared")
        self.stream: Stream = self.device.stream()
        self.begun = self.done = 0
        """Launches on the counter; one that is interrupted may be executed or not."""

    def call(self) -> None:
        """Makes one random call."""
        device, count, number = self.device, self.storm.count, self.random.randrange(100)
        match self.random.randrange(9):
            case 0:
                self.launch(None)
            case 1:
                self.launch(self.stream)
            case 2:
                self.launch(self.storm.stream)
            case 3:
                values = np.arange(number + 1, dtype=np.float32)
                assert np.array_equal(device.array(values).numpy(), values), "a copy"
            case 4:
                array = np.full(65, number, np.int32)[1:2]  # at an address that makes a copy necessary
                count[1, (1,)](array)
                assert array[0] == number + 1, "an array of the host"
            case 5:
                event = device.event(timed=bool(number % 2))
                pending = count[1, (1,)](device.empty(1, np.int32), stream=self.stream, signal=event)
                assert event.wait(PATIENCE) and pending.wait(PATIENCE), "an event"
            case 6:
                with device.stream() as stream:
                    stream.fill(buffer := device.empty(4, np.int32), number)
                    stream.synchronize()
                    assert (buffer.numpy() == number).all(), "a fill"
            case 7:
                first, buffer = device.event(), device.empty(8, np.int32)
                with device.stream() as stream, device.stream() as other:
                    stream.fill(buffer, number, signal=first)
                    other.wait(first)
                    other.fill(buffer, number + 1)
                    other.synchronize()
                    assert (buffer.numpy() == number + 1).all(), "an order"
            case 8:
                Garbage(device)
        if number == 0:
            gc.collect()

    def launch(self, stream: Stream | None) -> None:
        self.begun += 1
        if stream is None:
            self.storm.count[1, (1,)](self.counter)
        else:
            self.storm.count[1, (1,)](self.counter, stream=stream).wait(PATIENCE)
        self.done += 1

    def check(self) -> None:
        self.stream.synchronize()
        found = int(self.counter.numpy()[0])
        assert self.done <= found <= self.begun, f"{found} launches, {self.done} to {self.begun} expected"


class Storm:
    """The calls of all threads."""

    def __init__(self, seed: int, threads: int) -> None:
        self.random = random.Random(seed)
        self.device = Device("pvc")
        self.module = self.device.compile(KERNELS)
        self.count = self.module["count"]
        self.stream = self.device.stream()
        self.callers = [Caller(self, seed * threads + number) for number in range(threads)]
        self.seen: Counter[str] = Counter()
        self.errors: list[BaseException] = []
        self.stopped = False

    def go_on(self, caller: Caller) -> None:
        """Calls without interrupts, until the round is over."""
        try:
            while not self.stopped:
                caller.call()
                self.seen["calls of other threads"] += 1
        except BaseException as error:
            self.errors.append(error)

    def interrupted_call(self) -> None:
        try:
            signal.setitimer(signal.ITIMER_REAL, self.random.uniform(1e-5, 2e-3))
            self.callers[0].call()
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.seen["calls of the main thread"] += 1
        except KeyboardInterrupt:
            self.seen["interrupts"] += 1

    def fork(self) -> None:
        """A child is told that the device is not its own, or makes one."""
        makes = self.random.random() < 0.3
        child = os.fork()
        if not child:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(PATIENCE)  # ends a child that hangs
            try:
                if makes:
                    device = Device("pvc")
                    array = np.zeros(1, np.int32)
                    device.load(self.module.binary)["count"][1, (1,)](array)
                    os._exit(int(array[0] != 1))
                self.callers[0].launch(self.random.choice([None, self.stream]))
            except ZeError as error:
                os._exit(0 if "UNINITIALIZED" in error.result.name else 1)
            except BaseException:
                os._exit(3)
            os._exit(2)
        status = os.waitpid(child, 0)[1]
        assert status == 0, f"a child of fork ended with {status}"
        self.seen["forks"] += 1

    def round(self) -> None:
        faulthandler.dump_traceback_later(PATIENCE + ROUND_SECONDS, exit=True)
        self.stopped = False
        threads = [threading.Thread(target=self.go_on, args=(caller,)) for caller in self.callers[1:]]
        for thread in threads:
            thread.start()
        end = time.monotonic() + ROUND_SECONDS
        while time.monotonic() < end and not self.errors:
            self.interrupted_call()
            if self.random.random() < 0.002:
                self.fork()
        self.stopped = True
        for thread in threads:
            thread.join()
        if self.errors:
            raise self.errors[0]
        self.stream.synchronize()
        for caller in self.callers:
            caller.check()
        faulthandler.cancel_dump_traceback_later()

    def left(self) -> dict[str, int]:
        """Returns the counts of objects, allocations, threads and files after all garbage is collected."""
        gc.collect()
        for _ in range(3):  # what is destroyed may be the last user of something else
            NOTES.work_off()
            gc.collect()
        context = self.device.session.context
        found = Counter(child.noun for child in context.children)
        found["allocation"] = len(context.machine.memory.live())
        found["busy launch"] = len(context.machine.executing) + len(context.machine.pauses)
        found["queue"] = len(self.device.session.device.processor.streams)
        found["thread"] = threading.active_count()
        found["file"] = len(os.listdir("/proc/self/fd"))
        return dict(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--threads", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    storm = Storm(arguments.seed, arguments.threads)
    end, number, first, before = time.monotonic() + 60 * arguments.minutes, 0, {}, 0
    while time.monotonic() < end:
        storm.round()
        number += 1
        left, used = storm.left(), used_bytes()
        if number == ROUNDS_TO_WARM_UP:
            first, before = left, used
        if number % 6 == 0:
            print(f"round {number}: {dict(storm.seen)}, {used >> 20} MiB, {left}", flush=True)
        if number > ROUNDS_TO_WARM_UP:
            grown = {what: (first.get(what, 0), count) for what, count in left.items() if count > first.get(what, 0)}
            assert not grown, f"left over after round {number}: {grown}"
            assert used < before + MOST_GROWTH, f"memory grew from {before >> 20} to {used >> 20} MiB"
    storm.device.close()
    assert storm.device.session.context.machine.memory.live() == ()
    print(f"{number} rounds: {dict(storm.seen)}, from {before >> 20} to {used >> 20} MiB")


if __name__ == "__main__":
    main()
