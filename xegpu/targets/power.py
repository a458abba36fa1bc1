"""Power, clocks and temperatures of one GPU: the numbers of the energy model (docs/sysman.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ExecutionPower:
    """The power of one tile, and its bounds.

    Limits and temperatures are those of data sheets; the energies are estimates that reach the sustained limit when all
    matrix engines and the memory are busy. Energies are those at the highest voltage.
    """

    sustained_watts: int
    """The power of the data sheet, which is the sustained limit by default and the highest one that can be set."""
    least_watts: int
    """The lowest limit that can be set."""
    burst_watts: int
    peak_watts: int
    least_clock_mhz: int
    efficient_clock_mhz: int
    clock_step_mhz: int = 50
    least_volts: float
    most_volts: float
    static_watts: float
    """Power while work executes, whatever it does."""
    cycle_picojoules: Mapping[str, int]
    """Energy of a cycle for which an instruction occupies a pipe of one EU, by the name of the pipe."""
    byte_picojoules: int
    """Energy of a byte of local memory that is read or written."""
    link_picojoules: int = 40
    """Energy of a byte that crosses the PCI link."""
    idle_celsius: float
    critical_celsius: float
    """The temperature at which the hardware throttles."""
    heat_joules: float
    """Heat that makes the GPU one kelvin hotter."""
    cooling_seconds: float
    """The time in which the cooler takes away all but 37 percent of the heat."""
    fan_rpm: int = 0
    """The highest speed of the card's fan; 0 for a card that the server cools."""
