"""The protocol that both engines implement, and the kernels that they run.

Both engines agree bit for bit. Where the documents leave something open, this holds:

* Registers, flags and scratch space that the payload does not define are zero when a thread starts.
* A non-block message accesses exactly the bytes of its enabled lanes' elements: register bytes of disabled lanes,
  of padding lanes and after a transposed block keep their values. A block-2D load writes its blocks whole, padding
  included.
* Shared local memory is zero when a work-group starts.
* Addresses are added modulo 2^64, after zero-extending the payload's address and sign-extending the message's
  offset.
* The lanes of a store take effect in ascending order, so the highest one wins. Prefetches do nothing.
* The lanes of an atomic take effect in ascending order, each after the check of all lanes. Fences order accesses as
  other host threads see them; within a thread everything happens in program order.
* A lane's access is checked as a whole, all its elements together, first its alignment, then its range; the first
  lane at fault, in ascending order, is reported. Data that a faulting message has stored by then is undefined.
* A block-2D message first checks its payload, then that one allocation covers all bytes from the first to the last
  one that it accesses; a message without an element inside of the surface accesses nothing.
* The execution mask of a dpas selects columns. Mask bit 0 enables transposed and block-2D messages.
* Every executed instruction counts, whether or not channels are enabled. The instruction limit is tested at taken
  backward jumps (to the jump itself or before it), after counting the jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from runtime.concurrency import lazy
from runtime.simulator.execution.costs import AverageInstruction, ProgramCosts, average_instruction, program_costs
from runtime.simulator.launch.dispatch import Dispatch, KernelDescription, Statistics
from runtime.simulator.launch.faults import NO_ACCESS, NO_MEMORY, DeviceFault, FaultAccess, FaultKind, Related
from runtime.simulator.machine.divergence import diverges
from runtime.simulator.machine.group_order import GroupOrder, group_order
from runtime.simulator.machine.thread_payload import FULL_MASK
from runtime.simulator.memory import Allocation, FreedAllocation, Memory
from runtime.simulator.supervision.watch import ALONE, LaunchOptions
from xegpu.isa import InstructionFormat, Program
from xegpu.isa.code import Edge, spinning_edges
from xegpu.isa.formats import footprint
from xegpu.isa.model import Dim3
from xegpu.isa.text import format_instruction


@dataclass(frozen=True)
class ThreadState:
    """The architecture state of one hardware thread, before and after `PreparedKernel.run_thread`.

    `registers` is the whole register file, register 0 first. `flags` are the 32-bit flag registers of the target.
    `mask` is the execution mask, one bit per channel.
    """

    registers: bytes
    flags: tuple[int, ...]
    mask: int = 0xFFFFFFFF


class PointerAlignment(NamedTuple):
    """The alignment that a kernel needs, in bytes: of addresses for elements, and from the first byte for surfaces."""

    elements: int
    surfaces: int


class Executable:
    """A kernel that was decoded and found legal for its target.

    A thread that executes more than `instruction_limit` instructions is stopped at its next backward jump.
    """

    def __init__(self, description: KernelDescription, program: Program, instruction_limit: int):
        self.description = description
        self.program = program
        self.instruction_limit = instruction_limit
        self.accepted: tuple[Dim3, Dim3, int, int] | None = None
        """Work-groups, their size, local memory and bytes of payload of the latest launch that fits the kernel."""
        self._prepared: dict[Engine, PreparedKernel] = {}

    @lazy
    def spinning(self) -> frozenset[Edge]:
        """Backward branches of loops in which a thread may wait for others. The thread yields there."""
        description, program = self.description, self.program
        mask = None if diverges(program) else FULL_MASK
        target, count = description.target, description.register_count
        return spinning_edges(program, lambda i: footprint(i, target, count, mask), target.platform.grf_bytes)

    @property
    def groups_take_turns(self) -> bool:
        """True if groups run in turns because they may wait for each other.

        Groups with private memory in global memory do not: each has that of its host thread.
        """
        return bool(self.spinning) and not self.description.private_memory

    def order(self, dispatch: Dispatch) -> GroupOrder:
        """Returns the order in which the work-groups of a launch start."""
        return group_order(dispatch, ascending=self.groups_take_turns, multiplies=self._multiplies)

    @lazy
    def _multiplies(self) -> bool:
        return any(instruction.spec.format is InstructionFormat.DPAS for instruction in self.program.instructions)

    @lazy
    def pointer_alignment(self) -> PointerAlignment:
        """The alignment in bytes that messages need of the memory behind pointers."""
        messages = [instruction.message for instruction in self.program.instructions if instruction.message is not None]
        block_2d = self.description.target.platform.block2d
        surfaces = block_2d is not None and any(message.block is not None for message in messages)
        return PointerAlignment(
            elements=max((message.alignment for message in messages), default=1),
            surfaces=block_2d.base_alignment if block_2d is not None and surfaces else 1,
        )

    @lazy
    def costs(self) -> ProgramCosts:
        """Costs of the program's instructions by the cost model."""
        return program_costs(self.program, self.description.target, self.description.register_count)

    @lazy
    def average(self) -> AverageInstruction:
        """The average instruction of the program, which costs less to know than all of them."""
        return average_instruction(self.program, self.description.target)

    def fault(
        self,
        memory: Memory,
        kind: FaultKind,
        index: int,
        *,
        group: Dim3,
        subgroup: int,
        at: FaultAccess = NO_ACCESS,
        detail: str = "",
        related: Sequence[Related] = (),
    ) -> DeviceFault:
        """Returns the report of a fault at instruction number `index`. Both engines and all checks use it."""
        instruction, offset = self.program.instructions[index], self.program.offsets[index]
        nearest: Allocation | FreedAllocation | None = None
        if at.address is not None and kind not in NO_MEMORY and not at.space:
            nearest = memory.nearest(at.address)
            freed = memory.freed(at.address) if kind is FaultKind.OUT_OF_BOUNDS else None
            if freed is not None:
                kind, nearest = FaultKind.USE_AFTER_FREE, freed
        return DeviceFault(
            kind,
            kernel=self.description.name,
            group=group,
            subgroup=subgroup,
            offset=offset,
            instruction=format_instruction(instruction, grf_bytes=self.program.grf_bytes),
            source=self.description.lines.at(offset),
            at=at,
            access="" if at.address is None else "write" if instruction.spec.writes else "read",
            nearest=nearest,
            detail=detail,
            related=related,
        )

    def prepared(self, engine: Engine) -> PreparedKernel:
        """Returns the kernel as `engine` runs it, prepared on first use."""
        prepared = self._prepared.get(engine)
        return self._prepared.setdefault(engine, engine.prepare(self)) if prepared is None else prepared


class PreparedKernel(Protocol):
    """A kernel made ready by one engine; may be run from several host threads at the same time."""

    def run(self, dispatch: Dispatch, memory: Memory, options: LaunchOptions = ALONE) -> Statistics:
        """Runs all work-groups; raises `DeviceFault`, and `LaunchStopped` when `stop_launches` was called."""
        ...

    def run_thread(self, state: ThreadState, memory: Memory, group: Dim3 = (0, 0, 0), subgroup: int = 0) -> ThreadState:
        """Runs one hardware thread from the first instruction to its end, and returns its final state.

        For tests that compare engines: registers start as given instead of with a payload, scratch space as zeros.
        `group` and `subgroup` only name the thread in a `DeviceFault`.
        """
        ...


class Engine(Protocol):
    """An engine: makes decoded kernels executable. Classes named in `ENGINES` are called without arguments."""

    def prepare(self, executable: Executable) -> PreparedKernel:
        """Does the work that is done once per kernel; thread-safe."""
        ...
