"""Translates a decoded kernel to LLVM IR: a function for a thread, and one that runs work-groups."""

from __future__ import annotations

import ctypes
from itertools import count

from runtime.llvm import Cpu, IRFunction, IRModule, Value, constant, integer
from runtime.simulator.counts import constant_channels
from runtime.simulator.engine import Executable
from runtime.simulator.jit.alu.float_product import MXCSR_DEFAULT
from runtime.simulator.jit.control_register import control_states
from runtime.simulator.jit.counting import counter_bytes
from runtime.simulator.jit.group_order import OrderCode
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
from runtime.simulator.jit.messages.streaming import streams
from runtime.simulator.jit.routines import WORKER, load_field, store_field
from runtime.simulator.jit.thread import MASK, PARAMETERS, ThreadFunction, ThreadPlan
from runtime.simulator.jit.waiting.barriers import begin_group, only_meet
from runtime.simulator.launch import KernelDescription
from runtime.simulator.machine import thread_payload
from runtime.simulator.machine.barriers import Barrier
from runtime.simulator.machine.divergence import diverges
from xegpu.isa import Instruction
from xegpu.isa.code import basic_blocks
from xegpu.isa.formats import footprint
from xegpu.isa.model import AddressModel, MemoryAccessKind, Unit
from xegpu.records import dataclass

ENTRY = "entry"
"""The symbol of a compiled kernel: `i32 entry(worker)` runs work-groups, `i32 entry(worker, mask)` a single thread."""


LARGEST_CHUNK = 1024
"""The most work-groups that a worker takes at a time."""


@dataclass(frozen=True)
class Variant:
    """A way to compile a kernel.

    Attributes:
        full_mask: All channels of the kernel's SIMD size are on in every thread, so that masks are constants.
        single_thread: Runs one thread; its registers and flags are read from, and written back to, the worker's areas.
        counts: Executions of instructions are counted in the worker's areas.

    """

    full_mask: bool = True
    single_thread: bool = False
    counts: bool = False


@dataclass(frozen=True)
class KernelCode:
    """The IR of a kernel and the layout of its workers' memory."""

    ir: str
    areas: Areas


def payload_bytes(description: KernelDescription) -> int:
    """Returns the size in bytes of a thread's payload, in whole registers from `r0` on."""
    used = thread_payload.cross_thread_offset(description) + description.facts.cross_thread_size
    return -(-used // description.target.platform.grf_bytes) * description.target.platform.grf_bytes


def kernel_areas(executable: Executable, variant: Variant) -> Areas:
    """Returns the layout of the memory of a kernel's workers, but for the sizes that only its IR tells."""
    description, instructions = executable.description, executable.program.instructions
    sites = sum(i.message is not None for i in instructions)
    return Areas(
        sites or len(instructions),
        description.register_count * description.target.platform.grf_bytes,
        description.target.platform.flag_registers,
        description.facts.scratch_size,
        ctypes.sizeof(Barrier) * description.facts.barrier_count,
        counter_bytes(executable.program) if variant.counts else 0,
        sum(i.spec.flow.is_join for i in instructions),
    )


def channels_always_on(executable: Executable, variant: Variant) -> tuple[int | None, ...]:
    """Returns the number of channels of each instruction that are always enabled, None for those that are counted."""
    mask = _lasting_mask(executable, variant)
    return tuple(constant_channels(instruction, mask) for instruction in executable.program.instructions)


def kernel_code(executable: Executable, variant: Variant, cpu: Cpu) -> KernelCode:
    """Translates a kernel to LLVM IR for a CPU."""
    plan = _plan(executable, variant)
    module = IRModule(cpu)
    runs_to_end = not variant.single_thread and not _is_scheduled(plan)

    def build_thread(code: IRFunction) -> None:
        ThreadFunction(code, plan).emit()

    thread = module.function("thread", "i32", PARAMETERS, build_thread, inline=runs_to_end, saves_registers=runs_to_end)

    def build(code: IRFunction) -> None:
        if variant.single_thread:
            control = _enter(code)
            file = code.offset(WORKER, plan.areas.registers)
            status = code.call(thread, "i32", WORKER, file, file, MASK, *[constant("i32", 0)] * 3)
            _leave(code, status, control)
        else:
            _GroupLoop(code, plan, thread).emit()

    module.export(ENTRY, "i32", "ptr %worker, i32 %mask" if variant.single_thread else "ptr %worker", build)
    return KernelCode(module.text(), plan.areas)


def _first_mask(executable: Executable, variant: Variant) -> int | None:
    """Returns the execution mask with which each thread starts, None if threads start with different ones."""
    if not variant.full_mask or variant.single_thread:
        return None
    simd_size = executable.description.facts.simd_size
    return thread_payload.FULL_MASK if simd_size == 1 else (1 << simd_size) - 1


def _lasting_mask(executable: Executable, variant: Variant) -> int | None:
    """Returns the execution mask that each thread has all the time, None if there is no such mask."""
    return None if diverges(executable.program) else _first_mask(executable, variant)


def _plan(executable: Executable, variant: Variant) -> ThreadPlan:
    description, instructions = executable.description, executable.program.instructions
    lasting, target = _lasting_mask(executable, variant), description.target
    controls = control_states(instructions, basic_blocks(executable.program))
    footprints = (
        footprint(i, target, description.register_count, lasting, reads_control=control is None)
        for i, control in zip(instructions, controls, strict=True)
    )
    numbers = count()
    return ThreadPlan(
        description,
        executable.program,
        _first_mask(executable, variant),
        tuple(footprints),
        tuple(controls),
        tuple(next(numbers) if i.message is not None else None for i in instructions),
        frozenset() if variant.single_thread else executable.spinning,
        kernel_areas(executable, variant),
        payload_bytes(description) // target.platform.grf_bytes,
        variant.single_thread,
        executable.costs if variant.counts else None,
        channels_always_on(executable, variant) if variant.counts else (),
    )


class _GroupLoop:
    """Emits `i32 entry(worker)`: takes work-groups until none is left, and runs the threads of one after the other.

    There are two schedules. Threads that never wait run to their end, one after the other (`_run_to_end`). Threads that
    wait at barriers, or may spin, are scheduled round robin (`_schedule`). If threads may spin, a whole group may yield
    to the groups of other workers: `entry` then returns `YIELDED` in the middle of the group, and the next call resumes
    it (`Worker.in_group` is set in between).

    All loop variables are stack slots, which LLVM promotes to registers, so that blocks need no phis.
    """

    def __init__(self, code: IRFunction, plan: ThreadPlan, thread: str):
        self._code = code
        self._plan = plan
        self._thread = thread
        self._spins = bool(plan.spinning)
        self._launch = load_field(code, WORKER, Worker, "launch")
        self._payload, self._stride = (
            load_field(code, self._launch, LaunchRecord, name) for name in ("payload", "payload_stride")
        )
        self._threads = code.cast("zext", load_field(code, self._launch, LaunchRecord, "threads"), "i64")
        self._group, self._chunk_end, self._next_thread = (
            code.variable("i64", name, 8) for name in ("group_number", "chunk_end", "thread_number")
        )
        self._order = OrderCode(code, self._launch)

    def emit(self) -> None:
        """Emits the body of the function."""
        code = self._code
        control = _enter(code)
        if self._spins:
            self._resume_chunk()
        else:
            code.jump("take")
        self._take_chunk()
        self._next_group()
        group = self._begin_group()
        self._clear_slm()
        if _is_scheduled(self._plan):
            failures = self._schedule()
        else:
            failures = self._run_to_end()
        self._end(group, failures, control)

    # Work-groups.

    def _resume_chunk(self) -> None:
        """Resumes a group that has yielded, as a chunk of its own. Chunks of kernels that spin have one group."""
        code = self._code
        yielded = load_field(code, WORKER, Worker, "group")
        code.store(yielded, self._group, 8)
        code.store(code.binary("add", yielded, integer(1)), self._chunk_end, 8)
        code.branch(self._is_resumed(), "begin_group", "take")

    def _take_chunk(self) -> None:
        """Takes the next groups of the launch from the counter that all workers share."""
        code = self._code
        code.label("take")
        groups, shares = (load_field(code, self._launch, LaunchRecord, name) for name in ("groups", "shares"))
        counter = code.offset(self._launch, LaunchRecord.next_group.offset)
        # Monotonic: the counter alone decides who runs a group. The host publishes the rest before threads start.
        taken = code.value("i64", f"load atomic i64, {counter} monotonic, align 8")
        part = code.binary("udiv", code.call("llvm.usub.sat.i64", "i64", groups, taken), shares)
        part = code.call("llvm.umin.i64", "i64", part, integer(LARGEST_CHUNK))
        chunk = code.call("llvm.umax.i64", "i64", part, integer(1))
        first = code.value("i64", f"atomicrmw add {counter}, {chunk} monotonic, align 8")
        # The counter runs past the number of groups, once per worker: no more than nothing is left then.
        left = code.call("llvm.usub.sat.i64", "i64", groups, first)
        code.store(first, self._group, 8)
        code.store(code.binary("add", first, code.call("llvm.umin.i64", "i64", left, chunk)), self._chunk_end, 8)
        code.branch(code.compare("icmp eq", left, integer(0)), "done", "chunk")
        code.label("chunk")
        self._order.go_to(first)
        code.jump("place_group")

    def _next_group(self) -> None:
        """Goes to the next group of the chunk, or to the next chunk."""
        code = self._code
        code.label("next_group")
        group = code.binary("add", code.load("i64", self._group, 8), integer(1))
        code.store(group, self._group, 8)
        code.branch(code.compare("icmp ult", group, code.load("i64", self._chunk_end, 8)), "go_on", "take")
        code.label("go_on")
        self._order.go_on("place_group")
        code.label("place_group")
        if self._spins:
            self._store_position()
        code.jump("begin_group")

    def _store_position(self) -> None:
        """Stores the coordinates of the current group for reports; of groups that may yield, before they begin."""
        for name, coordinate in zip(("group_x", "group_y", "group_z"), self._order.position, strict=True):
            store_field(self._code, WORKER, Worker, name, coordinate)

    def _begin_group(self) -> Value:
        """Begins the current group, unless the launch was stopped or an earlier group has faulted."""
        code = self._code
        code.label("begin_group")
        group = code.load("i64", self._group, 8)
        limit = code.value("i64", f"load atomic i64, {self._wanted()} monotonic, align 8")
        unwanted = code.compare("icmp uge", group, limit)
        if self._spins:  # a resumed group stops at its next backward branch, which reports where it was
            unwanted = code.binary("and", unwanted, code.binary("xor", self._is_resumed(), constant("i1", "true")))
        code.unlikely(unwanted, "unwanted")
        store_field(code, WORKER, Worker, "group", group)
        code.store(integer(0), self._next_thread, 8)
        return group

    def _clear_slm(self) -> None:
        """Fills shared local memory with zeros, so that the results of bugs do not depend on the previous group."""
        code = self._code
        if self._spins:
            code.branch(self._is_resumed(), "resume_group", "new_group")
            code.label("new_group")
        if any(i.message is not None and i.message.unit is Unit.SLM for i in self._plan.program.instructions):
            slm, size = (
                load_field(code, WORKER, Worker, "slm"),
                load_field(code, self._launch, LaunchRecord, "slm_size"),
            )
            code.run("llvm.memset.p0.i64", slm, constant("i8", 0), size, constant("i1", "false"))

    def _end(self, group: Value, failures: list[tuple[Value, str]], control: Value | None) -> None:
        """Ends the function; after a failure no later group is wanted."""
        code = self._code
        code.label("failed")
        status = code.phi(*failures)
        code.value("i64", f"atomicrmw umin {self._wanted()}, {group} monotonic, align 8")
        code.jump("ended_early")
        code.label("unwanted")
        code.jump("ended_early")
        code.label("ended_early")
        status = code.phi((status, "failed"), (constant("i32", RUNNING), "unwanted"))
        if not self._spins:
            self._store_position()
        code.jump("done")
        code.label("done")
        outcomes = [(constant("i32", RUNNING), "take"), (status, "ended_early")]
        if self._spins:
            outcomes.append((constant("i32", YIELDED), "yield_group"))
        status = code.phi(*outcomes)
        if any(map(streams, self._plan.program.instructions)):
            code.line("fence seq_cst")  # other threads of the host read what was stored
        _leave(code, status, control)

    def _is_resumed(self) -> Value:
        """Returns whether the worker's group has yielded and is resumed now."""
        code = self._code
        return code.compare("icmp ne", load_field(code, WORKER, Worker, "in_group"), constant("i32", 0))

    def _wanted(self) -> Value:
        return self._code.offset(self._launch, LaunchRecord.wanted.offset)

    # Threads. Both schedules return the statuses that end the launch, each with the block that branches to `failed`.

    def _run_to_end(self) -> list[tuple[Value, str]]:
        """Runs the threads of a group one after the other."""
        code = self._code
        code.jump("next_thread")
        number = self._select_thread("start_thread", "next_group")
        code.label("start_thread")
        store_field(code, WORKER, Worker, "thread", code.cast("trunc", number, "i32"))
        self._clear_scratch()
        status = self._call(number)
        code.branch(code.compare("icmp eq", status, constant("i32", RUNNING)), "next_thread", "failed")
        return [(status, "start_thread")]

    def _schedule(self) -> list[tuple[Value, str]]:
        """Schedules the threads of a group round robin.

        In each round every thread that has not ended is called once. It runs until it ends, waits at a barrier that has
        not fired, or has spun for a quantum of instructions; its live registers are then in its frame. States of a
        thread, in `FrameHeader.resume`:

        * 0: not started. Only in the first round, in which frames are initialized.
        * n: suspended at wait or spinning branch number n.
        * `ENDED`: ended. It is not called again.

        If threads still wait after a round, there are three cases. Some thread spun: another round, until the worker's
        rounds are used up, and the group yields. None spun, but some progressed: another round. Neither: no thread can
        ever proceed, which is a deadlock.
        """
        code = self._code
        schedule = _Schedule(code, self._spins)
        self._begin_rounds(schedule)
        code.label("next_round")
        schedule.begin_round()
        code.store(integer(0), self._next_thread, 8)
        code.jump("next_thread")
        number = self._select_thread("schedule_thread", "end_round")
        frame = self._enter_frame(number, schedule)
        status = self._call(number)
        schedule.record(status, frame)
        return [(status, "call"), (constant("i32", DEADLOCKED), schedule.end_round())]

    def _begin_rounds(self, schedule: _Schedule) -> None:
        plan = self._plan
        count = plan.description.facts.barrier_count
        begin_group(self._code, plan.areas, count, meet=count > 0 and only_meet(plan.program.instructions))
        schedule.begin_group()

    def _enter_frame(self, number: Value, schedule: _Schedule) -> Value:
        """Makes a thread the current one of the worker, and initializes it in its first round. Returns its frame."""
        code, areas = self._code, self._plan.areas
        code.label("schedule_thread")
        frame_bytes = areas.frame_bytes(self._plan.description.facts.scratch_size)
        frames = load_field(code, WORKER, Worker, "frames")
        frame = code.offset(frames, code.binary("mul", number, integer(frame_bytes)))
        store_field(code, WORKER, Worker, "frame", frame)
        store_field(code, WORKER, Worker, "scratch", code.offset(frame, areas.frame.scratch))
        store_field(code, WORKER, Worker, "thread", code.cast("trunc", number, "i32"))
        code.branch(schedule.is_first_round(), "start_thread", "resume_thread")
        code.label("start_thread")
        code.clear(frame, Frame.TICKETS + 4 * self._plan.description.facts.barrier_count)
        self._clear_scratch()
        code.jump("call")
        code.label("resume_thread")
        resume = load_field(code, frame, FrameHeader, "resume")
        code.branch(code.compare("icmp eq", resume, constant("i32", ENDED)), "next_thread", "call")
        code.label("call")
        return frame

    def _select_thread(self, found: str, none: str) -> Value:
        """Emits `next_thread`, which branches to `found` with the number of a thread, and to `none` after the last."""
        code = self._code
        code.label("next_thread")
        number = code.load("i64", self._next_thread, 8)
        code.store(code.binary("add", number, integer(1)), self._next_thread, 8)
        code.branch(code.compare("icmp ult", number, self._threads), found, none)
        return number

    def _call(self, number: Value) -> Value:
        code = self._code
        payload = code.offset(self._payload, code.binary("mul", number, self._stride))
        file = code.offset(WORKER, self._plan.areas.registers)
        return code.call(self._thread, "i32", WORKER, file, payload, self._mask(number), *self._order.position)

    def _clear_scratch(self) -> None:
        """Puts zeros into the scratch space of a thread that reads it."""
        if any(map(_uses_scratch, self._plan.program.instructions)):
            scratch = load_field(self._code, WORKER, Worker, "scratch")
            self._code.clear(scratch, self._plan.description.facts.scratch_size)

    def _mask(self, number: Value) -> Value:
        """Returns the execution mask of a thread: all channels, but for the last thread as the launch record says."""
        code, simd = self._code, self._plan.description.facts.simd_size
        full = constant("i32", -1 if simd in (1, 32) else (1 << simd) - 1)
        is_last = code.compare("icmp eq", code.binary("add", number, integer(1)), self._threads)
        return code.select(is_last, load_field(code, self._launch, LaunchRecord, "last_mask"), full)


class _Schedule:
    """Emits the bookkeeping of rounds: flags that are collected in a round, and the decision at its end.

    `waiting`: some thread has not ended. `progressed`: some thread has ended or gone on to another wait. `spun`: some
    thread has spun for a quantum. `rounds` is the number of rounds with spinning threads that the group has left.
    """

    def __init__(self, code: IRFunction, spins: bool):
        self._code = code
        self._spins = spins
        self._started, self._waiting, self._progressed, self._spun, self._rounds = (
            code.variable("i32", name, 4)
            for name in ("has_started", "is_waiting", "has_progressed", "has_spun", "rounds_left")
        )

    def begin_group(self) -> None:
        """Ends the block of a new group; emits that of a resumed one (`resume_group`). Both go to `next_round`."""
        code = self._code
        code.store(constant("i32", 0), self._started, 4)
        if self._spins:
            code.jump("rounds")
            code.label("resume_group")
            store_field(code, WORKER, Worker, "in_group", constant("i32", 0))
            self._set(self._started)
            code.jump("rounds")
            code.label("rounds")
            code.store(load_field(code, WORKER, Worker, "rounds"), self._rounds, 4)
        code.jump("next_round")

    def begin_round(self) -> None:
        for flag in (self._waiting, self._progressed, self._spun):
            self._code.store(constant("i32", 0), flag, 4)

    def is_first_round(self) -> Value:
        """Returns whether the threads of the group are still to be started."""
        return self._code.compare("icmp eq", self._code.load("i32", self._started, 4), constant("i32", 0))

    def record(self, status: Value, frame: Value) -> None:
        """Records the report of a thread that returns; faults go to `failed`."""
        code = self._code
        yields = f" i32 {YIELDED}, label %spun" if self._spins else ""
        code.line(
            f"switch {status}, label %failed [i32 {RUNNING}, label %ended i32 {SUSPENDED}, label %suspended "
            f"i32 {WAITING}, label %waits{yields}]"
        )
        code.label("ended")
        store_field(code, frame, FrameHeader, "resume", constant("i32", ENDED))
        self._set(self._progressed)
        code.jump("next_thread")
        code.label("suspended")
        self._set(self._progressed)
        code.jump("waits")
        if self._spins:
            code.label("spun")
            self._set(self._spun)
            code.jump("waits")
        code.label("waits")
        self._set(self._waiting)
        code.jump("next_thread")

    def end_round(self) -> str:
        """Decides how a group continues after a round; returns the block that branches to `failed` for a deadlock."""
        code = self._code
        code.label("end_round")
        self._set(self._started)
        code.branch(self._is_clear(self._waiting), "next_group", "some_wait")
        code.label("some_wait")
        last = "some_wait"
        if self._spins:
            last = "none_spun"
            code.branch(self._is_clear(self._spun), last, "some_spun")
            code.label("some_spun")
            left = code.binary("sub", code.load("i32", self._rounds, 4), constant("i32", 1))
            code.store(left, self._rounds, 4)
            code.branch(code.compare("icmp eq", left, constant("i32", 0)), "yield_group", "next_round")
            code.label("yield_group")
            store_field(code, WORKER, Worker, "in_group", constant("i32", 1))
            code.jump("done")
            code.label(last)
        code.branch(self._is_clear(self._progressed), "failed", "next_round")
        return last

    def _set(self, flag: Value) -> None:
        self._code.store(constant("i32", 1), flag, 4)

    def _is_clear(self, flag: Value) -> Value:
        return self._code.compare("icmp eq", self._code.load("i32", flag, 4), constant("i32", 0))


def _is_scheduled(plan: ThreadPlan) -> bool:
    """Returns whether threads may stop before their end, to let others go on."""
    return bool(plan.spinning) or any(instruction.spec.waits for instruction in plan.program.instructions)


def _uses_scratch(instruction: Instruction) -> bool:
    message = instruction.message
    return (
        message is not None
        and message.model is AddressModel.SCRATCH
        and instruction.spec.access is MemoryAccessKind.LOAD
    )


def _enter(code: IRFunction) -> Value | None:
    """Sets the float arithmetic of x86 to the defaults; returns a variable with the setting of the caller."""
    if code.module.cpu.has_tiles:
        store_field(code, WORKER, Worker, "tile_rows", constant("i32", 0))
    if not code.module.cpu.is_x86:
        return None
    saved = code.variable("i32", "saved", 4)
    code.run("llvm.x86.sse.stmxcsr", saved)
    code.run("llvm.x86.sse.ldmxcsr", code.module.constant_data(f"mxcsr.{MXCSR_DEFAULT:x}", [MXCSR_DEFAULT]))
    return saved


def _leave(code: IRFunction, status: Value, saved: Value | None) -> None:
    if saved is not None:
        code.run("llvm.x86.sse.ldmxcsr", saved)
    if code.module.cpu.has_tiles:  # saving them at a change of threads takes the system 8 KiB
        is_clear = code.compare("icmp eq", load_field(code, WORKER, Worker, "tile_rows"), constant("i32", 0))
        code.branch(is_clear, "leave", "release")
        code.label("release")
        code.run("llvm.x86.tilerelease")
        code.jump("leave")
        code.label("leave")
    code.give(status)
