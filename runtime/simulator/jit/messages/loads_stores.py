"""Loads and stores of lanes (gathers and scatters) and of one block (transposed messages)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.llvm import (
    IRBlock,
    IRFunction,
    Value,
    constant,
    count_of,
    element_of,
    integer,
    lanes,
    literals,
    mangled,
    splat,
    vector,
    zero,
)
from runtime.simulator.jit.messages.atomics import atomic
from runtime.simulator.jit.messages.streaming import LINE, store_rows
from runtime.simulator.jit.state import routines
from runtime.simulator.jit.state.channels import Channels
from runtime.simulator.jit.state.launch_records import Areas, LaunchRecord, Worker
from runtime.simulator.jit.state.registers import Registers
from runtime.simulator.jit.state.routines import WORKER, load_field
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.overhang import may_overhang
from xegpu.isa import IllegalInstruction, Instruction, OpSpec
from xegpu.isa.formats import byte_of, data_spans, payload_spans
from xegpu.isa.model import AddressModel, MemoryAccessKind, Message, Unit
from xegpu.targets import Target

_LINES_AHEAD = 4
"""Lines between a row that a message loads from global memory and the one that it prefetches.

Threads mostly load rows that follow each other, each thread one of several such sequences. The host's own prefetching
finds these late, as the sequences take turns and are short.
"""

_LARGEST_GAP = 1 << 48
"""Gaps up to this size cannot wrap around the address space, whatever the number of lanes."""


@dataclass(frozen=True)
class _Space:
    """The range that addresses are checked against, `length` bytes from `start` on.

    `room` accesses of the message can start there, one byte after the other. `base` is added to addresses (None:
    nothing); `limit` is the last argument of the check's slow path, and `outside` the fault of memory that is addressed
    from 0.
    """

    site: Value
    start: Value
    length: Value
    room: Value
    base: Value | None
    limit: Value
    outside: FaultKind | None = None

    def pointer(self, code: IRFunction, addresses: Value) -> Value:
        """Returns addresses as pointers."""
        if self.base is None:
            type = addresses.type.replace("i64", "ptr")
            return code.cast("inttoptr", addresses, type)
        return code.value(addresses.type.replace("i64", "ptr"), f"getelementptr i8, {self.base}, {addresses}")


class Messages:
    """Emits messages of lanes and blocks in one function. Faults leave for the block `fault`."""

    def __init__(
        self,
        code: IRFunction,
        registers: Registers,
        channels: Channels,
        target: Target,
        areas: Areas,
        scratch_size: int,
        fault: IRBlock,
    ):
        self._code = code
        self._registers = registers
        self._channels = channels
        self._target = target
        self._areas = areas
        self._scratch_size = scratch_size
        self._fault = fault

    def emit(self, instruction: Instruction, index: int, site: int) -> None:
        """Emits a load or store with its checks; `index` is the number of the instruction, `site` of its site."""
        message = instruction.message
        if message is None or instruction.address is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: no message fields")
        count = 1 if message.transposed else instruction.exec_size
        mask = self._channels.enabled(instruction, count)
        space = self._space(message, instruction.spec, site)
        if instruction.spec.access is MemoryAccessKind.ATOMIC:
            self._atomic(instruction, message, index, space, mask)
        elif count == 1:
            self._one(instruction, message, index, space, mask)
        else:
            self._many(instruction, message, index, space, mask)

    def _space(self, message: Message, spec: OpSpec, number: int) -> _Space:
        code, size = self._code, message.vector * message.data_size.memory_bytes
        if message.model is AddressModel.SCRATCH:
            room = integer(max(self._scratch_size - size + 1, 0))
            scratch = load_field(code, WORKER, Worker, "scratch")
            length = integer(self._scratch_size)
            return _Space(WORKER, integer(0), length, room, scratch, room, FaultKind.SCRATCH_OVERFLOW)
        if message.unit is Unit.SLM:
            launch = load_field(code, WORKER, Worker, "launch")
            length = load_field(code, launch, LaunchRecord, "slm_size")
            room = routines.room(code, length, integer(size))
            slm = load_field(code, WORKER, Worker, "slm")
            return _Space(WORKER, integer(0), length, room, slm, room, FaultKind.SLM_OVERFLOW)
        site = code.offset(WORKER, self._areas.sites + 16 * number)
        length = code.load("i64", code.offset(site, 8), 8)
        room = routines.room(code, length, integer(size))
        flags = routines.WRITES * spec.writes | routines.MAY_OVERHANG * may_overhang(spec, size)
        return _Space(site, code.load("i64", site, 8), length, room, None, integer(flags))

    def _addresses(self, instruction: Instruction, message: Message, count: int) -> Value:
        """Returns the payload's addresses, zero-extended, plus the message's offset; modulo 2^64."""
        wide = self._code.cast("zext", self._payload(instruction, message, count), lanes(count, "i64"))
        return self._moved(wide, message.offset)

    def _payload(self, instruction: Instruction, message: Message, count: int) -> Value:
        if instruction.address is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: no address register")
        start = byte_of(instruction.address, self._target)
        return self._registers.read(start, count, 8 * message.address_size.size)

    def _places(self, instruction: Instruction, message: Message, count: int) -> Value:
        """Returns numbers whose differences are those of the addresses, if these are near each other and valid.

        They are the same for all messages with a payload, whatever their offsets, so that LLVM compares them once.
        """
        payload = self._payload(instruction, message, count)
        if message.unit is Unit.SLM and message.model is not AddressModel.SCRATCH:
            return payload  # shared local memory ends far below the addresses where they wrap
        return self._code.cast("zext", payload, lanes(count, "i64"))

    def _check(
        self, instruction: Instruction, message: Message, index: int, space: _Space, addresses: Value, mask: Value
    ) -> None:
        """Branches to the fault unless the accesses of all enabled lanes are aligned and inside of an allocation."""
        code, count = self._code, instruction.exec_size
        size, alignment = message.data_size.memory_bytes, message.alignment
        if count == 1:
            start, room = space.start, space.room
        else:
            start, room = code.broadcast(space.start, count), code.broadcast(space.room, count)
        bad = code.compare("icmp uge", code.binary("sub", addresses, start), room)
        if alignment > 1:
            low = code.binary("and", addresses, splat(count, "i64", alignment - 1))
            bad = code.binary("or", bad, code.compare("icmp ne", low, splat(count, "i64", 0)))
        with code.if_(code.any(code.binary("and", bad, mask)), rare=True):
            bits = code.cast("zext", code.bits(mask), "i32")
            well = code.call(
                routines.check_lanes(code.module, count, space.outside),
                "i1",
                WORKER,
                space.site,
                constant("i32", index),
                constant("i32", -1 if message.transposed else instruction.channel_offset),
                code.cast("bitcast", addresses, vector(count, "i64")),
                bits,
                integer(message.vector * size),
                integer(alignment - 1),
                space.limit,
            )
            code.jump_unless(well, self._fault)

    # One lane: its elements are adjacent in memory.

    def _one(self, instruction: Instruction, message: Message, index: int, space: _Space, mask: Value | None) -> None:
        code = self._code
        sent = code.block("sent")
        if mask is not None:
            code.jump_unless(mask, sent)
        address = self._addresses(instruction, message, 1)
        self._check(instruction, message, index, space, address, constant("i1", "true"))
        pointer = space.pointer(code, address)
        size = message.data_size.memory_bytes
        spans = data_spans(instruction, message, self._target)
        # Chunks of a register keep the vectors at a size that the CPU has.
        step = self._target.platform.grf_bytes if message.transposed else size
        if message.transposed:
            positions = [(spans[0].start + first, first) for first in range(0, spans[0].size, step)]
        else:
            positions = [(span.start, element * size) for element, span in enumerate(spans)]
        rows = []
        for start, offset in positions:
            count = min(step, message.vector * size - offset) // size
            at = code.offset(pointer, offset)
            if instruction.spec.access is MemoryAccessKind.LOAD:
                loaded = code.load(lanes(count, f"i{8 * size}"), at, message.alignment)
                self._registers.write(start, self._extended(loaded, message, count))
            else:
                held = self._registers.read(start, count, 8 * message.data_size.register_bytes)
                rows.append((self._cut(held, message, count), at))
        if rows:
            store_rows(code, message, rows, message.alignment)
        if mask is not None:
            code.begin(sent)

    def _extended(self, loaded: Value, message: Message, count: int) -> Value:
        """Extends elements from memory to their size in a register, with zeros."""
        return self._code.cast("zext", loaded, lanes(count, f"i{8 * message.data_size.register_bytes}"))

    def _cut(self, held: Value, message: Message, count: int) -> Value:
        """Truncates elements of a register to their size in memory."""
        return self._code.cast("trunc", held, lanes(count, f"i{8 * message.data_size.memory_bytes}"))

    # Atomics.

    def _atomic(
        self, instruction: Instruction, message: Message, index: int, space: _Space, mask: Value | None
    ) -> None:
        code, count, size = self._code, instruction.exec_size, message.data_size
        addresses = self._addresses(instruction, message, count)
        enabled = mask or literals("i1", ["true"] * count)
        if count == 1:
            self._check_one(instruction, message, index, space, addresses, enabled)
        else:
            self._check(instruction, message, index, space, addresses, enabled)
        type = vector(count, f"i{8 * size.memory_bytes}")
        data = payload_spans(instruction, message, instruction.data, self._target)
        held = [self._registers.read(span.start, count, 8 * size.register_bytes) for span in data]
        operands = [code.cast("bitcast", self._cut(values, message, count), type) for values in held]
        operands += [zero(type)] * (2 - len(operands))
        found = code.call(
            atomic(code.module, instruction.spec, size.memory_bytes, count, is_global=space.outside is None),
            type,
            WORKER,
            space.site,
            space.base or Value("ptr", "null"),
            code.cast("bitcast", addresses, vector(count, "i64")),
            code.cast("zext", code.bits(enabled), "i32"),
            *operands,
        )
        found = code.cast("bitcast", found, lanes(count, f"i{8 * size.memory_bytes}"))
        for span in payload_spans(instruction, message, instruction.returned, self._target):
            values = self._extended(found, message, count)
            if mask is not None:
                values = code.select(mask, values, self._registers.read(span.start, count, 8 * size.register_bytes))
            self._registers.write(span.start, values)

    def _check_one(
        self, instruction: Instruction, message: Message, index: int, space: _Space, address: Value, mask: Value
    ) -> None:
        """Emits the check of one lane, if it is enabled."""
        with self._code.if_(mask):
            self._check(instruction, message, index, space, address, constant("i1", "true"))

    # Many lanes.

    def _many(self, instruction: Instruction, message: Message, index: int, space: _Space, mask: Value | None) -> None:
        code, count, bits = self._code, instruction.exec_size, 8 * message.data_size.register_bytes
        addresses = self._addresses(instruction, message, count)
        enabled = mask or literals("i1", ["true"] * count)
        spans = data_spans(instruction, message, self._target)
        done = code.block("sent")
        if instruction.spec.access is MemoryAccessKind.STORE:
            held = [self._registers.read(span.start, count, bits) for span in spans]
            data = [self._cut(values, message, count) for values in held]
            if message.vector == 1:
                places = self._places(instruction, message, count)
                self._store_row(message, space, addresses, places, enabled, data[0], done)
            self._check(instruction, message, index, space, addresses, enabled)
            self._scatter(message, space, addresses, enabled, data)
            code.begin(done)
            return
        near: list[tuple[Value, IRBlock]] = []
        if message.vector == 1:
            places = self._places(instruction, message, count)
            near = self._load_near(message, space, addresses, places, enabled, done)
        self._check(instruction, message, index, space, addresses, enabled)
        gathered, general = self._gather(message, space, addresses, enabled), code.current
        code.begin(done)
        found = [code.phi(*near, (gathered[0], general))] if near else gathered
        for span, loaded in zip(spans, found, strict=True):
            values = self._extended(loaded, message, count)
            if mask is not None:
                values = self._code.select(mask, values, self._registers.read(span.start, count, bits))
            self._registers.write(span.start, values)

    # Lanes that access a row of elements, or one element, take a check of one address. It may fail for lanes that are
    # disabled, or at the first access to an allocation: the code after it then checks lane by lane.

    def _load_near(
        self, message: Message, space: _Space, addresses: Value, places: Value, mask: Value, done: IRBlock
    ) -> list[tuple[Value, IRBlock]]:
        """Loads a row or one element and goes to `done`, else goes on. Returns the values, and where they come from."""
        code, size, count = self._code, message.data_size.memory_bytes, count_of(mask.type)
        type = vector(count, f"i{8 * size}")
        general = code.block("general")
        first = code.extract(addresses, 0)
        where = _aligned(space.pointer(code, first), message.alignment)
        with code.if_(self._are_consecutive(places, size)):
            code.jump_unless(self._is_inside(space, first, size, count), general)
            if space.base is None and count * size == LINE:
                ahead = code.offset(space.pointer(code, first), _LINES_AHEAD * LINE)
                code.run("llvm.prefetch.p0", ahead, constant("i32", 0), constant("i32", 3), constant("i32", 1))
            row = code.call(mangled("masked.load", type, "ptr"), type, where, mask, zero(type)), code.current
            code.jump(done)
        apart = code.any(code.compare("icmp ne", places, code.broadcast(code.extract(places, 0), count)))
        code.jump_if(apart, general)
        code.jump_unless(self._is_inside(space, first, size, 1), general)
        element = code.load(f"i{8 * size}", space.pointer(code, first), size)
        same = code.broadcast(element, count), code.current
        code.jump(done)
        code.begin(general)
        return [row, same]

    def _store_row(
        self,
        message: Message,
        space: _Space,
        addresses: Value,
        places: Value,
        mask: Value,
        values: Value,
        done: IRBlock,
    ) -> None:
        """Stores a row and goes to `done`, else goes on."""
        code, size, count = self._code, message.data_size.memory_bytes, count_of(mask.type)
        general = code.block("general")
        first = code.extract(addresses, 0)
        code.jump_unless(self._are_consecutive(places, size), general)
        code.jump_unless(self._is_inside(space, first, size, count), general)
        where = _aligned(space.pointer(code, first), message.alignment)
        code.run(mangled("masked.store", values.type, "ptr"), values, where, mask)
        code.jump(done)
        code.begin(general)

    def _is_inside(self, space: _Space, address: Value, size: int, count: int) -> Value:
        """Returns whether `count` elements at an address are aligned and inside of the space."""
        code = self._code
        room = routines.room(code, space.length, integer(count * size))
        inside = code.compare("icmp ult", code.binary("sub", address, space.start), room)
        if size == 1:
            return inside
        low = code.compare("icmp eq", code.binary("and", address, integer(size - 1)), integer(0))
        return code.binary("and", inside, low)

    def _gather(self, message: Message, space: _Space, addresses: Value, mask: Value) -> list[Value]:
        """Returns the elements of the enabled lanes, zeros for the others; one vector per element."""
        code, size = self._code, message.data_size.memory_bytes
        count = count_of(mask.type)
        type, pointers = vector(count, f"i{8 * size}"), vector(count, "ptr")

        def gathered(element: int) -> Value:
            where = _aligned(space.pointer(code, self._moved(addresses, element * size)), message.alignment)
            return code.call(mangled("masked.gather", type, pointers), type, where, mask, zero(type))

        return [gathered(element) for element in range(message.vector)]

    def _scatter(self, message: Message, space: _Space, addresses: Value, mask: Value, data: Sequence[Value]) -> None:
        """Stores the elements of the enabled lanes; where lanes overlap, the highest one wins."""
        code, size = self._code, message.data_size.memory_bytes
        count, type = count_of(mask.type), data[0].type
        done = code.block("scattered")
        if message.vector > 1:
            # Adjacent lanes that do not overlap may be stored element by element.
            following = code.shuffle(addresses, None, [*range(1, count), None])
            gaps = code.binary("sub", following, addresses)
            beyond = code.binary("sub", gaps, splat(count, "i64", message.vector * size))
            close = code.compare("icmp ugt", beyond, splat(count, "i64", _LARGEST_GAP))
            between = literals("i1", ["true"] * (count - 1) + ["false"])
            with code.if_(code.any(code.binary("and", close, between))):
                self._store_lanes(message, space, addresses, mask, data)
                code.jump(done)
        pointers = vector(count, "ptr")
        for element, values in enumerate(data):
            where = space.pointer(code, self._moved(addresses, element * size))
            code.run(mangled("masked.scatter", type, pointers), values, _aligned(where, message.alignment), mask)
        code.begin(done)

    def _store_lanes(
        self, message: Message, space: _Space, addresses: Value, mask: Value, data: Sequence[Value]
    ) -> None:
        """Stores all elements of a lane before those of the next one."""
        code, size = self._code, message.data_size.memory_bytes
        for lane in range(count_of(mask.type)):
            with code.if_(code.extract(mask, lane)):
                pointer = space.pointer(code, code.extract(addresses, lane))
                for element, values in enumerate(data):
                    code.store(code.extract(values, lane), code.offset(pointer, element * size), message.alignment)

    def _moved(self, addresses: Value, offset: int) -> Value:
        count = count_of(addresses.type)
        return self._code.binary("add", addresses, splat(count, "i64", offset)) if offset else addresses

    def _are_consecutive(self, places: Value, size: int) -> Value:
        """Returns whether each lane's element follows that of the previous lane in memory."""
        code = self._code
        count, type = count_of(places.type), element_of(places.type)
        steps = literals(type, [lane * size for lane in range(count)])
        wanted = code.binary("add", code.broadcast(code.extract(places, 0), count), steps)
        apart = code.any(code.compare("icmp ne", places, wanted))
        return code.binary("xor", apart, constant("i1", "true"))


def _aligned(pointers: Value, alignment: int) -> Value:
    return Value(pointers.type, f"align {alignment} {pointers.name}")
