"""From a decoded kernel to LLVM IR: a function for a thread, and one that runs work-groups."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from runtime.llvm import Cpu, IRFunction, IRModule, Value, constant, integer
from runtime.simulator.counts import constant_channels
from runtime.simulator.engine import Executable
from runtime.simulator.jit.alu.float_product import MXCSR_DEFAULT
from runtime.simulator.jit.control_register import control_states
from runtime.simulator.jit.counting import counter_bytes
from runtime.simulator.jit.launch_records import (
    DEADLOCKED,
    ENDED,
    RUNNING,
    SUSPENDED,
    WAITING,
    YIELDED,
    Areas,
    Frame,
    FrameHeader,
    LaunchRecord,
    Worker,
)
from runtime.simulator.jit.routines import WORKER, load_field, store_field
from runtime.simulator.jit.thread import MASK, PARAMETERS, ThreadFunction, ThreadPlan
from runtime.simulator.launch import KernelDescription
from runtime.simulator.machine import thread_payload
from runtime.simulator.machine.barriers import Barrier
from runtime.simulator.machine.divergence import diverges
from runtime.simulator.memory import POISON
from xegpu.isa import Instruction, InstructionFormat
from xegpu.isa.code import basic_blocks
from xegpu.isa.formats import footprint
from xegpu.isa.model import AddressModel, MemoryAccessKind, Unit

ENTRY = "entry"
"""The symbol of a compiled kernel: `i32 entry(worker)` runs work-groups, `i32 entry(worker, mask)` a single thread."""

_HEADER_GROUP = (4, 24, 28)
"""Bytes of r0 that hold the work-group's x, y and z."""


@dataclass(frozen=True)
class Variant:
    """A way to compile a kernel.

    `full_mask`: all channels of the kernel's SIMD size are on in every thread, so that masks are constants.
    `single_thread`: runs one thread, whose registers and flags come from, and return to, the worker's areas.
    `counts`: how often instructions are executed is counted in the worker's areas.
    """

    full_mask: bool = True
    single_thread: bool = False
    counts: bool = False


@dataclass(frozen=True)
class KernelCode:
    """The IR of a kernel and the layout of its workers' memory.

    `constant_channels` are the channels of each instruction that are always on, None for those that are counted.
    """

    ir: str
    areas: Areas
    constant_channels: tuple[int | None, ...]


def payload_bytes(description: KernelDescription) -> int:
    """Register bytes that a thread's payload defines, whole registers from `r0` on."""
    used = thread_payload.cross_thread_offset(description) + description.cross_thread_size
    return -(-used // description.target.grf_bytes) * description.target.grf_bytes


def kernel_code(executable: Executable, variant: Variant, cpu: Cpu) -> KernelCode:
    """Translates a kernel to LLVM IR for a CPU."""
    plan = _plan(executable, variant)
    module = IRModule(cpu)
    thread = module.function("thread", "i32", PARAMETERS, lambda code: ThreadFunction(code, plan).emit(), inline=False)

    def build(code: IRFunction) -> None:
        if variant.single_thread:
            control = _enter_float_control(code)
            status = code.call(thread, "i32", WORKER, code.offset(WORKER, plan.areas.registers), MASK)
            _leave(code, status, control)
        else:
            _GroupLoop(code, plan, thread).emit()

    module.export(ENTRY, "i32", "ptr %worker, i32 %mask" if variant.single_thread else "ptr %worker", build)
    return KernelCode(module.text(), plan.areas, plan.constant_channels)


def _plan(executable: Executable, variant: Variant) -> ThreadPlan:
    description, instructions = executable.description, executable.program.instructions
    mask: int | None = None
    divergent = diverges(executable.program)
    if variant.full_mask and not variant.single_thread:
        mask = thread_payload.FULL_MASK if description.simd_size == 1 else (1 << description.simd_size) - 1
    lasting = None if divergent else mask
    target = description.target
    controls = control_states(instructions, basic_blocks(executable.program))
    footprints = (
        footprint(i, target, description.grf_count, lasting, reads_control=control is None)
        for i, control in zip(instructions, controls, strict=True)
    )
    numbers = iter(range(len(instructions)))
    sites = tuple(next(numbers) if i.message is not None else None for i in instructions)
    register_bytes = description.grf_count * target.grf_bytes
    return ThreadPlan(
        description,
        executable.program,
        mask,
        tuple(footprints),
        tuple(controls),
        sites,
        frozenset() if variant.single_thread else executable.spinning,
        Areas(
            next(numbers, len(instructions)),
            register_bytes,
            target.flag_registers,
            description.scratch_size,
            ctypes.sizeof(Barrier) * description.barrier_count,
            counter_bytes(executable.program) if variant.counts else 0,
            sum(i.spec.format is InstructionFormat.JOIN for i in instructions),
        ),
        payload_bytes(description) // target.grf_bytes,
        variant.single_thread,
        variant.counts,
        tuple(constant_channels(instruction, lasting) for instruction in instructions) if variant.counts else (),
    )


_Place = tuple[Value, Value, Value]
"""A work-group's x, y and z."""


class _GroupLoop:
    """Emits `i32 entry(worker)`: takes work-groups until none is left, and runs their threads one after the other.

    It returns `YIELDED` in the middle of a group that gives way to others, and goes on with it when called again.
    """

    def __init__(self, code: IRFunction, plan: ThreadPlan, thread: str):
        self._code = code
        self._plan = plan
        self._thread = thread
        self._spins = bool(plan.spinning)

    def emit(self) -> None:
        code = self._code
        control = _enter_float_control(code)
        launch = load_field(code, WORKER, Worker, "launch")
        groups, chunk, columns, rows = (
            load_field(code, launch, LaunchRecord, name) for name in ("groups", "chunk", "groups_x", "groups_y")
        )
        threads = code.cast("zext", load_field(code, launch, LaunchRecord, "threads"), "i64")
        group, end, thread = (code.variable("i64", name, 8) for name in ("group", "last", "number"))
        code.jump("begin" if self._spins else "take")
        if self._spins:
            code.label("begin")
            kept = load_field(code, WORKER, Worker, "group")
            code.store(kept, group, 8)
            code.store(code.binary("add", kept, integer(1)), end, 8)
            code.branch(self._goes_on(), "next_group", "take")

        code.label("take")
        counter = code.offset(launch, LaunchRecord.next_group.offset)
        first = code.value("i64", f"atomicrmw add {counter}, {chunk} monotonic, align 8")
        left = code.call("llvm.usub.sat.i64", "i64", groups, first)
        code.store(first, group, 8)
        code.store(code.binary("add", first, code.call("llvm.umin.i64", "i64", left, chunk)), end, 8)
        code.branch(code.compare("icmp eq", left, integer(0)), "done", "next_group")

        code.label("next_group")
        current = code.load("i64", group, 8)
        code.branch(code.compare("icmp ult", current, code.load("i64", end, 8)), "group_starts", "take")
        code.label("group_starts")
        wanted = code.offset(launch, LaunchRecord.wanted.offset)
        limit = code.value("i64", f"load atomic i64, {wanted} monotonic, align 8")
        unwanted = code.compare("icmp uge", current, limit)
        if self._spins:  # a group that goes on is stopped where it is
            unwanted = code.binary("and", unwanted, code.binary("xor", self._goes_on(), constant("i1", "true")))
        code.unlikely(unwanted, "done")
        rest = code.binary("udiv", current, columns)
        place = (
            code.binary("urem", current, columns),
            code.binary("urem", rest, rows),
            code.binary("udiv", rest, rows),
        )
        store_field(code, WORKER, Worker, "group", current)
        code.store(code.binary("add", current, integer(1)), group, 8)
        code.store(integer(0), thread, 8)
        if self._spins:
            code.branch(self._goes_on(), "group_goes_on", "new_group")
            code.label("new_group")
        if any(i.message is not None and i.message.unit is Unit.SLM for i in self._plan.program.instructions):
            slm, size = load_field(code, WORKER, Worker, "slm"), load_field(code, launch, LaunchRecord, "slm_size")
            code.run("llvm.memset.p0.i64", slm, constant("i8", POISON), size, constant("i1", "false"))

        if self._spins or any(i.spec.waits for i in self._plan.program.instructions):
            failures = self._take_turns(launch, threads, thread, place)
        else:
            failures = self._run_threads(launch, threads, thread, place)
        code.label("failed")
        status = code.phi(*failures)
        code.value("i64", f"atomicrmw umin {wanted}, {current} monotonic, align 8")
        code.jump("done")
        code.label("done")
        outcomes = [(constant("i32", RUNNING), "take"), (constant("i32", RUNNING), "group_starts"), (status, "failed")]
        if self._spins:
            outcomes.append((constant("i32", YIELDED), "gives_way"))
        _leave(code, code.phi(*outcomes), control)

    def _goes_on(self) -> Value:
        """Whether the worker's group has given way in the middle."""
        code = self._code
        return code.compare("icmp ne", load_field(code, WORKER, Worker, "in_group"), constant("i32", 0))

    def _run_threads(self, launch: Value, threads: Value, thread: Value, place: _Place) -> list[tuple[Value, str]]:
        """Runs the threads of a group one after the other.

        Gives the statuses that end the launch, with their blocks.
        """
        code = self._code
        code.jump("next_thread")
        code.label("next_thread")
        number = code.load("i64", thread, 8)
        code.store(code.binary("add", number, integer(1)), thread, 8)
        code.branch(code.compare("icmp ult", number, threads), "thread_starts", "next_group")
        code.label("thread_starts")
        store_field(code, WORKER, Worker, "thread", code.cast("trunc", number, "i32"))
        self._fill(launch, number, place)
        status = self._call(launch, number, threads)
        code.branch(code.compare("icmp eq", status, constant("i32", RUNNING)), "next_thread", "failed")
        return [(status, "thread_starts")]

    def _take_turns(self, launch: Value, threads: Value, thread: Value, place: _Place) -> list[tuple[Value, str]]:
        """Like `_run_threads`, for threads that wait for each other: in each round those that wait are called again.

        A group gives way when threads of it have given way in so many rounds as its worker says.
        """
        code, areas = self._code, self._plan.areas
        frame_bytes = areas.frame_bytes(self._plan.description.scratch_size)
        later, waiting, moved = (code.variable("i32", name, 4) for name in ("later", "waiting", "moved"))
        zero, one = constant("i32", 0), constant("i32", 1)
        count = self._plan.description.barrier_count
        code.clear(code.offset(WORKER, areas.barriers), ctypes.sizeof(Barrier) * count)
        code.store(zero, later, 4)
        flags = [waiting, moved]
        if self._spins:
            yielded, rounds = (code.variable("i32", name, 4) for name in ("yielded", "rounds"))
            flags.append(yielded)
            code.jump("turns")
            code.label("group_goes_on")
            store_field(code, WORKER, Worker, "in_group", zero)
            code.store(one, later, 4)
            code.jump("turns")
            code.label("turns")
            code.store(load_field(code, WORKER, Worker, "rounds"), rounds, 4)
        code.jump("next_round")

        code.label("next_round")
        for variable in flags:
            code.store(zero, variable, 4)
        code.store(integer(0), thread, 8)
        code.jump("next_thread")

        code.label("next_thread")
        number = code.load("i64", thread, 8)
        code.store(code.binary("add", number, integer(1)), thread, 8)
        code.branch(code.compare("icmp ult", number, threads), "turn", "round_ends")
        code.label("turn")
        frames = load_field(code, WORKER, Worker, "frames")
        frame = code.offset(frames, code.binary("mul", number, integer(frame_bytes)))
        store_field(code, WORKER, Worker, "frame", frame)
        store_field(code, WORKER, Worker, "scratch", code.offset(frame, areas.frame.scratch))
        store_field(code, WORKER, Worker, "thread", code.cast("trunc", number, "i32"))
        code.branch(code.compare("icmp eq", code.load("i32", later, 4), zero), "thread_starts", "thread_goes_on")
        code.label("thread_starts")
        code.clear(frame, Frame.TICKETS + 4 * count)
        self._fill(launch, number, place)
        code.jump("call")
        code.label("thread_goes_on")
        resume = load_field(code, frame, FrameHeader, "resume")
        code.branch(code.compare("icmp eq", resume, constant("i32", ENDED)), "next_thread", "call")
        code.label("call")
        status = self._call(launch, number, threads)
        yields = f" i32 {YIELDED}, label %yields" if self._spins else ""
        code.line(
            f"switch {status}, label %failed [i32 {RUNNING}, label %ended i32 {SUSPENDED}, label %suspended "
            f"i32 {WAITING}, label %waits{yields}]"
        )
        code.label("ended")
        store_field(code, frame, FrameHeader, "resume", constant("i32", ENDED))
        code.store(one, moved, 4)
        code.jump("next_thread")
        code.label("suspended")
        code.store(one, moved, 4)
        code.jump("waits")
        code.label("waits")
        code.store(one, waiting, 4)
        code.jump("next_thread")
        if self._spins:
            code.label("yields")
            code.store(one, yielded, 4)
            code.jump("waits")

        code.label("round_ends")
        code.store(one, later, 4)
        code.branch(code.compare("icmp eq", code.load("i32", waiting, 4), zero), "next_group", "stalled")
        code.label("stalled")
        if self._spins:
            code.branch(code.compare("icmp eq", code.load("i32", yielded, 4), zero), "stuck", "spun")
            code.label("spun")
            left = code.binary("sub", code.load("i32", rounds, 4), one)
            code.store(left, rounds, 4)
            code.branch(code.compare("icmp eq", left, zero), "gives_way", "next_round")
            code.label("gives_way")
            store_field(code, WORKER, Worker, "in_group", one)
            code.jump("done")
            code.label("stuck")
        code.branch(code.compare("icmp eq", code.load("i32", moved, 4), zero), "failed", "next_round")
        return [(status, "call"), (constant("i32", DEADLOCKED), "stuck" if self._spins else "stalled")]

    def _call(self, launch: Value, number: Value, threads: Value) -> Value:
        return self._code.call(self._thread, "i32", WORKER, self._file(), self._mask(launch, number, threads))

    def _file(self) -> Value:
        return self._code.offset(WORKER, self._plan.areas.registers)

    def _fill(self, launch: Value, thread: Value, place: _Place) -> None:
        """Puts the payload into the first registers, and zeros into scratch space."""
        code, file = self._code, self._file()
        stride = load_field(code, launch, LaunchRecord, "payload_stride")
        source = code.offset(load_field(code, launch, LaunchRecord, "payload"), code.binary("mul", thread, stride))
        code.copy(file, source, payload_bytes(self._plan.description))
        for offset, coordinate in zip(_HEADER_GROUP, place, strict=True):
            code.store(code.cast("trunc", coordinate, "i32"), code.offset(file, offset), 4)
        if any(map(_uses_scratch, self._plan.program.instructions)):
            code.clear(load_field(code, WORKER, Worker, "scratch"), self._plan.description.scratch_size)

    def _mask(self, launch: Value, number: Value, threads: Value) -> Value:
        """The execution mask of a thread: that of the last one is given."""
        code, simd = self._code, self._plan.description.simd_size
        full = constant("i32", -1 if simd in (1, 32) else (1 << simd) - 1)
        is_last = code.compare("icmp eq", code.binary("add", number, integer(1)), threads)
        return code.select(is_last, load_field(code, launch, LaunchRecord, "last_mask"), full)


def _uses_scratch(instruction: Instruction) -> bool:
    message = instruction.message
    return (
        message is not None
        and message.model is AddressModel.SCRATCH
        and instruction.spec.access is MemoryAccessKind.LOAD
    )


def _enter_float_control(code: IRFunction) -> Value | None:
    """Sets the float arithmetic of x86 to the defaults; gives the place where the caller's setting is kept."""
    if not code.module.cpu.is_x86:
        return None
    saved = code.variable("i32", "saved", 4)
    code.run("llvm.x86.sse.stmxcsr", saved)
    code.run("llvm.x86.sse.ldmxcsr", code.module.constant_data(f"mxcsr.{MXCSR_DEFAULT:x}", [MXCSR_DEFAULT]))
    return saved


def _leave(code: IRFunction, status: Value, saved: Value | None) -> None:
    if saved is not None:
        code.run("llvm.x86.sse.ldmxcsr", saved)
    code.give(status)
