"""Work on what strangers have written, in processes with bounded time and memory."""

from tools.bounded.process import (
    BoundedProcess as BoundedProcess,
    ProcessEnded as ProcessEnded,
    ProcessLimits as ProcessLimits,
    TookTooLong as TookTooLong,
)
