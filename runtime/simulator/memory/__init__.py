"""Device memory: the set of live allocations. A device address is the host address of the bytes."""

from runtime.simulator.memory.allocations import Allocation, FreedAllocation, Holder, OverlapsLiveMemory
from runtime.simulator.memory.memory import Memory
from runtime.simulator.memory.ranges import RangeTable

__all__ = ["Allocation", "FreedAllocation", "Holder", "Memory", "OverlapsLiveMemory", "RangeTable"]
