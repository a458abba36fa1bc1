"""The energy of work: the power that a tile draws at a clock, and the clock that a limit of its power allows.

Voltage grows with the clock, from the least to the highest. Power consists of a static part, as long as work executes,
and the energy of what the work does; both go with the square of the voltage. The memory has a supply of its own.
"""

from __future__ import annotations

from xegpu.targets import ExecutionPower, Target


def voltage_at(target: Target, clock_mhz: float) -> float:
    """Returns the voltage at a clock."""
    power = target.power
    share = (clock_mhz - power.least_clock_mhz) / (target.core_clock_mhz - power.least_clock_mhz)
    return power.least_volts + (power.most_volts - power.least_volts) * min(max(share, 0.0), 1.0)


def scale_at(target: Target, clock_mhz: float) -> float:
    """Returns the share of the energy at the highest voltage that the same work takes at a clock."""
    return (voltage_at(target, clock_mhz) / target.power.most_volts) ** 2


def watts_at(target: Target, clock_mhz: float, busy_seconds: float, joules: float, memory_joules: float) -> float:
    """Returns the power during work that takes some seconds at a clock.

    Args:
        target: The GPU.
        clock_mhz: The clock.
        busy_seconds: The time that the work takes at this clock.
        joules: The energy of its instructions at the highest voltage.
        memory_joules: The energy of memory and links.
    """
    scale = scale_at(target, clock_mhz)
    return target.power.static_watts * scale + (joules * scale + memory_joules) / busy_seconds


def clocks_of(target: Target) -> list[float]:
    """Returns the clocks that a GPU can have, in MHz, the lowest first."""
    power: ExecutionPower = target.power
    steps = range(power.least_clock_mhz, target.core_clock_mhz, power.clock_step_mhz)
    return [*map(float, steps), float(target.core_clock_mhz)]


def clock_at(target: Target, clock_mhz: float) -> float:
    """Returns the highest clock of the GPU that is not above `clock_mhz`, else its lowest one."""
    clocks = clocks_of(target)
    return max((clock for clock in clocks if clock <= clock_mhz), default=clocks[0])
