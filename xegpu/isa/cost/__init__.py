"""What programs cost on a target: cycles of instructions, blocks and loops (docs/cost-model.md)."""

from __future__ import annotations

from xegpu.isa.cost.instruction import InstructionCost, Pipe, instruction_cost
from xegpu.isa.cost.kernel import KernelCost, RegionCost, instruction_cycles, kernel_cost
from xegpu.isa.cost.scoreboard import Scoreboard
from xegpu.isa.cost.traffic import Traffic, TrafficSpace, traffic
from xegpu.isa.cost.trips import TripCount

__all__ = [
    "InstructionCost",
    "KernelCost",
    "Pipe",
    "RegionCost",
    "Scoreboard",
    "Traffic",
    "TrafficSpace",
    "TripCount",
    "instruction_cost",
    "instruction_cycles",
    "kernel_cost",
    "traffic",
]
