"""Execution of a prepared launch on host threads.

The main thread, and any thread that supervises the launch, only waits: Ctrl-C and other signals interrupt the wait.
"""

from __future__ import annotations

import threading

from runtime.concurrency import can_start_threads
from runtime.simulator.jit.host_threads.crew import crew
from runtime.simulator.jit.host_threads.launch_memory import LaunchMemory
from runtime.simulator.jit.host_threads.thread_pool import Task, shared_pool
from runtime.simulator.jit.host_threads.workers import WorkerMemory
from runtime.simulator.machine.scheduling import schedule
from runtime.simulator.supervision.watch import Watch


def execute(launch: LaunchMemory, watch: Watch, used: object) -> None:
    """Runs each worker on a thread of its own until nothing is left to do; `used` is kept for as long as they run."""
    waits = watch.period is not None or is_main_thread()
    workers = [worker.address for worker in launch.workers]
    if not can_start_threads() or (len(workers) == 1 and not waits):
        launch.workers[0].run()
        return
    first = launch.record.next_group

    def look() -> None:
        watch.look(launch.record.next_group - first)

    own = None if waits else workers.pop()
    with crew() as helpers:
        try:
            helpers.run(launch.kernel.entry, workers, own, (launch, used), look, watch.period)
        except BaseException:
            launch.stop()
            helpers.join()
            raise


def execute_in_turns(launch: LaunchMemory, watch: Watch, threads: int, resident: int) -> None:
    """Runs work-groups that may wait for each other on up to `threads` host threads, `resident` of them in turns.

    The turns are Python's: groups that yield are rare, and each takes memory of its own.
    """
    record = launch.record
    first, end = record.next_group, record.groups
    most = -(-resident // threads)

    def open_worker() -> WorkerMemory | None:
        return launch.open_worker() if record.next_group < min(end, record.wanted) else None

    def work() -> None:
        schedule(open_worker, most, lambda: record.wanted < end)

    waits = watch.period is not None or is_main_thread()
    pending: list[Task[None]] = []
    try:
        pending.extend(shared_pool().submit(work) for _ in range(threads if waits else threads - 1))
        if not waits:
            work()
        for task in pending:
            while not task.wait(watch.period):
                watch.look(record.next_group - first)
    except BaseException:
        launch.stop()
        for task in pending:
            task.has_ended()
        raise


def is_main_thread() -> bool:
    """Returns whether the caller is the thread that handles signals."""
    return threading.get_ident() == threading.main_thread().ident
