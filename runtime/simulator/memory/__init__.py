"""Device memory: the set of live allocations. A device address is the host address of the bytes."""

from runtime.simulator.memory.allocations import (
    Allocation as Allocation,
    FreedAllocation as FreedAllocation,
    Holder as Holder,
    OverlapsLiveMemory as OverlapsLiveMemory,
)
from runtime.simulator.memory.memory import Memory as Memory
from runtime.simulator.memory.ranges import RangeTable as RangeTable
