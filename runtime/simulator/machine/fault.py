"""How instructions stop the thread that executes them."""

from __future__ import annotations

from runtime.simulator.faults import FaultKind


class Fault(Exception):
    """Stops a thread; the interpreter adds kernel, thread and instruction and makes a `DeviceFault` of it.

    `lane` is the channel at fault (an address space counts the accesses that it was asked for), None for the thread.
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
