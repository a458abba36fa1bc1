"""Failures that no result of the specification describes: defects of the driver, and interrupts of the host."""

from __future__ import annotations

import _thread
import os
import traceback

from runtime.ze import ZeError, ze_result_t

LOG_VARIABLE = "XEGPU_DRIVER_LOG"
"""The environment variable with the file that failures are written to; `-` stands for standard error."""


def note(text: str) -> None:
    """Writes a text to the log, if there is one."""
    path = os.environ.get(LOG_VARIABLE)
    if path == "-":
        os.write(2, f"{text}\n".encode("utf-8", "replace"))
    elif path:
        with open(path, "a", encoding="utf-8") as log:
            log.write(f"{text}\n")


def refused(name: str, error: ZeError) -> int:
    """Returns the result of a call that the driver refused, and notes the reason."""
    if LOG_VARIABLE in os.environ and error.result is not ze_result_t.ZE_RESULT_NOT_READY:
        note(f"{name}: {error}")
    return int(error.result)


def failed(error: BaseException) -> int:
    """Returns the result of a call that ended with an exception that is no `ZeError`.

    An interrupt belongs to the host, which gets it when the call has returned.
    """
    if isinstance(error, KeyboardInterrupt):
        _thread.interrupt_main()
        return ze_result_t.ZE_RESULT_ERROR_UNKNOWN
    if isinstance(error, MemoryError):
        return ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
    note("".join(traceback.format_exception(error)))
    return ze_result_t.ZE_RESULT_ERROR_UNKNOWN
