"""The function that runs one hardware thread from its first instruction to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from runtime.llvm import IRBlock, IRFunction, Value, constant, integer
from runtime.simulator.execution.costs import ProgramCosts
from runtime.simulator.jit.alu.dpas import DpasRuns
from runtime.simulator.jit.alu.instructions import Alu
from runtime.simulator.jit.kernel.counting import Clock, Counting
from runtime.simulator.jit.kernel.divergence import Divergent, ThreadBlocks
from runtime.simulator.jit.messages.block_2d import BlockMessages
from runtime.simulator.jit.messages.images import Images
from runtime.simulator.jit.messages.loads_stores import Messages
from runtime.simulator.jit.state import routines
from runtime.simulator.jit.state.channels import Channels
from runtime.simulator.jit.state.indirect_operands import Indirect
from runtime.simulator.jit.state.launch_records import (
    FAULTED,
    RUNNING,
    STOPPED,
    SUSPENDED,
    WAITING,
    YIELDED,
    Areas,
    FrameHeader,
    LaunchRecord,
    Worker,
)
from runtime.simulator.jit.state.registers import RegisterPlan, Registers
from runtime.simulator.jit.state.routines import WORKER, load_field, store_field
from runtime.simulator.jit.waiting.barriers import BarrierCode, only_meet
from runtime.simulator.jit.waiting.keeping import Keeping, KeptPlaces
from runtime.simulator.launch.dispatch import KernelDescription
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.clock import clock_cycles
from runtime.simulator.machine.divergence import diverges
from runtime.simulator.machine.scheduling import QUANTUM
from xegpu.isa import IllegalInstruction, Instruction, InstructionFormat, Program, Register, RegisterFile
from xegpu.isa.code import BasicBlock, Edge, basic_blocks, ends_block, read_first
from xegpu.isa.formats import Footprint, Span, byte_of
from xegpu.isa.model import (
    CONTROL,
    CONTROL_DEFAULT,
    DISPATCH_MASK,
    STATE,
    TIMESTAMP_BYTES,
    MemoryAccessKind,
    MemoryScope,
    Unit,
)

FILE, PAYLOAD, MASK = Value("ptr", "%file"), Value("ptr", "%payload"), Value("i32", "%mask")

PARAMETERS = "ptr noalias %worker, ptr noalias %file, ptr %payload, i32 %mask, i32 %x, i32 %y, i32 %z"

GROUP_X, GROUP_Y, GROUP_Z = Value("i32", "%x"), Value("i32", "%y"), Value("i32", "%z")

_GROUP = ((GROUP_X, 4), (GROUP_Y, 24), (GROUP_Z, 28))
"""The coordinates of the work-group, and their offsets in bytes in r0."""

_PLACED = Footprint((), tuple(Span(offset, 4, 4) for _, offset in _GROUP))
"""What is written before the first instruction."""


@dataclass(frozen=True)
class ThreadPlan:
    """Decisions about a kernel that are made before its code is emitted.

    Attributes:
        mask: The execution mask of a thread that starts, None if it differs between threads.
        footprints: Registers that each instruction accesses.
        controls: The known control register before each instruction.
        sites: The number of each instruction's message site, None without a message.
        spinning: Backward branches at which threads yield to others.
        defined_registers: The number of registers that the payload defines.
        keeps_state: Registers and flags are read from, and written back to, the worker's areas.
        costs: The costs of instructions, if executions are counted, and channels where `constant_channels` has None.
    """

    description: KernelDescription
    program: Program
    mask: int | None
    footprints: tuple[Footprint, ...]
    controls: tuple[int | None, ...]
    sites: tuple[int | None, ...]
    spinning: frozenset[Edge]
    areas: Areas
    defined_registers: int
    keeps_state: bool
    costs: ProgramCosts | None
    constant_channels: tuple[int | None, ...]


class ThreadFunction:
    """Emits the function `i32 thread(worker, file, payload, mask, x, y, z)`; it returns `RUNNING` when the thread has
    ended without fault.

    A thread that starts finds its first registers at `payload`, but for the coordinates of its work-group.
    """

    def __init__(self, code: IRFunction, plan: ThreadPlan):
        description, target = plan.description, plan.description.target
        mask = MASK if plan.mask is None else plan.mask
        self._code = code
        self._plan = plan
        self._target = target
        self._homes = RegisterPlan((*plan.footprints, _PLACED), target, keep_all=plan.keeps_state)
        self._registers = Registers(code, self._homes, FILE, target)
        self._blocks = ThreadBlocks(code)
        fault = self._blocks.fault
        changing = diverges(plan.program)
        self._channels = Channels(code, mask, target, changing=changing)
        self._divergence = None
        if changing:
            state = self._registers, self._channels
            self._divergence = Divergent(code, *state, plan.program, target, plan.areas, self._blocks)
        indirect = Indirect(code, self._registers, target, description.register_count, fault)
        self._alu = Alu(code, self._registers, self._channels, target, indirect)
        self._matrices = DpasRuns(code, FILE, target, plan.areas)
        scratch = description.facts.scratch_size
        self._messages = Messages(code, self._registers, self._channels, target, plan.areas, scratch, fault)
        self._block_messages = BlockMessages(code, self._registers, self._channels, target, plan.areas, fault)
        self._images = Images(code, self._registers, self._channels, target, plan.areas, fault)
        count = description.facts.barrier_count
        self._barriers = BarrierCode(code, self._registers, target, plan.areas, count, fault)
        self._only_meet = only_meet(plan.program.instructions)
        waits = [index for index, instruction in enumerate(plan.program.instructions) if instruction.spec.waits]
        self._waits = {index: number for number, index in enumerate(waits, 1)}
        self._yields = {edge: number for number, edge in enumerate(sorted(plan.spinning), len(waits) + 1)}
        self._executed = code.variable("i64", "executed", 8)
        numbers = (*self._waits.values(), *self._yields.values())
        self._resume_points = {number: code.block(f"resume.{number}") for number in numbers}
        self._backward: dict[int, IRBlock] = {}
        self._keeping: Keeping | None = None
        self._frame = Value("ptr", "null")
        cycles = clock_cycles(plan.program, target, description.register_count)
        self._counting = None
        if plan.costs is not None:
            cycles = plan.costs.cycles.tolist()
            counters = plan.areas.counters, plan.constant_channels
            self._counting = Counting(code, self._channels, plan.program, *counters, plan.costs)
        self._clock = None if cycles is None else Clock(code, self._registers, plan.program, target, cycles)

    def emit(self) -> None:
        """Emits the whole function."""
        plan = self._plan
        blocks = basic_blocks(plan.program)
        self._live = read_first(blocks, plan.footprints, self._target.platform.grf_bytes)
        if self._waits or self._yields:
            flags = self._target.platform.flag_registers
            self._keeping = Keeping(plan.program, blocks, plan.footprints, self._homes, flags)
        self._enter_frame()
        self._enter()
        for block in blocks:
            self._emit_block(block)
        self._emit_exits()

    def _enter(self) -> None:
        code, plan = self._code, self._plan
        flags = range(self._target.platform.flag_registers)
        if plan.keeps_state:
            self._registers.enter(plan.description.register_count, FILE)
            area = code.offset(WORKER, plan.areas.flags)
            self._channels.enter([code.load("i32", code.offset(area, 4 * number), 4) for number in flags])
        else:
            first = sorted(self._live[0] & self._homes.in_memory)
            self._fill_registers([n for n in first if n < plan.defined_registers], PAYLOAD)
            self._fill_registers([n for n in first if n >= plan.defined_registers], None)
            self._registers.enter(plan.defined_registers, PAYLOAD)
            for coordinate, offset in _GROUP:
                self._registers.define(offset, coordinate)
            self._channels.enter([constant("i32", 0) for _ in flags])
        for register, value in (
            (Register(RegisterFile.ARF, STATE.number, 4 * DISPATCH_MASK), self._channels.dispatched),
            (Register(RegisterFile.ARF, CONTROL.number), constant("i32", CONTROL_DEFAULT)),
            *([(Register(RegisterFile.ARF, STATE.number), self._thread_id())] if plan.description.is_native else []),
        ):
            self._registers.define(byte_of(register, self._target), value)
        code.store(integer(0), self._executed, 8)
        if self._clock is not None:
            self._clock.enter()
        if self._divergence is not None:
            self._divergence.enter()
        if self._keeping is not None:
            self._store(self._keeping.stored_first())
        code.jump(self._blocks.at(0))

    def _thread_id(self) -> Value:
        """Returns the number that tells the thread from others, as `sr0.0` has it (`thread_payload.thread_id`)."""
        code = self._code
        first, own = (load_field(code, WORKER, Worker, name) for name in ("first_thread", "thread"))
        number = code.binary("add", first, own)

        def part(shift: int, mask: int, at: int) -> Value:
            kept = code.binary("and", code.binary("lshr", number, constant("i32", shift)), constant("i32", mask))
            return code.binary("shl", kept, constant("i32", at))

        high = part(5, 0xFFFFFF, self._target.platform.thread_id_bit)
        return code.binary("or", part(0, 7, 0), code.binary("or", part(3, 3, 4), high))

    def _enter_frame(self) -> None:
        """Branches to the point where the thread resumes; the block after this is that of a thread that starts."""
        if not self._resume_points:
            return
        code = self._code
        self._frame = load_field(code, WORKER, Worker, "frame")
        resume = load_field(code, self._frame, FrameHeader, "resume")
        starts = code.block("starts")
        code.switch(resume, starts, self._resume_points.items())
        code.begin(starts)

    def _emit_wait(self, instruction: Instruction, block: BasicBlock, keeping: Keeping) -> None:
        """Emits a wait, with its signal if it has one. While the thread waits it is kept in its frame.

        The code has two entries. A thread that arrives and must wait returns `SUSPENDED`. When it is called again, it
        tests the barrier (`resume.n`) and returns `WAITING`, or continues.
        """
        code, index = self._code, block.end - 1
        number, layout = self._waits[index], self._plan.areas.frame
        self._store(keeping.stored_after(block.start))
        passes = code.block("passes")
        if self._only_meet:
            barrier = constant("i32", 0)
            self._barriers.meet(self._frame, passes)
        else:
            payload = self._barriers.payload(instruction)
            if instruction.spec.signals:
                self._barriers.signal(payload, index)
            barrier = code.binary("and", payload, constant("i32", 0xFF))
            code.jump_if(self._barriers.wait(payload, index), passes)
        store_field(code, self._frame, FrameHeader, "waits_for", barrier)
        self._suspend(self._frame, number, index)
        if self._divergence is not None:
            self._divergence.save(self._frame, layout)
        code.give(constant("i32", SUSPENDED))
        code.begin(self._resume_points[number])
        if self._only_meet:
            goes_on = self._barriers.have_met(self._frame)
        else:
            goes_on = self._barriers.wait(load_field(code, self._frame, FrameHeader, "waits_for"), index)
        restore = code.block("restore")
        code.jump_if(goes_on, restore)
        code.give(constant("i32", WAITING))
        code.begin(restore)
        self._resume(self._frame)
        if self._divergence is not None:
            self._divergence.restore(self._frame, layout)
        code.begin(passes)
        self._load(keeping.loaded_after(block.start))
        code.jump(self._blocks.at(index + 1))

    def _emit_yield(self, edge: Edge, executed: Value, keeping: Keeping) -> None:
        """Emits the end of a backward branch where the thread may spin: after a quantum it yields, and branches when
        resumed.
        """
        code, number = self._code, self._yields[edge]
        (index, target), layout = edge, self._plan.areas.frame
        before = load_field(code, self._frame, FrameHeader, "yielded")
        is_over = code.compare("icmp ugt", code.binary("sub", executed, before), integer(QUANTUM))
        over = code.block("yield")
        code.branch(is_over, over, self._blocks.at(target), rare=True)
        code.begin(over)
        store_field(code, self._frame, FrameHeader, "yielded", executed)
        self._store(keeping.stored_on(edge))
        self._suspend(self._frame, number, index)
        if self._divergence is not None:
            self._divergence.save(self._frame, layout)
        code.give(constant("i32", YIELDED))
        code.begin(self._resume_points[number])
        self._resume(self._frame)
        self._load(keeping.loaded_on(edge))
        if self._divergence is not None:
            self._divergence.restore(self._frame, layout)
        code.jump(self._blocks.at(target))

    def _suspend(self, frame: Value, number: int, index: int) -> None:
        """Stores what the thread needs when it resumes at point `number`, beside registers and flags."""
        code, layout = self._code, self._plan.areas.frame
        store_field(code, frame, FrameHeader, "resume", constant("i32", number))
        store_field(code, frame, FrameHeader, "index", constant("i32", index))
        store_field(code, frame, FrameHeader, "executed", code.load("i64", self._executed, 8))
        if self._clock is not None:
            code.store(self._clock.now(), code.offset(frame, layout.offset_of(Clock, TIMESTAMP_BYTES)), TIMESTAMP_BYTES)

    def _resume(self, frame: Value) -> None:
        """Loads what `_suspend` has stored."""
        code, layout = self._code, self._plan.areas.frame
        code.store(load_field(code, frame, FrameHeader, "executed"), self._executed, 8)
        if self._clock is not None:
            slot = code.offset(frame, layout.offset_of(Clock, TIMESTAMP_BYTES))
            self._clock.set(code.load("i64", slot, TIMESTAMP_BYTES))

    def _store(self, places: KeptPlaces) -> None:
        """Stores registers and flags to the thread's frame."""
        if places.registers or places.flags:
            frame, layout = self._frame, self._plan.areas.frame
            self._registers.save(places.registers, frame, layout)
            self._channels.save(places.flags, frame, layout)

    def _load(self, places: KeptPlaces) -> None:
        """Loads registers and flags from the thread's frame."""
        if places.registers or places.flags:
            frame, layout = self._frame, self._plan.areas.frame
            self._registers.restore(places.registers, frame, layout)
            self._channels.restore(places.flags, frame, layout)

    def _fill_registers(self, numbers: list[int], source: Value | None) -> None:
        """Copies registers that are kept in memory from another file, or zeros them; adjacent ones together."""
        size = self._target.platform.grf_bytes
        while numbers:
            count = next((i for i, n in enumerate(numbers) if n != numbers[0] + i), len(numbers))
            start = self._code.offset(FILE, numbers[0] * size)
            if source is None:
                self._code.clear(start, count * size)
            else:
                self._code.copy(start, self._code.offset(source, numbers[0] * size), count * size)
            numbers = numbers[count:]

    # Blocks.

    def _emit_block(self, block: BasicBlock) -> None:
        code, instructions = self._code, self._plan.program.instructions
        code.begin(self._blocks.at(block.start))
        if self._keeping is not None:
            self._load(self._keeping.loaded_before(block.start))
        if self._counting is not None:
            self._counting.block(block.start, block.end)
        for index in range(block.start, block.end):
            if self._counting is not None:
                self._counting.instruction(index)
            if self._clock is not None:
                self._clock.instruction(index, block.start)
            if not ends_block(instructions[index]):
                self._emit_instruction(index)
        self._matrices.flush()
        count = code.binary("add", code.load("i64", self._executed, 8), integer(block.end - block.start))
        code.store(count, self._executed, 8)
        if self._clock is not None:
            self._clock.block(block.start, block.end)
        last = instructions[block.end - 1]
        if self._keeping is not None and not last.spec.waits:
            self._store(self._keeping.stored_after(block.start))
            self._load(self._keeping.loaded_after(block.start))
        if not ends_block(last):
            code.jump(self._blocks.at(block.end))
        elif last.spec.flow.jumps and not last.spec.flow.diverges:
            self._emit_jump(last, block.end - 1, count)
        elif self._divergence is not None and last.spec.flow.diverges:
            self._divergence.emit(last, block.end - 1, lambda target: self._taken(block.end - 1, target))
            self._emit_backward_branches(block.end - 1, count)
        elif last.spec.waits and self._keeping is not None:
            self._emit_wait(last, block, self._keeping)
        elif last.ends_thread:
            if self._divergence is not None:
                self._divergence.check_end(block.end - 1)
            code.jump(self._blocks.end)
        else:
            routines.record_fault(code, FaultKind.ILLEGAL_INSTRUCTION, constant("i32", block.end - 1))
            code.jump(self._blocks.fault)

    def _emit_jump(self, instruction: Instruction, index: int, executed: Value) -> None:
        code, target = self._code, self._plan.program.branch_target(index)
        if target is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: the branch leaves the program")
        taken = code.block("taken") if self._divergence is not None else self._taken(index, target)
        condition = self._channels.predicate(instruction, 1)
        if condition is None:
            code.jump(taken)
        else:
            code.branch(condition, taken, self._blocks.at(index + 1))
        if self._divergence is not None:
            code.begin(taken)
            self._divergence.check_jump(index, target)
            code.jump(self._taken(index, target))
        self._emit_backward_branches(index, executed)

    def _taken(self, index: int, target: int) -> IRBlock:
        """Returns the block for a branch from an instruction to another one."""
        if target > index:
            return self._blocks.at(target)
        if target not in self._backward:
            self._backward[target] = self._code.block("back")
        return self._backward[target]

    def _emit_backward_branches(self, index: int, executed: Value) -> None:
        """Emits the checks on backward branches of an instruction, in the blocks that `_taken` has returned."""
        code = self._code
        for target, block in self._backward.items():
            code.begin(block)
            # A counter of each loop that starts with that of the loop before takes analyses of loops quadratic time.
            code.store(code.opaque(executed), self._executed, 8)
            launch = load_field(code, WORKER, Worker, "launch")
            limit = load_field(code, launch, LaunchRecord, "instruction_limit")
            is_runaway = code.compare("icmp ugt", executed, limit)
            wanted = code.value(
                "i64", f"load atomic i64, {code.offset(launch, LaunchRecord.wanted.offset)} monotonic, align 8"
            )
            is_unwanted = code.compare("icmp uge", load_field(code, WORKER, Worker, "group"), wanted)
            leave = code.block("leave")
            yields = self._keeping if (index, target) in self._yields else None
            up = self._blocks.at(target) if yields is None else code.block("spins")
            code.branch(code.binary("or", is_runaway, is_unwanted), leave, up, rare=True)
            if yields is not None:
                code.begin(up)
                self._emit_yield((index, target), executed, yields)
            code.begin(leave)
            store_field(code, WORKER, Worker, "index", constant("i32", index))
            code.jump_unless(is_runaway, self._blocks.stopped)
            store_field(code, WORKER, Worker, "instructions", executed)
            routines.record_fault(code, FaultKind.RUNAWAY, constant("i32", index))
            code.jump(self._blocks.fault)
        self._backward.clear()

    def _emit_exits(self) -> None:
        code, plan = self._code, self._plan
        code.begin(self._blocks.end)
        if self._counting is not None and self._clock is not None:
            self._counting.thread(self._clock.now())
        total = code.binary(
            "add", load_field(code, WORKER, Worker, "instructions"), code.load("i64", self._executed, 8)
        )
        store_field(code, WORKER, Worker, "instructions", total)
        if plan.keeps_state:
            self._registers.leave()
            area = code.offset(WORKER, plan.areas.flags)
            for number, value in enumerate(self._channels.leave()):
                code.store(value, code.offset(area, 4 * number), 4)
        code.give(constant("i32", RUNNING))
        code.begin(self._blocks.fault)
        code.give(constant("i32", FAULTED))
        code.begin(self._blocks.stopped)
        code.give(constant("i32", STOPPED))

    # Instructions.

    def _emit_instruction(self, index: int) -> None:
        instruction, touched = self._plan.program.instructions[index], self._plan.footprints[index]
        emit = _EMITTERS.get(instruction.spec.format)
        if emit is not None:
            emit(self, instruction, index, touched)

    def _emit_alu(self, instruction: Instruction, index: int, touched: Footprint) -> None:
        self._matrices.before(touched)
        self._alu.emit(instruction, index, self._plan.controls[index])

    def _emit_image(self, instruction: Instruction, index: int, touched: Footprint) -> None:
        self._matrices.before(touched)
        self._images.emit(instruction, index)

    def _emit_barrier(self, instruction: Instruction, index: int, touched: Footprint) -> None:
        self._barriers.signal(self._barriers.payload(instruction), index)

    def _emit_fence(self, instruction: Instruction, index: int, touched: Footprint) -> None:
        fence = instruction.fence
        # A fence orders accesses of other host threads; all threads of a work-group run on the same one.
        if fence is not None and fence.unit is not Unit.SLM and fence.scope is not MemoryScope.GROUP:
            self._code.line("fence seq_cst")

    def _emit_dpas(self, instruction: Instruction, index: int, touched: Footprint) -> None:
        mask = self._channels.base(instruction, instruction.exec_size)
        if mask is None:
            self._matrices.add(instruction)
            return
        # The execution mask selects columns: disabled ones get their old values back.
        self._matrices.flush()
        rows = self._rows(instruction, touched.writes[0])
        old = [self._registers.read(*row) for row in rows]
        self._matrices.add(instruction)
        self._matrices.flush()
        for row, before in zip(rows, old, strict=True):
            self._registers.write(row[0], self._code.select(mask, self._registers.read(*row), before))

    def _rows(self, instruction: Instruction, written: Span) -> list[tuple[int, int, int]]:
        """Returns first byte, columns and bits of the rows that a dpas writes."""
        bits = written.size * 8 // (instruction.repeat * instruction.exec_size)
        step = written.size // instruction.repeat
        return [(written.start + row * step, instruction.exec_size, bits) for row in range(instruction.repeat)]

    def _emit_message(self, instruction: Instruction, index: int, touched: Footprint) -> None:
        self._matrices.before(touched)
        message, site = instruction.message, self._plan.sites[index]
        if message is None or site is None or instruction.spec.access is MemoryAccessKind.PREFETCH:
            return
        if message.block is None:
            self._messages.emit(instruction, index, site)
        else:
            self._block_messages.emit(instruction, index, site)


_EMITTERS: Mapping[InstructionFormat, Callable[[ThreadFunction, Instruction, int, Footprint], None]] = {
    InstructionFormat.ALU: ThreadFunction._emit_alu,
    InstructionFormat.DPAS: ThreadFunction._emit_dpas,
    InstructionFormat.MESSAGE: ThreadFunction._emit_message,
    InstructionFormat.IMAGE: ThreadFunction._emit_image,
    InstructionFormat.BARRIER: ThreadFunction._emit_barrier,
    InstructionFormat.FENCE: ThreadFunction._emit_fence,
}
"""Emits an instruction inside of a block, given its index and footprint; the formats that are left out need no code.

Instructions that end a block are emitted by `_emit_block`, which asks them where control goes.
"""
