"""The ways in which threads share the state of the runtime (see `docs/concurrency.md`)."""

from runtime.concurrency.lazy import lazy as lazy
from runtime.concurrency.locks import LockOrderError as LockOrderError, LockRank as LockRank, ranked_lock as ranked_lock
from runtime.concurrency.notes import FinalizerNote as FinalizerNote, Notes as Notes
from runtime.concurrency.process import PROCESS as PROCESS
from runtime.concurrency.steps import STEPS as STEPS, step as step, yielding_instructions as yielding_instructions
from runtime.concurrency.threads import (
    Latch as Latch,
    can_start_threads as can_start_threads,
    start_thread as start_thread,
)
from runtime.concurrency.waiting import FOREVER as FOREVER, Inbox as Inbox, Waiters as Waiters
