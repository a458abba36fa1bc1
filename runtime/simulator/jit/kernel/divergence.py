"""Divergent control flow in compiled code: the execution mask is a variable, and so are the channels of each join."""

from __future__ import annotations

from collections.abc import Callable

from runtime.llvm import IRBlock, IRFunction, Value, constant
from runtime.simulator.jit.state import routines
from runtime.simulator.jit.state.channels import Channels
from runtime.simulator.jit.state.launch_records import Areas, Frame
from runtime.simulator.jit.state.registers import Registers
from runtime.simulator.jit.state.routines import WORKER
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.divergence import Divergence, joins_between
from xegpu.isa import IllegalInstruction, Instruction, Program, Register
from xegpu.isa.code import return_sites, subroutines
from xegpu.isa.formats import byte_of
from xegpu.targets import Target

_NONE = constant("i32", 0)

MOST_VARIABLES = 32
"""Kernels with more joins keep the parked channels in memory: SSA form grows with the square of their number."""


class ThreadBlocks:
    """The blocks of a thread's function that instructions branch to.

    Attributes:
        end: The end of the thread.
        fault: Returns after a fault that has been recorded.
        stopped: Returns because the launch needs no more results.
    """

    def __init__(self, code: IRFunction):
        self.end, self.fault, self.stopped = (code.block(hint) for hint in ("end", "fault", "stopped"))
        self._code = code
        self._starts: dict[int, IRBlock] = {}

    def at(self, index: int) -> IRBlock:
        """Returns the block that begins with an instruction."""
        if index not in self._starts:
            self._starts[index] = self._code.block(f"at.{index}")
        return self._starts[index]


class Divergent:
    """Emits gotos, joins, calls and returns in one function."""

    def __init__(
        self,
        code: IRFunction,
        registers: Registers,
        channels: Channels,
        program: Program,
        target: Target,
        areas: Areas,
        blocks: ThreadBlocks,
    ):
        self._code = code
        self._registers = registers
        self._channels = channels
        self._program = program
        self._target = target
        self._areas = areas
        self._blocks = blocks
        joins = [i for i, instruction in enumerate(program.instructions) if instruction.spec.flow.is_join]
        self._in_memory = len(joins) > MOST_VARIABLES
        if self._in_memory:
            self._parked = {index: code.offset(WORKER, areas.parked + 4 * number) for number, index in enumerate(joins)}
        else:
            self._parked = {index: code.variable("i32", f"parked.{index}", 4) for index in joins}

    def enter(self) -> None:
        """Initializes the state: all channels of the thread are enabled, none is parked."""
        self._channels.switch(self._channels.dispatched)
        if self._in_memory:
            self._code.clear(self._area(), 4 * len(self._parked))
            return
        for variable in self._parked.values():
            self._code.store(_NONE, variable, 4)

    def save(self, frame: Value, layout: Frame) -> None:
        """Stores the execution mask and the parked channels of all joins to a frame."""
        self._code.store(self._channels.mask, self._code.offset(frame, layout.offset_of("mask", 4)), 4)
        if self._in_memory:
            self._code.copy(self._kept(frame, layout), self._area(), 4 * len(self._parked))
            return
        for index, parked in self._parked.items():
            kept = self._code.offset(frame, layout.offset_of(("parked", index), 4))
            self._code.store(self._code.load("i32", parked, 4), kept, 4)

    def restore(self, frame: Value, layout: Frame) -> None:
        """Loads the values that `save` has stored."""
        self._channels.switch(self._code.load("i32", self._code.offset(frame, layout.offset_of("mask", 4)), 4))
        if self._in_memory:
            self._code.copy(self._area(), self._kept(frame, layout), 4 * len(self._parked))
            return
        for index, parked in self._parked.items():
            kept = self._code.offset(frame, layout.offset_of(("parked", index), 4))
            self._code.store(self._code.load("i32", kept, 4), parked, 4)

    def _area(self) -> Value:
        """Returns the address of the parked channels of all joins, where they are kept in memory."""
        return self._code.offset(WORKER, self._areas.parked)

    def _kept(self, frame: Value, layout: Frame) -> Value:
        """Returns the place of all of these in a frame."""
        return self._code.offset(frame, layout.offset_of("parked", 4 * len(self._parked)))

    def emit(self, instruction: Instruction, index: int, taken: Callable[[int], IRBlock]) -> None:
        """Emits the end of a block; `taken` returns the block of a target that may precede the instruction."""
        flow = instruction.spec.flow
        if flow.is_join:
            self._join(index)
        elif flow.repeats:
            self._repeat(instruction, index, taken)
        elif flow.parks:
            self._leave(instruction, index)
        elif flow.calls:
            self._call(instruction, index, taken)
        else:
            self._return(instruction, index, taken)

    def check_jump(self, index: int, target: int) -> None:
        """Emits the check that a jump does not skip joins with parked channels."""
        self._unless_parked([self._parked[join] for join in joins_between(self._program, index, target)], index)

    def check_end(self, index: int) -> None:
        """Emits the check that no channel is parked when the thread ends."""
        self._unless_parked(list(self._parked.values()), index, Divergence.END)

    def _unless_parked(self, masks: list[Value], index: int, what: Divergence = Divergence.JUMP) -> None:
        code, waiting = self._code, _NONE
        for mask in masks:
            waiting = code.binary("or", code.load("i32", mask, 4), waiting)
        if masks:
            self._refuse(code.compare("icmp ne", waiting, _NONE), index, what)

    def _refuse(self, wrong: Value, index: int, what: Divergence) -> None:
        code = self._code
        with code.if_(wrong, rare=True):
            kind = constant("i64", int(what))
            routines.record_fault(code, FaultKind.DIVERGENCE, constant("i32", index), address=kind)
            code.jump(self._blocks.fault)

    # Instructions.

    def _targets(self, index: int) -> tuple[int, int]:
        """Returns the instruction for no enabled channels, and the branch target."""
        join, target = self._program.join_target(index), self._program.branch_target(index)
        if join is None or target is None:
            raise IllegalInstruction("goto: the branch leaves the program")
        return join, target

    def _park(self, join: int, channels: Value) -> None:
        code, parked = self._code, self._parked[join]
        code.store(code.binary("or", code.load("i32", parked, 4), channels), parked, 4)

    def _leave(self, instruction: Instruction, index: int) -> None:
        code = self._code
        join, target = self._targets(index)
        leaving = self._channels.chosen(instruction)
        self._park(target, leaving)
        left = code.binary("xor", self._channels.mask, leaving)
        self._channels.switch(left)
        code.branch(code.compare("icmp eq", left, _NONE), self._blocks.at(join), self._blocks.at(index + 1))

    def _repeat(self, instruction: Instruction, index: int, taken: Callable[[int], IRBlock]) -> None:
        code = self._code
        join, target = self._targets(index)
        repeating = self._channels.chosen(instruction)
        code.jump_if(code.compare("icmp eq", repeating, _NONE), self._blocks.at(join))
        self._park(join, code.binary("xor", self._channels.mask, repeating))
        self._channels.switch(repeating)
        code.jump(taken(target))

    def _join(self, index: int) -> None:
        code, parked = self._code, self._parked[index]
        join = self._program.join_target(index)
        if join is None:
            raise IllegalInstruction("join: the branch leaves the program")
        mask = code.binary("or", self._channels.mask, code.load("i32", parked, 4))
        self._channels.switch(mask)
        code.store(_NONE, parked, 4)
        code.branch(code.compare("icmp eq", mask, _NONE), self._blocks.at(join), self._blocks.at(index + 1))

    def _call(self, instruction: Instruction, index: int, taken: Callable[[int], IRBlock]) -> None:
        if instruction.returned is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: no register for the return address")
        self._if_predicate(instruction, index)
        offset = None if instruction.address is None else self._dword(instruction.address)
        start = byte_of(instruction.returned, self._target)
        self._registers.write(start, constant("i32", self._program.offsets[index + 1]))
        self._registers.write(start + 4, self._channels.mask)
        if offset is not None:
            self._go_to(offset, subroutines(self._program), index, taken)
            return
        target = self._program.branch_target(index)
        if target is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: the branch leaves the program")
        self._code.jump(taken(target))

    def _return(self, instruction: Instruction, index: int, taken: Callable[[int], IRBlock]) -> None:
        if instruction.address is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: no register")
        self._if_predicate(instruction, index)
        offset, mask = (self._dword(instruction.address, at) for at in (0, 4))
        self._channels.switch(self._code.binary("and", mask, self._channels.dispatched))
        self._go_to(offset, return_sites(self._program), index, taken)

    def _dword(self, register: Register, at: int = 0) -> Value:
        return self._registers.read(byte_of(register, self._target) + at, 1, 32)

    def _if_predicate(self, instruction: Instruction, index: int) -> None:
        """Branches to the next instruction if the predicate is false."""
        code, condition = self._code, self._channels.predicate(instruction, 1)
        if condition is not None:
            code.jump_unless(condition, self._blocks.at(index + 1))

    def _go_to(self, offset: Value, known: dict[int, int], index: int, taken: Callable[[int], IRBlock]) -> None:
        """Branches to the instruction at a byte offset, which must be one of these."""
        code, nowhere = self._code, self._code.block("nowhere")
        code.switch(offset, nowhere, [(at, taken(target)) for at, target in known.items()])
        code.begin(nowhere)
        address = code.cast("zext", offset, "i64")
        routines.record_fault(code, FaultKind.BAD_TARGET, constant("i32", index), address=address)
        code.jump(self._blocks.fault)
