"""Work on what strangers have written, in processes with bounded time and memory."""

from tools.bounded.process import BoundedProcess, ProcessEnded, ProcessLimits, TookTooLong

__all__ = ["BoundedProcess", "ProcessEnded", "ProcessLimits", "TookTooLong"]
