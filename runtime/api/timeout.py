"""Time-outs of the Python API: seconds, or None to wait without end."""

from __future__ import annotations

from runtime.ze import FOREVER


def nanoseconds(timeout: float | None) -> int:
    """Returns a time-out in nanoseconds, as Level Zero counts it. Raises `ValueError` for a negative one."""
    if timeout is None:
        return FOREVER
    if not timeout >= 0:
        raise ValueError(f"a time-out of {timeout} seconds")
    return min(round(timeout * 1e9), FOREVER - 1) if timeout < FOREVER else FOREVER
