"""Block-2D messages: one function per shape, which moves whole rows.

A block inside of the surface is read in place. At the edges its rows are first copied to the staging area, with zeros
for elements outside; the rest is the same.
"""

from __future__ import annotations

from runtime.llvm import IRFunction, IRModule, Value, constant, count_of, integer, vector, zero
from runtime.simulator.faults import FaultKind
from runtime.simulator.jit import routines
from runtime.simulator.jit.launch_records import Areas, Worker
from runtime.simulator.jit.messages.streaming import store_rows
from runtime.simulator.jit.routines import WORKER
from runtime.simulator.machine.block_2d import PAYLOAD_FIELDS, encoded_shape, surface_rules
from xegpu.isa.model import BlockShape, Message, block_bytes, ceil2, vnni_rows
from xegpu.records import dataclass
from xegpu.targets import Block2D, Target

_PARAMETERS = (
    "ptr %worker, ptr %site, i32 %index, ptr %data, "
    "i64 %base, i32 %width, i32 %height, i32 %pitch, i32 %x, i32 %y, i32 %shape"
)

_DATA, _SITE, _INDEX = Value("ptr", "%data"), Value("ptr", "%site"), Value("i32", "%index")


def transfer(
    module: IRModule, message: Message, block: BlockShape, target: Target, areas: Areas, *, store: bool
) -> str:
    """Returns the symbol of the function that loads a block to registers, or stores it from them.

    `i1 transfer(worker, site, index, data, payload...)` returns whether it succeeded; otherwise the fault is recorded.
    """
    limits = target.block2d
    if limits is None:
        raise ValueError(f"{target.name} has no block-2D messages")
    if store:
        kind = "stream" if message.cache.is_streaming else "store"
    else:
        kind = "vnni" if message.vnni else "transposed" if message.transposed else "load"
    size = message.data_size.memory_bytes
    name = f"block2d.{kind}.{8 * size}.{block.width}x{block.height}x{block.count}"

    def build(code: IRFunction) -> None:
        emitter = _Transfer(code, message, block, limits, target.grf_bytes, areas)
        emitter.emit_store() if store else emitter.emit_load()

    return module.function(name, "i1", _PARAMETERS, build)


@dataclass(frozen=True)
class _Rows:
    """Rows of bytes in memory, `pitch` bytes apart."""

    pointer: Value
    pitch: Value


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
    is_all: Value
    is_empty: Value


class _Transfer:
    """Emits the body of one function."""

    def __init__(self, code: IRFunction, message: Message, block: BlockShape, limits: Block2D, grf: int, areas: Areas):
        self._code = code
        self._message = message
        self._block = block
        self._limits = limits
        self._grf = grf
        self._areas = areas
        self._size = message.data_size.memory_bytes
        self._row_bytes = block.count * block.width * self._size

    # The two functions.

    def emit_load(self) -> None:
        code = self._code
        pitch = self._check_payload()
        part = self._inside(pitch)
        code.branch(part.is_all, "whole", "partly")
        code.label("whole")
        self._check_range(part, pitch)
        in_place = code.cast("inttoptr", part.address, "ptr")
        whole = code.block
        code.jump("move")
        code.label("partly")
        staging = code.offset(WORKER, self._areas.staging)
        code.clear(staging, self._row_bytes * self._block.height)
        code.branch(part.is_empty, "staged", "clip")
        code.label("clip")
        self._check_range(part, pitch)
        inner = code.offset(staging, self._behind_skipped(part, integer(self._row_bytes)))
        source = code.cast("inttoptr", part.address, "ptr")
        self._copy_rows(part, _Rows(source, pitch), _Rows(inner, integer(self._row_bytes)))
        code.jump("staged")
        code.label("staged")
        code.jump("move")
        code.label("move")
        pointer = code.phi((in_place, whole), (staging, "staged"))
        step = code.phi((pitch, whole), (integer(self._row_bytes), "staged"))
        self._to_registers(_Rows(pointer, step))
        code.give(constant("i1", "true"))

    def emit_store(self) -> None:
        code, block = self._code, self._block
        pitch = self._check_payload()
        part = self._inside(pitch)
        held = ceil2(block.width) * self._size
        code.branch(part.is_all, "whole", "partly")
        code.label("whole")
        self._check_range(part, pitch, write=True)
        row = code.cast("inttoptr", part.address, "ptr")
        rows = []
        for y in range(block.height):
            values = code.load(vector(self._row_bytes // 4, "i32"), code.offset(_DATA, y * held), self._size)
            rows.append((values, row))
            row = code.offset(row, pitch) if y + 1 < block.height else row
        store_rows(code, self._message, rows, self._alignment(), pitch)
        code.give(constant("i1", "true"))
        code.label("partly")
        code.branch(part.is_empty, "done", "clip")
        code.label("clip")
        self._check_range(part, pitch, write=True)
        source = code.offset(_DATA, self._behind_skipped(part, integer(held)))
        target = code.cast("inttoptr", part.address, "ptr")
        self._copy_rows(part, _Rows(source, integer(held)), _Rows(target, pitch))
        code.jump("done")
        code.label("done")
        code.give(constant("i1", "true"))

    # Checks.

    def _check_payload(self) -> Value:
        """Records a fault and returns if the payload breaks a rule. Returns the pitch, in bytes."""
        code = self._code
        width, height, pitch = self._sizes()
        start = code.binary("mul", Value("i32", "%x"), constant("i32", self._size))
        quantities = {
            "base": Value("i64", "%base"),
            "width": width,
            "height": height,
            "pitch": pitch,
            "start": code.cast("zext", start, "i64"),
        }
        shape = constant("i32", encoded_shape(self._block))
        broken = code.compare("icmp ne", Value("i32", "%shape"), shape)
        for rule in surface_rules(self._limits):
            value = quantities[rule.quantity]
            tests = []
            if rule.quantity == "base":
                self._check_base(value, rule.multiple)
            elif rule.multiple > 1:
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
        code.branch(broken, "bad", "fine", rare=True)
        code.label("bad")
        surface = code.offset(WORKER, Worker.surface.offset)
        for name, offset, size in PAYLOAD_FIELDS:
            code.store(Value(f"i{8 * size}", f"%{name}"), code.offset(surface, offset), 4)
        routines.record_fault(code, FaultKind.BAD_BLOCK, _INDEX)
        code.give(constant("i1", "false"))
        code.label("fine")
        return pitch

    def _check_base(self, base: Value, multiple: int) -> None:
        """Goes on if the base is aligned, or is so from the first byte of its allocation; else to `bad`.

        The allocation is most often the one that the message has found last.
        """
        code = self._code
        skewed, search, found, placed = (code.new_label(name) for name in ("skewed", "search", "found", "placed"))

        def is_multiple(value: Value) -> Value:
            return code.compare("icmp eq", code.binary("and", value, integer(multiple - 1)), integer(0))

        code.branch(is_multiple(base), placed, skewed)
        code.label(skewed)
        offset = code.binary("sub", base, code.load("i64", _SITE, 8))
        inside = code.compare("icmp ult", offset, code.load("i64", code.offset(_SITE, 8), 8))
        code.branch(code.binary("and", inside, is_multiple(offset)), placed, search)
        code.label(search)
        other = code.variable("[2 x i64]", "base_site", 8)  # a store's own site is of memory that it may write
        kind = code.call(routines.find(code.module), "i32", WORKER, base, integer(1), other, Value("i1", "false"))
        code.branch(code.compare("icmp eq", kind, constant("i32", 0)), found, "bad")
        code.label(found)
        code.branch(is_multiple(code.binary("sub", base, code.load("i64", other, 8))), placed, "bad")
        code.label(placed)

    def _sizes(self) -> tuple[Value, Value, Value]:
        """Returns width, height and pitch as i64; the payload has them less one."""
        code = self._code
        width, height, pitch = (
            code.binary("add", code.cast("zext", Value("i32", f"%{name}"), "i64"), integer(1))
            for name in ("width", "height", "pitch")
        )
        return width, height, pitch

    def _inside(self, pitch: Value) -> _Part:
        """Returns the part of the block inside of the surface, in whole elements."""
        code, block = self._code, self._block
        x = code.binary("mul", code.cast("sext", Value("i32", "%x"), "i64"), integer(self._size))
        y = code.cast("sext", Value("i32", "%y"), "i64")
        width, height, _ = self._sizes()
        usable = code.binary("and", width, integer(-self._size))

        def clip(first: Value, count: int, limit: Value) -> tuple[Value, Value]:
            low = code.call("llvm.smax.i64", "i64", first, integer(0))
            high = code.call("llvm.smin.i64", "i64", code.binary("add", first, integer(count)), limit)
            return low, code.binary("sub", high, low)

        left, size = clip(x, self._row_bytes, usable)
        top, rows = clip(y, block.height, height)
        offset = code.binary("add", code.binary("mul", top, pitch), left)
        nothing = code.binary(
            "or", code.compare("icmp slt", size, integer(1)), code.compare("icmp slt", rows, integer(1))
        )
        all_ = code.binary(
            "and",
            code.compare("icmp eq", size, integer(self._row_bytes)),
            code.compare("icmp eq", rows, integer(block.height)),
        )
        return _Part(
            code.binary("add", Value("i64", "%base"), offset),
            rows,
            size,
            code.binary("sub", top, y),
            code.binary("sub", left, x),
            all_,
            nothing,
        )

    def _check_range(self, part: _Part, pitch: Value, *, write: bool = False) -> None:
        """Records a fault and returns unless one allocation covers the part from its first to its last byte."""
        code = self._code
        before = code.binary("sub", part.rows, integer(1))
        extent = code.binary("add", code.binary("mul", before, pitch), part.bytes)
        start, length = code.load("i64", _SITE, 8), code.load("i64", code.offset(_SITE, 8), 8)
        offset = code.binary("sub", part.address, start)
        outside = code.compare("icmp uge", offset, routines.room(code, length, extent))
        search, covered, fault = (code.new_label(name) for name in ("search", "covered", "uncovered"))
        code.branch(outside, search, covered, rare=True)
        code.label(search)
        kind = code.call(
            routines.find(code.module), "i32", WORKER, part.address, extent, _SITE, Value("i1", str(write).lower())
        )
        code.branch(code.compare("icmp eq", kind, constant("i32", 0)), covered, fault)
        code.label(fault)
        routines.record_fault(code, kind, _INDEX, None, part.address, extent)
        code.give(constant("i1", "false"))
        code.label(covered)

    # Movement.

    def _alignment(self) -> int:
        return min(self._size, self._limits.row_bytes_multiple)

    def _behind_skipped(self, part: _Part, pitch: Value) -> Value:
        """Returns the offset of the part in a block whose rows are `pitch` bytes apart."""
        code = self._code
        return code.binary("add", code.binary("mul", part.skipped_rows, pitch), part.skipped_bytes)

    def _copy_rows(self, part: _Part, source: _Rows, target: _Rows) -> None:
        """Copies the part row by row."""
        code = self._code
        before = code.block
        loop, done = code.new_label("row"), code.new_label("rows_done")
        code.jump(loop)
        code.label(loop)
        following = [Value("i64", "%row.next"), Value("ptr", "%source.next"), Value("ptr", "%target.next")]
        first = [integer(0), source.pointer, target.pointer]
        row, from_, to = (code.phi((a, before), (b, loop)) for a, b in zip(first, following, strict=True))
        code.copy(to, from_, part.bytes)
        code.line(f"%row.next = add {row}, 1")
        code.line(f"%source.next = getelementptr i8, {from_}, {source.pitch}")
        code.line(f"%target.next = getelementptr i8, {to}, {target.pitch}")
        code.branch(code.compare("icmp ult", following[0], part.rows), loop, done)
        code.label(done)

    def _to_registers(self, rows: _Rows) -> None:
        """Loads the rows, arranges them as the message specifies and stores them to registers, padding included."""
        message, block = self._message, self._block
        element = f"i{8 * self._size}"
        lines = [self._row(rows, y, element) for y in range(block.height)]
        for number in range(block.count):
            picks = range(number * block.width, (number + 1) * block.width)
            parts = [self._padded(line, list(picks)) for line in lines]
            if message.vnni:
                parts = self._interleaved(parts)
            elif message.transposed:
                parts = self._transposed(parts)
            self._store_block(parts, number * block_bytes(message, self._grf), element)

    def _row(self, rows: _Rows, y: int, element: str) -> Value:
        code = self._code
        offset = code.binary("mul", rows.pitch, integer(y)) if y else integer(0)
        pointer = code.offset(rows.pointer, offset) if y else rows.pointer
        return code.load(vector(self._row_bytes // self._size, element), pointer, self._alignment())

    def _padded(self, line: Value, picks: list[int]) -> Value:
        """Returns some elements of a row, padded with zeros to a power of two."""
        padding = ceil2(len(picks)) - len(picks)
        if not padding and len(picks) == count_of(line.type):
            return line
        zeros = zero(line.type)
        return self._code.shuffle(line, zeros, picks + [count_of(line.type)] * padding)

    def _interleaved(self, parts: list[Value]) -> list[Value]:
        """Interleaves the rows that share dwords (VNNI)."""
        rows = vnni_rows(self._size)
        width = count_of(parts[0].type)
        packed = []
        for first in range(0, len(parts), rows):
            group = parts[first : first + rows]
            while len(group) > 1:
                group = [self._code.concatenate(a, b) for a, b in zip(group[::2], group[1::2], strict=True)]
            picks = [row * width + column for column in range(width) for row in range(rows)]
            packed.append(self._code.shuffle(group[0], None, picks))
        return packed

    def _transposed(self, parts: list[Value]) -> list[Value]:
        """Transposes: one perfect shuffle of the whole block for each bit of the number of rows."""
        code = self._code
        height = ceil2(len(parts))
        parts = parts + [zero(parts[0].type)] * (height - len(parts))
        while len(parts) > 1 and count_of(parts[0].type) < self._grf // self._size:
            parts = [code.concatenate(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        size = count_of(parts[0].type)
        for _ in range(height.bit_length() - 1):
            half = len(parts) // 2
            if not half:
                picks = [i // 2 + size // 2 * (i % 2) for i in range(size)]
                parts = [code.shuffle(parts[0], None, picks)]
                continue
            mixed = [i // 2 + size * (i % 2) for i in range(2 * size)]
            parts = [
                code.shuffle(a, b, picks)
                for a, b in zip(parts[:half], parts[half:], strict=True)
                for picks in (mixed[:size], mixed[size:])
            ]
        # Columns after the block's width are padding without registers.
        return self._first(parts, self._block.width * height)

    def _first(self, parts: list[Value], count: int) -> list[Value]:
        """Returns the first `count` elements of a sequence of vectors."""
        kept = []
        for part in parts:
            size = min(count_of(part.type), count)
            if size > 0:
                kept.append(part if size == count_of(part.type) else self._code.shuffle(part, None, range(size)))
            count -= size
        return kept

    def _store_block(self, parts: list[Value], offset: int, element: str) -> None:
        """Stores vectors one after the other, and zeros to the end of the block's last register."""
        code, position = self._code, 0
        for part in parts:
            code.store(part, code.offset(_DATA, offset + position), self._size)
            position += count_of(part.type) * self._size
        rest = block_bytes(self._message, self._grf) - position
        if rest:
            code.store(zero(vector(rest // self._size, element)), code.offset(_DATA, offset + position), self._size)
