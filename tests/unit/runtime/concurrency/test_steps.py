"""Steps take effect as a whole."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue

import pytest

import runtime.api
from runtime.concurrency import STEPS, step, yielding_instructions

assert runtime.api, "imports all modules that have steps"


@pytest.mark.parametrize("function", STEPS, ids=lambda function: function.__qualname__)
def test_steps_have_no_instruction_at_which_a_thread_loses_control(function: Callable[..., object]) -> None:
    assert yielding_instructions(function) == []


class Pair:
    """Two numbers that are equal between steps."""

    def __init__(self) -> None:
        self.first = self.second = 0
        self.wakes: SimpleQueue[None] = SimpleQueue()

    def called_between(self) -> None:
        self.first += 1
        abs(self.first)
        self.second += 1

    def in_a_loop(self) -> None:
        while self.first == self.second:
            self.first += 1
        self.second += 1

    def creates(self) -> None:
        self.first += 1
        self.seen = [self.first]
        self.second += 1

    def calls_twice(self) -> None:
        self.first += 1
        abs(1)
        abs(2)

    def is_one(self, number: int, put: Callable[[None], None]) -> bool:
        if self.first != self.second:
            return False
        self.first += number
        self.second += number
        put(None)
        return True


@pytest.mark.parametrize("function", [Pair.called_between, Pair.in_a_loop, Pair.creates, Pair.calls_twice])
def test_instructions_at_which_a_thread_may_lose_control_are_found(function: Callable[..., object]) -> None:
    assert yielding_instructions(function)


def test_a_step_may_end_with_a_call() -> None:
    assert yielding_instructions(Pair.is_one) == []


def test_signals_and_threads_do_not_come_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """A storm of signals, whose handler looks at the state and raises, and a thread that looks at it all the time."""
    pair, torn = Pair(), []
    advance = step(Pair.is_one)
    monkeypatch.setattr("runtime.concurrency.steps.STEPS", [])

    def look(*_: object) -> None:
        first, second = pair.first, pair.second
        if first < second:
            torn.append((first, second))

    def interrupt(*_: object) -> None:
        if pair.first != pair.second:
            torn.append((pair.first, pair.second))
        raise KeyboardInterrupt

    stopped = threading.Event()

    def watch() -> None:
        while not stopped.is_set():
            look()

    interval, before = sys.getswitchinterval(), signal.signal(signal.SIGALRM, interrupt)
    watcher = threading.Thread(target=watch)
    watcher.start()
    interrupts = 0
    try:
        sys.setswitchinterval(1e-6)
        while interrupts < 300:
            try:
                signal.setitimer(signal.ITIMER_REAL, 2e-5)
                while True:
                    advance(pair, 1, pair.wakes.put)
            except KeyboardInterrupt:
                interrupts += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.setswitchinterval(interval)
        stopped.set()
        watcher.join()
    assert pair.first == pair.second > 0
    assert torn == []
