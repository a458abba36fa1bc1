"""The exception by which an instruction stops its thread."""

from __future__ import annotations

from runtime.simulator.launch.faults import FaultKind


class Fault(Exception):
    """Stops a thread. The engine adds kernel, thread and instruction and raises a `DeviceFault`.

    `lane` is the channel at fault, None for the whole thread. Address spaces count accesses instead of channels.
    """

    def __init__(
        self,
        kind: FaultKind,
        detail: str = "",
        *,
        lane: int | None = None,
        address: int | None = None,
        size: int = 0,
    ):
        super().__init__(kind.name, detail)
        self.kind = kind
        self.detail = detail
        self.lane = lane
        self.address = address
        self.size = size
