"""The ways in which threads share the state of the runtime (see `docs/concurrency.md`)."""

from runtime.concurrency.lazy import lazy
from runtime.concurrency.locks import Lock, LockOrderError, LockRank, ranked_lock
from runtime.concurrency.notes import FinalizerNote, Notes
from runtime.concurrency.process import PROCESS
from runtime.concurrency.steps import STEPS, step, yielding_instructions
from runtime.concurrency.threads import Latch, can_start_threads, start_thread
from runtime.concurrency.waiting import FOREVER, Inbox, Waiters, sleep

__all__ = [
    "FOREVER",
    "PROCESS",
    "STEPS",
    "FinalizerNote",
    "Inbox",
    "Latch",
    "Lock",
    "LockOrderError",
    "LockRank",
    "Notes",
    "Waiters",
    "can_start_threads",
    "lazy",
    "ranked_lock",
    "sleep",
    "start_thread",
    "step",
    "yielding_instructions",
]
