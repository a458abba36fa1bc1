"""The profile of one launch, instruction by instruction, and derived quantities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from runtime.simulator.execution.engine import Executable
from runtime.simulator.launch.dispatch import Dispatch, Statistics
from runtime.simulator.profile.estimate import Estimate, estimate
from runtime.simulator.profile.operations import Precision, channel_operations, peak_operations
from runtime.simulator.profile.pressure import live_registers
from xegpu.isa import Instruction
from xegpu.isa.code import SourcePlace
from xegpu.isa.cost import Pipe, Traffic, TrafficSpace, traffic
from xegpu.isa.formats import channel_count
from xegpu.on_demand import imports_on_demand
from xegpu.targets import Target

with imports_on_demand(globals()):  # only notebooks show it
    import runtime.simulator.profile.html as html


@dataclass(frozen=True)
class InstructionProfile:
    """An instruction at a byte offset of the kernel's code, with sums over all threads.

    `executed` counts executions, `channels` enabled channels at all of them. `cycles` are added to threads that have an
    EU for themselves. `registers` are live at the instruction.
    """

    offset: int
    instruction: Instruction
    place: SourcePlace | None
    executed: int
    channels: int
    cycles: int
    pipe: Pipe
    registers: int


@dataclass(frozen=True)
class LineProfile:
    """A line of the source (None: not known), with the sums over its instructions; `share` is that of all cycles."""

    place: SourcePlace | None
    executed: int
    cycles: int
    share: float


@dataclass(frozen=True)
class TrafficProfile:
    """Messages of one kind: `access` is `load`, `store`, `prefetch` or `atomic`, `l1` and `l3` are its cache hints.

    `bytes` counts the bytes of enabled channels, load and store of an atomic once.
    """

    space: TrafficSpace
    access: str
    l1: str
    l3: str
    messages: int
    bytes: int


@dataclass(frozen=True)
class Roofline:
    """The position of a launch between the device's peak arithmetic rate and its memory bandwidth.

    `operations` are those in `precision`, the most frequent one, and `bytes` come from memory. `rate` and `peak` are
    operations per second, estimated and possible, `bandwidth` is bytes per second.
    """

    precision: str
    operations: int
    bytes: int
    rate: float
    peak: float
    bandwidth: float

    @property
    def intensity(self) -> float:
        """Operations per byte."""
        return self.operations / self.bytes if self.bytes else float("inf")

    @property
    def roof(self) -> float:
        """The highest rate of the device at this intensity."""
        return min(self.peak, self.intensity * self.bandwidth)


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """The profile of a launch that counted its instructions. `statistics` are those of the simulation, on the host, and
    `clock_mhz` is the core clock, by default the target's.
    """

    executable: Executable
    dispatch: Dispatch
    statistics: Statistics
    clock_mhz: float | None = None

    def __repr__(self) -> str:
        return f"<Profile of {self.kernel} on {self.target.name}: {self.statistics.instructions} instructions>"

    def _repr_html_(self) -> str:
        """Returns the display of the profile in notebooks."""
        return html.profile_html(self)

    @property
    def kernel(self) -> str:
        return self.executable.description.name

    @property
    def target(self) -> Target:
        return self.executable.description.target

    @cached_property
    def estimate(self) -> Estimate:
        """The estimated time on the device."""
        assert self.statistics.counts is not None, "a profile is made of a launch that counted"
        return estimate(self.executable.costs, self.executable.description, self.dispatch, self.statistics.counts)

    @property
    def seconds(self) -> float:
        """The estimated time on the device, at its core clock."""
        return self.estimate.seconds(self.target, self.clock_mhz)

    @cached_property
    def instructions(self) -> tuple[InstructionProfile, ...]:
        """One entry for each instruction of the program."""
        counts, costs, description = self.statistics.counts, self.executable.costs, self.executable.description
        assert counts is not None, "a profile is made of a launch that counted"
        program = self.executable.program
        live = live_registers(program, self.target, description.register_count)
        return tuple(
            InstructionProfile(
                offset,
                instruction,
                description.lines.at(offset),
                int(executed),
                int(channels),
                int(executed) * int(cycles),
                pipe,
                registers,
            )
            for offset, instruction, executed, channels, cycles, pipe, registers in zip(
                program.offsets,
                program.instructions,
                counts.executed,
                counts.channels,
                costs.cycles,
                costs.pipes,
                live,
                strict=True,
            )
        )

    @cached_property
    def lines(self) -> tuple[LineProfile, ...]:
        """The lines of the source, most expensive first, irrespective of columns."""
        executed: Counter[SourcePlace | None] = Counter()
        cycles: Counter[SourcePlace | None] = Counter()
        for entry in self.instructions:
            line = None if entry.place is None else SourcePlace(entry.place.file, entry.place.line, 0)
            executed[line] += entry.executed
            cycles[line] += entry.cycles
        total = max(sum(cycles.values()), 1)
        return tuple(LineProfile(line, executed[line], spent, spent / total) for line, spent in cycles.most_common())

    @cached_property
    def mnemonics(self) -> dict[str, int]:
        """Executions by mnemonic, most frequent first."""
        return self._histogram((entry.instruction.mnemonic, entry.executed) for entry in self.instructions)

    @cached_property
    def pipes(self) -> dict[str, int]:
        """Executions by the pipe that executes the instruction, most frequent first."""
        return self._histogram((entry.pipe.value, entry.executed) for entry in self.instructions)

    @cached_property
    def traffic(self) -> tuple[TrafficProfile, ...]:
        """Bytes moved by messages, by memory space, access and cache hints."""
        messages: Counter[tuple[TrafficSpace, str, str, str]] = Counter()
        moved: Counter[tuple[TrafficSpace, str, str, str]] = Counter()
        for entry in self.instructions:
            kind = traffic(entry.instruction)
            if kind is not None and entry.executed:
                key = kind.space, kind.access.value, *_hints(kind)
                messages[key] += entry.executed
                moved[key] += entry.channels * kind.channel_bytes
        return tuple(TrafficProfile(*key, messages[key], size) for key, size in moved.most_common())

    @property
    def utilisation(self) -> dict[str, float]:
        """The estimated part of the time for which each pipe is busy, in the EUs that have threads."""
        found, capacity = self.estimate, self.estimate.cycles * max(self.estimate.residency.eus, 1)
        assert self.statistics.counts is not None
        taken = self.executable.costs.pipe_cycles(self.statistics.counts)
        return {pipe.value: cycles / capacity for pipe, cycles in taken.items() if cycles and found.cycles}

    @property
    def dpas_utilisation(self) -> float:
        """The estimated part of the time for which the matrix engines are busy, in the EUs that have threads."""
        return self.utilisation.get(Pipe.DPAS.value, 0.0)

    @property
    def channels_on(self) -> float:
        """The enabled part of the channels of instructions under the execution mask: 1 without divergence."""
        masked = [entry for entry in self.instructions if not entry.instruction.no_mask]
        possible = sum(entry.executed * channel_count(entry.instruction) for entry in masked)
        return sum(entry.channels for entry in masked) / possible if possible else 1.0

    @property
    def live_registers(self) -> int:
        """The largest number of general registers that are live at an executed instruction."""
        return max((entry.registers for entry in self.instructions if entry.executed), default=0)

    @cached_property
    def roofline(self) -> Roofline | None:
        """The roofline, None for a launch without arithmetic."""
        operations: Counter[Precision] = Counter()
        for entry in self.instructions:
            done = channel_operations(entry.instruction, self.target)
            if done is not None:
                operations[done[0]] += done[1] * entry.channels
        if not operations.total():
            return None
        (unit, type), _ = operations.most_common(1)[0]
        assert self.statistics.counts is not None
        return Roofline(
            f"{unit} {type.text}",
            operations.total(),
            self.executable.costs.memory_bytes(self.statistics.counts),
            operations.total() / self.seconds,
            peak_operations((unit, type), self.target),
            self.target.timing.memory_bandwidth,
        )

    @staticmethod
    def _histogram(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
        found: Counter[str] = Counter()
        for name, executed in counts:
            found[name] += executed
        return {name: executed for name, executed in found.most_common() if executed}


def _hints(kind: Traffic) -> tuple[str, str]:
    """Returns the cache hints for the first and the last level."""
    cache = kind.cache
    first, last = (cache.store_text if kind.access.value == "store" else cache.load_text).split(".")
    return first, last
