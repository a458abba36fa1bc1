"""Block-2D messages.

A block inside of its surface is moved in place, by code that is part of the thread if its data is in variables, else by
a function per shape. All others are left to a second function: at the edges of a surface, rows go through the staging
area, which has zeros for elements outside. It also finds allocations, and reports what breaks a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runtime.llvm import IRBlock, IRFunction, Value, constant, integer
from runtime.simulator.jit.messages.block_data import BlockData, BlockMover, DataAtAddress, DataInRegisters, Rows
from runtime.simulator.jit.state import routines
from runtime.simulator.jit.state.channels import Channels
from runtime.simulator.jit.state.launch_records import Areas, Worker
from runtime.simulator.jit.state.registers import Registers
from runtime.simulator.jit.state.routines import WORKER
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.block_2d import PAYLOAD_FIELDS, encoded_shape, surface_rules
from xegpu.isa import IllegalInstruction, Instruction
from xegpu.isa.formats import Span, byte_of, data_spans
from xegpu.isa.model import BlockShape, MemoryAccessKind, Message, ceil2
from xegpu.targets import Block2D, Target

_PAYLOAD = {name: Value(f"i{8 * size}", f"%{name}") for name, _, size in PAYLOAD_FIELDS}
"""The payload as parameters of a function."""

_DATA, _SITE, _INDEX = Value("ptr", "%data"), Value("ptr", "%site"), Value("i32", "%index")

_PARAMETERS = ", ".join(map(str, (WORKER, _SITE, _INDEX, _DATA, *_PAYLOAD.values())))


class BlockMessages:
    """Emits block-2D messages in one function. Faults leave for the block `fault`."""

    def __init__(
        self, code: IRFunction, registers: Registers, channels: Channels, target: Target, areas: Areas, fault: IRBlock
    ):
        self._code = code
        self._registers = registers
        self._channels = channels
        self._target = target
        self._areas = areas
        self._fault = fault

    def emit(self, instruction: Instruction, index: int, number: int) -> None:
        """Emits a load or store with its checks; `index` is the number of the instruction, `number` of its site."""
        code, message, address = self._code, instruction.message, instruction.address
        if message is None or message.block is None or address is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: no message fields")
        sent = code.block("sent")
        mask = self._channels.enabled(instruction, 1)
        if mask is not None:
            code.jump_unless(mask, sent)
        start = byte_of(address, self._target)
        payload = {name: self._registers.read(start + at, 1, 8 * size) for name, at, size in PAYLOAD_FIELDS}
        site = code.offset(WORKER, self._areas.sites + 16 * number)
        is_store = instruction.spec.access is MemoryAccessKind.STORE
        shape = _Shape(message, message.block, self._target, self._areas, is_store)
        span = data_spans(instruction, message, self._target)[0]
        data = self._registers.address(span.start)
        arguments = (WORKER, site, constant("i32", index), data, *payload.values())
        if self._registers.are_in_memory(span):
            well = code.call(shape.transfer(code), "i1", *arguments)
        else:
            well = self._transfer(shape, span, site, payload, arguments)
        code.branch(well, sent, self._fault)
        code.begin(sent)

    def _transfer(
        self, shape: _Shape, span: Span, site: Value, payload: Mapping[str, Value], arguments: tuple[Value, ...]
    ) -> Value:
        """Moves a block in place, or through the file. Returns whether it succeeded."""
        code, registers = self._code, self._registers
        elsewhere, moved = code.block("elsewhere"), code.block("moved")
        _Transfer(code, shape, site, payload).move_inside(DataInRegisters(registers, span.start), elsewhere)
        inside = code.current
        code.jump(moved)
        code.begin(elsewhere)
        if shape.is_store:
            registers.to_file(span)
        well = code.call(shape.anywhere(code), "i1", *arguments)
        if not shape.is_store:
            registers.from_file(span)
        code.begin(moved)
        return code.phi((constant("i1", "true"), inside), (well, elsewhere))


@dataclass(frozen=True)
class _Shape:
    """The messages that one function serves.

    `i1 function(worker, site, index, data, payload...)` loads a block to registers that are in memory, or stores it
    from them. It returns whether it succeeded; otherwise the fault is recorded.
    """

    message: Message
    block: BlockShape
    target: Target
    areas: Areas
    is_store: bool

    @property
    def limits(self) -> Block2D:
        limits = self.target.platform.block2d
        if limits is None:
            raise IllegalInstruction(f"{self.target.name} has no block-2D messages")
        return limits

    @property
    def _name(self) -> str:
        message, block = self.message, self.block
        if self.is_store:
            kind = "stream" if message.cache.is_streaming else "store"
        else:
            kind = "vnni" if message.vnni else "transposed" if message.transposed else "load"
        return f"block2d.{kind}.{8 * message.data_size.memory_bytes}.{block.width}x{block.height}x{block.count}"

    def transfer(self, code: IRFunction) -> str:
        """Returns the symbol of the function that moves any block, those inside of the surface in place."""
        return code.module.function(self._name, "i1", _PARAMETERS, self._build_transfer)

    def anywhere(self, code: IRFunction) -> str:
        """Returns the symbol of the function that moves any block, through the staging area."""
        name = f"{self._name}.anywhere"
        return code.module.function(name, "i1", _PARAMETERS, self._build_anywhere, inline=False)

    def _build_transfer(self, code: IRFunction) -> None:
        data = DataAtAddress(code, _DATA, self.message.data_size.memory_bytes)
        elsewhere = code.block("elsewhere")
        _Transfer(code, self, _SITE, _PAYLOAD).move_inside(data, elsewhere)
        code.give(constant("i1", "true"))
        code.begin(elsewhere)
        code.give(code.call(self.anywhere(code), "i1", WORKER, _SITE, _INDEX, _DATA, *_PAYLOAD.values()))

    def _build_anywhere(self, code: IRFunction) -> None:
        _Transfer(code, self, _SITE, _PAYLOAD).move_anywhere()


@dataclass(frozen=True)
class _Part:
    """The part of a block inside of the surface: address of its first byte, rows and bytes, and rows and bytes that
    precede it in the block. All are i64.
    """

    address: Value
    rows: Value
    bytes: Value
    skipped_rows: Value
    skipped_bytes: Value
    is_empty: Value


class _Transfer:
    """Emits the transfer of a block, given its payload and the message's site."""

    def __init__(self, code: IRFunction, shape: _Shape, site: Value, payload: Mapping[str, Value]):
        message, limits, grf = shape.message, shape.limits, shape.target.platform.grf_bytes
        self._code = code
        self._shape = shape
        self._site = site
        self._payload = payload
        self._block = shape.block
        self._limits = limits
        self._size = message.data_size.memory_bytes
        self._mover = BlockMover(code, message, shape.block, grf, limits.row_bytes_multiple)
        self._base = payload["base"]
        # The payload has these sizes less one.
        self._width, self._height, self._pitch = (
            code.binary("add", code.cast("zext", payload[name], "i64"), integer(1))
            for name in ("width", "height", "pitch")
        )

    def move_inside(self, data: BlockData, other: IRBlock) -> None:
        """Moves a block of which all checks are short, else goes to `other`.

        Its payload keeps the rules, it is inside of its surface, and the message's site covers it.
        """
        code, block, row_bytes = self._code, self._block, self._mover.row_bytes
        code.jump_if(self._breaks_rules(), other, rare=True)
        self._check_base(other, search=False)
        # As numbers without sign, negative coordinates are larger than any surface.
        x, y = (code.cast("zext", self._payload[name], "i64") for name in ("x", "y"))
        left = code.binary("mul", x, integer(self._size))
        right = code.binary("add", left, integer(row_bytes))
        code.jump_if(code.compare("icmp ugt", right, self._usable), other, rare=True)
        bottom = code.binary("add", y, integer(block.height))
        code.jump_if(code.compare("icmp ugt", bottom, self._height), other, rare=True)
        offset = code.binary("add", code.binary("mul", y, self._pitch), left)
        address = code.binary("add", self._base, offset)
        before = code.binary("mul", self._pitch, integer(block.height - 1))
        extent = code.binary("add", before, integer(row_bytes))
        code.jump_if(self._is_uncovered(address, extent), other, rare=True)
        rows = Rows(code.cast("inttoptr", address, "ptr"), self._pitch)
        if self._shape.is_store:
            self._mover.store(data, rows)
        else:
            self._mover.load(rows, data)

    def move_anywhere(self) -> None:
        """Emits a function that moves any block, or records what is wrong."""
        code, block, is_store = self._code, self._block, self._shape.is_store
        self._check_payload()
        part = self._inside()
        row_bytes = ceil2(block.width) * self._size if is_store else self._mover.row_bytes
        held = _DATA if is_store else code.offset(WORKER, self._shape.areas.staging)
        if not is_store:
            code.clear(held, row_bytes * block.height)
        done = code.block("done")
        code.jump_if(part.is_empty, done)
        before = code.binary("mul", code.binary("sub", part.rows, integer(1)), self._pitch)
        self._find(part.address, code.binary("add", before, part.bytes))
        skipped = code.binary("add", code.binary("mul", part.skipped_rows, integer(row_bytes)), part.skipped_bytes)
        inner = Rows(code.offset(held, skipped), integer(row_bytes))
        outer = Rows(code.cast("inttoptr", part.address, "ptr"), self._pitch)
        self._copy_rows(part, *((inner, outer) if is_store else (outer, inner)))
        code.begin(done)
        if not is_store:
            data = DataAtAddress(code, _DATA, self._size)
            self._mover.load(Rows(held, integer(row_bytes)), data)
        code.give(constant("i1", "true"))

    # Checks.

    def _check_payload(self) -> None:
        """Records a fault and returns if the payload breaks a rule."""
        code = self._code
        bad, fine = code.block("bad"), code.block("fine")
        code.jump_if(self._breaks_rules(), bad, rare=True)
        self._check_base(bad, search=True)
        code.jump(fine)
        code.begin(bad)
        surface = code.offset(WORKER, Worker.surface.offset)
        for name, offset, _ in PAYLOAD_FIELDS:
            code.store(self._payload[name], code.offset(surface, offset), 4)
        routines.record_fault(code, FaultKind.BAD_BLOCK, _INDEX)
        code.give(constant("i1", "false"))
        code.begin(fine)

    def _breaks_rules(self) -> Value:
        """Returns whether the payload breaks a rule, but for that of its base."""
        code = self._code
        start = code.binary("mul", self._payload["x"], constant("i32", self._size))
        quantities = {
            "width": self._width,
            "height": self._height,
            "pitch": self._pitch,
            "start": code.cast("zext", start, "i64"),
        }
        shape = constant("i32", encoded_shape(self._block))
        broken = code.compare("icmp ne", self._payload["shape"], shape)
        for rule in surface_rules(self._limits):
            if rule.quantity == "base":
                continue
            value = quantities[rule.quantity]
            tests = []
            if rule.multiple > 1:
                low_bits = code.binary("and", value, integer(rule.multiple - 1))
                tests.append(code.compare("icmp ne", low_bits, integer(0)))
            if rule.high is not None:
                # One comparison for both bounds: numbers below `low` wrap around to large ones.
                above_low = code.binary("sub", value, integer(rule.low))
                tests.append(code.compare("icmp ugt", above_low, integer(rule.high - rule.low)))
            if rule.at_least is not None:
                tests.append(code.compare("icmp ult", value, quantities[rule.at_least]))
            for test in tests:
                broken = code.binary("or", broken, test)
        return broken

    def _check_base(self, bad: IRBlock, *, search: bool) -> None:
        """Goes on if the base is aligned, or is so from the first byte of its allocation; else to `bad`.

        The allocation is most often the one that the message has found last. Others are found only by `search`.
        """
        code, base, multiple = self._code, self._base, self._limits.base_alignment
        placed, elsewhere = code.block("placed"), code.block("search")

        def is_multiple(value: Value) -> Value:
            return code.compare("icmp eq", code.binary("and", value, integer(multiple - 1)), integer(0))

        code.jump_if(is_multiple(base), placed)
        offset = code.binary("sub", base, code.load("i64", self._site, 8))
        inside = code.compare("icmp ult", offset, code.load("i64", code.offset(self._site, 8), 8))
        code.branch(code.binary("and", inside, is_multiple(offset)), placed, elsewhere if search else bad)
        if search:
            code.begin(elsewhere)
            other = code.variable("[2 x i64]", "base_site", 8)  # a store's own site is of memory that it may write
            kind = code.call(routines.find(code.module), "i32", WORKER, base, integer(1), other, Value("i1", "false"))
            code.jump_unless(code.compare("icmp eq", kind, constant("i32", 0)), bad)
            code.branch(is_multiple(code.binary("sub", base, code.load("i64", other, 8))), placed, bad)
        code.begin(placed)

    @property
    def _usable(self) -> Value:
        """The bytes of a row of the surface that are whole elements."""
        return self._code.binary("and", self._width, integer(-self._size))

    def _inside(self) -> _Part:
        """Returns the part of the block inside of the surface, in whole elements."""
        code, block = self._code, self._block
        x = code.binary("mul", code.cast("sext", self._payload["x"], "i64"), integer(self._size))
        y = code.cast("sext", self._payload["y"], "i64")

        def clip(first: Value, count: int, limit: Value) -> tuple[Value, Value]:
            low = code.call("llvm.smax.i64", "i64", first, integer(0))
            high = code.call("llvm.smin.i64", "i64", code.binary("add", first, integer(count)), limit)
            return low, code.binary("sub", high, low)

        left, size = clip(x, self._mover.row_bytes, self._usable)
        top, rows = clip(y, block.height, self._height)
        offset = code.binary("add", code.binary("mul", top, self._pitch), left)
        nothing = code.binary(
            "or", code.compare("icmp slt", size, integer(1)), code.compare("icmp slt", rows, integer(1))
        )
        return _Part(
            code.binary("add", self._base, offset),
            rows,
            size,
            code.binary("sub", top, y),
            code.binary("sub", left, x),
            nothing,
        )

    def _is_uncovered(self, address: Value, extent: Value) -> Value:
        """Returns whether some of the `extent` bytes at an address are outside of the site's allocation."""
        code = self._code
        start, length = code.load("i64", self._site, 8), code.load("i64", code.offset(self._site, 8), 8)
        return code.compare("icmp uge", code.binary("sub", address, start), routines.room(code, length, extent))

    def _find(self, address: Value, extent: Value) -> None:
        """Finds the allocation that covers `extent` bytes; records a fault and returns if there is none."""
        code = self._code
        with code.if_(self._is_uncovered(address, extent)):
            write = Value("i1", str(self._shape.is_store).lower())
            kind = code.call(routines.find(code.module), "i32", WORKER, address, extent, self._site, write)
            with code.if_(code.compare("icmp ne", kind, constant("i32", 0))):
                routines.record_fault(code, kind, _INDEX, None, address, extent)
                code.give(constant("i1", "false"))

    def _copy_rows(self, part: _Part, source: Rows, target: Rows) -> None:
        """Copies the part row by row."""
        code = self._code
        with code.loop(integer(0), source.pointer, target.pointer) as rows:
            row, from_, to = rows.values
            code.copy(to, from_, part.bytes)
            following = code.binary("add", row, integer(1))
            from_, to = code.offset(from_, source.pitch), code.offset(to, target.pitch)
            rows.repeat_if(code.compare("icmp ult", following, part.rows), following, from_, to)
