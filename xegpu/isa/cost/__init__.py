"""The cost model: cycles of instructions, blocks and loops on a target (docs/cost-model.md)."""

from __future__ import annotations

from xegpu.isa.cost.instruction import instruction_cost
from xegpu.isa.cost.kernel import instruction_cycles, instruction_stalls, kernel_cost
from xegpu.isa.cost.loops import find_loops
from xegpu.isa.cost.scoreboard import Scoreboard
from xegpu.isa.model.costs import InstructionCost, KernelCost, Pipe, RegionCost, StallReason, TripCount
from xegpu.isa.model.traffic import Traffic, TrafficSpace, traffic

__all__ = [
    "InstructionCost",
    "KernelCost",
    "Pipe",
    "RegionCost",
    "Scoreboard",
    "StallReason",
    "Traffic",
    "TrafficSpace",
    "TripCount",
    "find_loops",
    "instruction_cost",
    "instruction_cycles",
    "instruction_stalls",
    "kernel_cost",
    "traffic",
]
