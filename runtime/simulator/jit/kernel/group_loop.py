"""The function that takes work-groups from the launch and runs their threads."""

from __future__ import annotations

from runtime.llvm import IRBlock, IRFunction, Value, constant, integer
from runtime.simulator.jit.alu.float_product import MXCSR_DEFAULT
from runtime.simulator.jit.kernel.group_order import OrderCode
from runtime.simulator.jit.kernel.thread import ThreadPlan
from runtime.simulator.jit.messages.streaming import streams
from runtime.simulator.jit.state.launch_records import (
    DEADLOCKED,
    ENDED,
    RUNNING,
    SUSPENDED,
    WAITING,
    YIELDED,
    Frame,
    FrameHeader,
    LaunchRecord,
    Worker,
)
from runtime.simulator.jit.state.routines import WORKER, load_field, store_field
from runtime.simulator.jit.waiting.barriers import begin_group, only_meet
from xegpu.isa import Instruction
from xegpu.isa.model import AddressModel, MemoryAccessKind, Unit

LARGEST_CHUNK = 1024
"""The most work-groups that a worker takes at a time."""


class _GroupBlocks:
    """The blocks of the loop over work-groups that several parts of it branch to.

    Attributes:
        take: Takes the next groups of the launch.
        place_group: Begins the current group, whose coordinates have changed.
        begin_group: Begins the current group.
        resume_group: Goes on with a group that had yielded.
        next_group: Goes to the group after the current one.
        next_thread: Selects the next thread of the group.
        failed: Ends the launch, with the status of a thread. `failures` has that status for each branch to it.
        unwanted: Ends the function because no later group is wanted.
        done: Ends the function. `outcomes` has its result for each branch to it.

    """

    def __init__(self, code: IRFunction):
        self.take = code.block("take")
        self.place_group = code.block("place_group")
        self.begin_group = code.block("begin_group")
        self.resume_group = code.block("resume_group")
        self.next_group = code.block("next_group")
        self.next_thread = code.block("next_thread")
        self.failed = code.block("failed")
        self.unwanted = code.block("unwanted")
        self.done = code.block("done")
        self.failures: list[tuple[Value, IRBlock]] = []
        self.outcomes: list[tuple[Value, IRBlock]] = []


class GroupLoop:
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
        self._blocks = _GroupBlocks(code)

    def emit(self) -> None:
        """Emits the body of the function."""
        control = begin_entry(self._code)
        if self._spins:
            self._resume_chunk()
        self._take_chunk()
        self._next_group()
        group = self._begin_group()
        self._clear_slm()
        if is_scheduled(self._plan):
            self._schedule()
        else:
            self._run_to_end()
        self._end(group, control)

    # Work-groups.

    def _resume_chunk(self) -> None:
        """Resumes a group that has yielded, as a chunk of its own. Chunks of kernels that spin have one group."""
        code = self._code
        yielded = load_field(code, WORKER, Worker, "group")
        code.store(yielded, self._group, 8)
        code.store(code.binary("add", yielded, integer(1)), self._chunk_end, 8)
        code.jump_if(self._is_resumed(), self._blocks.begin_group)

    def _take_chunk(self) -> None:
        """Takes the next groups of the launch from the counter that all workers share."""
        code, blocks = self._code, self._blocks
        code.begin(blocks.take)
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
        blocks.outcomes.append((constant("i32", RUNNING), code.current))
        code.jump_if(code.compare("icmp eq", left, integer(0)), blocks.done)
        self._order.go_to(first)
        code.jump(blocks.place_group)

    def _next_group(self) -> None:
        """Goes to the next group of the chunk, or to the next chunk."""
        code, blocks = self._code, self._blocks
        code.begin(blocks.next_group)
        group = code.binary("add", code.load("i64", self._group, 8), integer(1))
        code.store(group, self._group, 8)
        code.jump_unless(code.compare("icmp ult", group, code.load("i64", self._chunk_end, 8)), blocks.take)
        self._order.go_on(blocks.place_group)
        code.begin(blocks.place_group)
        if self._spins:
            self._store_position()

    def _store_position(self) -> None:
        """Stores the coordinates of the current group for reports; of groups that may yield, before they begin."""
        for name, coordinate in zip(("group_x", "group_y", "group_z"), self._order.position, strict=True):
            store_field(self._code, WORKER, Worker, name, coordinate)

    def _begin_group(self) -> Value:
        """Begins the current group, unless the launch was stopped or an earlier group has faulted."""
        code = self._code
        code.begin(self._blocks.begin_group)
        group = code.load("i64", self._group, 8)
        limit = code.value("i64", f"load atomic i64, {self._wanted()} monotonic, align 8")
        unwanted = code.compare("icmp uge", group, limit)
        if self._spins:  # a resumed group stops at its next backward branch, which reports where it was
            unwanted = code.binary("and", unwanted, code.binary("xor", self._is_resumed(), constant("i1", "true")))
        code.jump_if(unwanted, self._blocks.unwanted, rare=True)
        store_field(code, WORKER, Worker, "group", group)
        code.store(integer(0), self._next_thread, 8)
        return group

    def _clear_slm(self) -> None:
        """Fills shared local memory with zeros, so that the results of bugs do not depend on the previous group."""
        code = self._code
        if self._spins:
            code.jump_if(self._is_resumed(), self._blocks.resume_group)
        if any(i.message is not None and i.message.unit is Unit.SLM for i in self._plan.program.instructions):
            slm, size = (
                load_field(code, WORKER, Worker, "slm"),
                load_field(code, self._launch, LaunchRecord, "slm_size"),
            )
            code.run("llvm.memset.p0.i64", slm, constant("i8", 0), size, constant("i1", "false"))

    def _end(self, group: Value, control: Value | None) -> None:
        """Ends the function; after a failure no later group is wanted."""
        code, blocks = self._code, self._blocks
        code.begin(blocks.failed)
        failure = code.phi(*blocks.failures)
        code.value("i64", f"atomicrmw umin {self._wanted()}, {group} monotonic, align 8")
        early = code.block("ended_early")
        code.jump(early)
        code.begin(blocks.unwanted)
        code.begin(early)
        status = code.phi((failure, blocks.failed), (constant("i32", RUNNING), blocks.unwanted))
        if not self._spins:
            self._store_position()
        blocks.outcomes.append((status, code.current))
        code.begin(blocks.done)
        status = code.phi(*blocks.outcomes)
        if any(map(streams, self._plan.program.instructions)):
            code.line("fence seq_cst")  # other threads of the host read what was stored
        end_entry(code, status, control)

    def _is_resumed(self) -> Value:
        """Returns whether the worker's group has yielded and is resumed now."""
        code = self._code
        return code.compare("icmp ne", load_field(code, WORKER, Worker, "in_group"), constant("i32", 0))

    def _wanted(self) -> Value:
        return self._code.offset(self._launch, LaunchRecord.wanted.offset)

    # Threads.

    def _run_to_end(self) -> None:
        """Runs the threads of a group one after the other."""
        code, blocks = self._code, self._blocks
        number = self._select_thread(blocks.next_group)
        store_field(code, WORKER, Worker, "thread", code.cast("trunc", number, "i32"))
        self._clear_scratch()
        status = self._call(number)
        blocks.failures.append((status, code.current))
        code.branch(code.compare("icmp eq", status, constant("i32", RUNNING)), blocks.next_thread, blocks.failed)

    def _schedule(self) -> None:
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
        schedule = _Schedule(code, self._blocks, spins=self._spins)
        self._begin_rounds(schedule)
        schedule.begin_round()
        code.store(integer(0), self._next_thread, 8)
        number = self._select_thread(schedule.round_ends)
        frame = self._enter_frame(number, schedule)
        schedule.record(self._call(number), frame)
        schedule.end_round()

    def _begin_rounds(self, schedule: _Schedule) -> None:
        plan = self._plan
        count = plan.description.facts.barrier_count
        begin_group(self._code, plan.areas, count, meet=count > 0 and only_meet(plan.program.instructions))
        schedule.begin_group()

    def _enter_frame(self, number: Value, schedule: _Schedule) -> Value:
        """Makes a thread the current one of the worker, and initializes it in its first round. Returns its frame."""
        code, areas = self._code, self._plan.areas
        frame_bytes = areas.frame_bytes(self._plan.description.facts.scratch_size)
        frames = load_field(code, WORKER, Worker, "frames")
        frame = code.offset(frames, code.binary("mul", number, integer(frame_bytes)))
        store_field(code, WORKER, Worker, "frame", frame)
        store_field(code, WORKER, Worker, "scratch", code.offset(frame, areas.frame.scratch))
        store_field(code, WORKER, Worker, "thread", code.cast("trunc", number, "i32"))
        with code.if_(schedule.is_first_round()) as choice:
            code.clear(frame, Frame.TICKETS + 4 * self._plan.description.facts.barrier_count)
            self._clear_scratch()
        with choice.else_():
            resume = load_field(code, frame, FrameHeader, "resume")
            code.jump_if(code.compare("icmp eq", resume, constant("i32", ENDED)), self._blocks.next_thread)
        return frame

    def _select_thread(self, none: IRBlock) -> Value:
        """Returns the number of the next thread; branches to `none` after the last one."""
        code = self._code
        code.begin(self._blocks.next_thread)
        number = code.load("i64", self._next_thread, 8)
        code.store(code.binary("add", number, integer(1)), self._next_thread, 8)
        code.jump_unless(code.compare("icmp ult", number, self._threads), none)
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

    def __init__(self, code: IRFunction, blocks: _GroupBlocks, *, spins: bool):
        self.round_ends = code.block("end_round")
        self._next_round = code.block("next_round")
        self._code = code
        self._blocks = blocks
        self._spins = spins
        self._started, self._waiting, self._progressed, self._spun, self._rounds = (
            code.variable("i32", name, 4)
            for name in ("has_started", "is_waiting", "has_progressed", "has_spun", "rounds_left")
        )

    def begin_group(self) -> None:
        """Begins the rounds of a new group, and of a resumed one (`resume_group`)."""
        code = self._code
        code.store(constant("i32", 0), self._started, 4)
        if self._spins:
            rounds = code.block("rounds")
            code.jump(rounds)
            code.begin(self._blocks.resume_group)
            store_field(code, WORKER, Worker, "in_group", constant("i32", 0))
            self._set(self._started)
            code.begin(rounds)
            code.store(load_field(code, WORKER, Worker, "rounds"), self._rounds, 4)

    def begin_round(self) -> None:
        self._code.begin(self._next_round)
        for flag in (self._waiting, self._progressed, self._spun):
            self._code.store(constant("i32", 0), flag, 4)

    def is_first_round(self) -> Value:
        """Returns whether the threads of the group are still to be started."""
        return self._code.compare("icmp eq", self._code.load("i32", self._started, 4), constant("i32", 0))

    def record(self, status: Value, frame: Value) -> None:
        """Records the report of a thread that returns; faults go to `failed`."""
        code, blocks = self._code, self._blocks
        ended, suspended, spun, waits = (code.block(hint) for hint in ("ended", "suspended", "spun", "waits"))
        cases = [(RUNNING, ended), (SUSPENDED, suspended), (WAITING, waits)]
        blocks.failures.append((status, code.current))
        code.switch(status, blocks.failed, [*cases, (YIELDED, spun)] if self._spins else cases)
        code.begin(ended)
        store_field(code, frame, FrameHeader, "resume", constant("i32", ENDED))
        self._set(self._progressed)
        code.jump(blocks.next_thread)
        code.begin(suspended)
        self._set(self._progressed)
        if self._spins:
            code.jump(waits)
            code.begin(spun)
            self._set(self._spun)
        code.begin(waits)
        self._set(self._waiting)
        code.jump(blocks.next_thread)

    def end_round(self) -> None:
        """Decides how a group continues after a round."""
        code, blocks = self._code, self._blocks
        code.begin(self.round_ends)
        self._set(self._started)
        code.jump_if(self._is_clear(self._waiting), blocks.next_group)
        if self._spins:
            with code.if_(self._is_set(self._spun)):
                left = code.binary("sub", code.load("i32", self._rounds, 4), constant("i32", 1))
                code.store(left, self._rounds, 4)
                code.jump_unless(code.compare("icmp eq", left, constant("i32", 0)), self._next_round)
                store_field(code, WORKER, Worker, "in_group", constant("i32", 1))
                blocks.outcomes.append((constant("i32", YIELDED), code.current))
                code.jump(blocks.done)
        blocks.failures.append((constant("i32", DEADLOCKED), code.current))
        code.branch(self._is_clear(self._progressed), blocks.failed, self._next_round)

    def _set(self, flag: Value) -> None:
        self._code.store(constant("i32", 1), flag, 4)

    def _is_set(self, flag: Value) -> Value:
        return self._code.compare("icmp ne", self._code.load("i32", flag, 4), constant("i32", 0))

    def _is_clear(self, flag: Value) -> Value:
        return self._code.compare("icmp eq", self._code.load("i32", flag, 4), constant("i32", 0))


def is_scheduled(plan: ThreadPlan) -> bool:
    """Returns whether threads may stop before their end, to let others go on."""
    return bool(plan.spinning) or any(instruction.spec.waits for instruction in plan.program.instructions)


def _uses_scratch(instruction: Instruction) -> bool:
    message = instruction.message
    return (
        message is not None
        and message.model is AddressModel.SCRATCH
        and instruction.spec.access is MemoryAccessKind.LOAD
    )


def begin_entry(code: IRFunction) -> Value | None:
    """Sets the float arithmetic of x86 to the defaults; returns a variable with the setting of the caller."""
    if code.module.cpu.has_tiles:
        store_field(code, WORKER, Worker, "tile_rows", constant("i32", 0))
    if not code.module.cpu.is_x86:
        return None
    saved = code.variable("i32", "saved", 4)
    code.run("llvm.x86.sse.stmxcsr", saved)
    code.run("llvm.x86.sse.ldmxcsr", code.module.constant_data(f"mxcsr.{MXCSR_DEFAULT:x}", [MXCSR_DEFAULT]))
    return saved


def end_entry(code: IRFunction, status: Value, saved: Value | None) -> None:
    if saved is not None:
        code.run("llvm.x86.sse.ldmxcsr", saved)
    if code.module.cpu.has_tiles:  # saving them at a change of threads takes the system 8 KiB
        is_configured = code.compare("icmp ne", load_field(code, WORKER, Worker, "tile_rows"), constant("i32", 0))
        with code.if_(is_configured):
            code.run("llvm.x86.tilerelease")
    code.give(status)
