"""The cost model: cycles of instructions, blocks and loops on a target (docs/cost-model.md)."""

from xegpu.isa.cost.instruction import instruction_cost as instruction_cost
from xegpu.isa.cost.kernel import (
    instruction_cycles as instruction_cycles,
    instruction_stalls as instruction_stalls,
    kernel_cost as kernel_cost,
)
from xegpu.isa.cost.loops import find_loops as find_loops
from xegpu.isa.cost.scoreboard import Scoreboard as Scoreboard
from xegpu.isa.model.costs import (
    InstructionCost as InstructionCost,
    KernelCost as KernelCost,
    Pipe as Pipe,
    RegionCost as RegionCost,
    StallReason as StallReason,
    TripCount as TripCount,
)
from xegpu.isa.model.traffic import Traffic as Traffic, TrafficSpace as TrafficSpace, traffic as traffic
