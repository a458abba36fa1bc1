"""Emits `xe` instructions: splits work into legal execution sizes and keeps operands legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import LocationAttr, UnknownLoc
from xdsl.ir import Block, Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import BOOLEAN
from xegpu.diagnostics import CompileError
from xegpu.dialects.xe import GRFType, LookupOp, MessageAttr, Read, UndefOp, Write, alu_op, message_op, register_type
from xegpu.isa.model import (
    ADDRESS_WORDS,
    CONTIGUOUS,
    SCALAR,
    Condition,
    DataType,
    Immediate,
    Message,
    data_bytes,
    integer,
    strided,
)
from xegpu.targets import Target

_MASKED = frozenset({"div", "mod"})
"""Operations that are errors for some integers: inactive work-items must not take part."""
_LARGEST_LOOKUP = 0.75
"""The fraction of the register file that a vector may take whose elements are read by index."""
_COMMUTATIVE = frozenset({"add", "mul", "and", "or", "xor"})
_IMMEDIATE_SWAP = {
    Condition.LT: Condition.GT,
    Condition.GT: Condition.LT,
    Condition.LE: Condition.GE,
    Condition.GE: Condition.LE,
    Condition.EQ: Condition.EQ,
    Condition.NE: Condition.NE,
}


@dataclass(frozen=True)
class Comparison:
    """The operands and the condition that a block of `count` booleans was computed from."""

    a: Number
    b: Number
    condition: Condition
    count: int


class XeEmitter:
    """Appends instructions to a block. Every operation that it emits gets the current source `location`."""

    def __init__(self, target: Target, block: Block):
        self.target = target
        self.block = block
        self.location: LocationAttr = UnknownLoc()
        self._comparisons: dict[SSAValue, Comparison] = {}

    def add(self, operation: Operation) -> None:
        """Appends one operation."""
        operation.location = self.location
        self.block.add_op(operation)

    @property
    def file_bytes(self) -> int:
        """Returns the bytes of the largest register file."""
        return max(self.target.platform.grf_counts) * self.target.platform.grf_bytes

    # Registers -------------------------------------------------------------------------------------------------------

    def register_type(self, size: int, alignment: int | None = None) -> GRFType:
        """A register block for `size` bytes: whole registers from one register on, else aligned to its own size."""
        register = self.target.platform.grf_bytes
        if size >= register or (alignment or 0) >= register:
            return GRFType.of(-(-size // register) * register, max(register, alignment or 0))
        return GRFType.of(size, alignment or 1 << (size - 1).bit_length())

    def undefined(self, size: int, alignment: int | None = None) -> SSAValue:
        """A fresh register block with unspecified contents."""
        return self._undefined(self.register_type(size, alignment))

    def scalar(self, value: Number, type: DataType | None = None) -> Elements:
        """The value as one element in a register, converted to `type`."""
        if isinstance(value, Elements) and (type is None or value.type is type):
            return value
        return self.unary("mov", type or value.type, value, 1)

    def whole(self, value: Number, count: int, type: GRFType) -> SSAValue:
        """Returns a register block of exactly a type that holds `count` elements from its first byte on."""
        if isinstance(value, Elements) and value.offset == 0 and value.count == count and value.register.type == type:
            return value.register
        return self.alu("mov", value.type, [value], count).register

    # ALU -------------------------------------------------------------------------------------------------------------

    def chunks(self, count: int, widest: int) -> Iterator[tuple[int, int]]:
        """Splits `count` channels into (start, execution size), each within two registers of the widest type."""
        start, limit = 0, min(32, 2 * self.target.platform.grf_bytes // widest)
        while start < count:
            size = min(limit, 1 << (count - start).bit_length() - 1)
            yield start, size
            start += size

    def alu(
        self,
        mnemonic: str,
        type: DataType,
        operands: Sequence[Number],
        count: int,
        *,
        negate: Sequence[bool] = (),
        condition: Condition | None = None,
        predicate: Elements | None = None,
        saturate: bool = False,
        alignment: int | None = None,
        reuse: SSAValue | None = None,
    ) -> Elements:
        """`count` results of an instruction, dense in a new register block or in place of the operands in `reuse`.

        Operands have `count` elements, or one that is read by all. `predicate` is what `sel` chooses by.
        """
        operands, negate = list(operands), list(negate) or [False] * len(operands)
        condition = self._place_constants(mnemonic, operands, negate, condition)
        widest = max(type.size, *(o.type.size for o in operands))
        whole = self._result_type(count * type.size, alignment) if reuse is None else register_type(reuse)
        register = reuse
        lanes = max((o.lanes for o in (*operands, predicate) if isinstance(o, Elements)), default=1)
        masked = mnemonic in _MASKED and not type.is_float and lanes == count > 1
        for start, size in self.chunks(count, widest):
            if count > size and register is None:
                register = self._undefined(whole)
            flag = None if predicate is None else self.flag(predicate, start, size)
            current = [
                replace(o, register=register) if register and isinstance(o, Elements) and o.register is reuse else o
                for o in operands
            ]
            sources = [self._source(o, n, start, size) for o, n in zip(current, negate, strict=True)]
            operation = alu_op(mnemonic)(
                size,
                sources,
                Write(type, start * type.size),
                whole,
                into=register if count > size else None,
                flag=flag,
                condition=condition,
                flag_result=mnemonic == "cmp",
                saturate=saturate,
                no_mask=not masked,
                channel_offset=start if masked else 0,
            )
            self.add(operation)
            register = operation.results[0]
        assert register is not None, "a result has elements"
        if mnemonic == "cmp" and condition is not None:
            self._comparisons[register] = Comparison(operands[0], operands[1], condition, count)
        return Elements(register, type, count, 0, lanes)

    def _result_type(self, size: int, alignment: int | None) -> GRFType:
        """The block of a result: one smaller than a register stays so wherever it lies, as copies of it do."""
        if alignment is None or size >= self.target.platform.grf_bytes:
            return self.register_type(size, alignment)
        return GRFType.of(size, alignment)

    def _undefined(self, type: GRFType) -> SSAValue:
        operation = UndefOp(type)
        self.add(operation)
        return operation.result

    def unary(self, mnemonic: str, type: DataType, operand: Number, count: int, *, saturate: bool = False) -> Elements:
        """`alu` with one operand."""
        return self.alu(mnemonic, type, [operand], count, saturate=saturate)

    def flag(self, predicate: Elements, start: int, size: int) -> SSAValue:
        """A flag with the bits of `size` booleans from element `start` on.

        What a comparison made is compared again, straight into the flag, so that often nobody needs its words.
        """
        origin = self._comparisons.get(predicate.register)
        if (
            origin is None
            or (predicate.offset, predicate.count) != (0, origin.count)
            or size * max(origin.a.type.size, origin.b.type.size) > 2 * self.target.platform.grf_bytes
        ):
            origin = Comparison(predicate, UniformConstant(BOOLEAN, 0), Condition.NE, predicate.count)
        sources = [self._source(operand, False, start, size) for operand in (origin.a, origin.b)]
        operation = alu_op("cmp")(size, sources, None, None, condition=origin.condition, flag_result=True)
        self.add(operation)
        return operation.results[0]

    def _place_constants(
        self, mnemonic: str, operands: list[Number], negate: list[bool], condition: Condition | None
    ) -> Condition | None:
        """Moves a constant to the last source, the only one that may be an immediate, or into a register."""
        first_only = (
            len(operands) == 2 and isinstance(operands[0], UniformConstant) and isinstance(operands[1], Elements)
        )
        if first_only and (mnemonic in _COMMUTATIVE or mnemonic == "cmp"):
            operands.reverse()
            negate.reverse()
            condition = _IMMEDIATE_SWAP[condition] if condition and mnemonic == "cmp" else condition
        for index, operand in enumerate(operands):
            last = index == len(operands) - 1
            if isinstance(operand, UniformConstant) and (not last or len(operands) == 3):
                operands[index] = self.unary("mov", operand.type, operand, 1)
        return condition

    def _source(self, operand: Number, negate: bool, start: int, size: int) -> tuple[SSAValue, Read] | Immediate:
        if isinstance(operand, UniformConstant):
            return Immediate.of(-operand.value if negate else operand.value, operand.type)
        if operand.count == 1:
            return operand.register, Read(operand.type, operand.offset, SCALAR, negate)
        region = SCALAR if size == 1 else CONTIGUOUS
        return operand.register, Read(operand.type, operand.offset + start * operand.type.size, region, negate)

    def read(self, value: Elements) -> tuple[SSAValue, Read]:
        """The elements as a source, channel by channel."""
        region = SCALAR if value.count == 1 else CONTIGUOUS
        return value.register, Read(value.type, value.offset, region)

    # Copies ----------------------------------------------------------------------------------------------------------

    def write(
        self, register: SSAValue, offset: int, type: DataType, value: Number, *, saturate: bool = False
    ) -> SSAValue:
        """`register` with one element at byte `offset` replaced by the (converted) value."""
        operation = alu_op("mov")(
            1,
            [self._source(value, False, 0, 1)],
            Write(type, offset),
            register_type(register),
            into=register,
            saturate=saturate,
        )
        self.add(operation)
        return operation.results[0]

    def update(
        self,
        register: SSAValue,
        offset: int,
        type: DataType,
        mnemonic: str,
        value: Number,
        *,
        saturate: bool = False,
    ) -> SSAValue:
        """`register` with one element `e` at byte `offset` replaced by `mnemonic(e, value)`."""
        element = (register, Read(type, offset, SCALAR))
        operation = alu_op(mnemonic)(
            1,
            [element, self._source(value, False, 0, 1)],
            Write(type, offset),
            register_type(register),
            into=register,
            saturate=saturate,
        )
        self.add(operation)
        return operation.results[0]

    def convert_into(self, register: SSAValue, offset: int, value: Number, type: DataType, count: int = 0) -> SSAValue:
        """`register` with `count` elements (default: all) of a value, converted to a type, from byte `offset` on."""
        count = count or (value.count if isinstance(value, Elements) else 1)
        for start, size in self.chunks(count, max(type.size, value.type.size)):
            operation = alu_op("mov")(
                size,
                [self._source(value, False, start, size)],
                Write(type, offset + start * type.size),
                register_type(register),
                into=register,
            )
            self.add(operation)
            register = operation.results[0]
        return register

    def copy(self, register: SSAValue, source: Elements, moves: Sequence[tuple[int, int]], type: DataType) -> SSAValue:
        """`register` with elements copied into it; `moves` are pairs of element indexes (to, from).

        Runs with a constant step on both sides become one instruction each.
        """
        for to, origin, size, to_step, from_step in runs(moves, 32 if type.size <= 4 else 16):
            region = SCALAR if size == 1 else strided(from_step)
            read = Read(type, source.offset + origin * type.size, region)
            write = Write(type, to * type.size, to_step if size > 1 else 1)
            operation = alu_op("mov")(size, [(source.register, read)], write, register_type(register), into=register)
            self.add(operation)
            register = operation.results[0]
        return register

    def lookup(self, source: Elements, indexes: Elements) -> Elements:
        """For each of the indexes, the element of `source` that it names; it must be one of its elements.

        Raises `CompileError` for a source that takes most of the register file: all of it is needed at once.
        """
        size = register_type(source.register).size.data
        if size > _LARGEST_LOOKUP * self.file_bytes:
            raise CompileError(
                self.location,
                f"reads a vector of {size} bytes at a position computed at run time, which needs the whole vector in "
                f"the {self.file_bytes} bytes of registers of {self.target.name}: use a smaller vector, "
                "or memref.alloca",
            )
        type, word = source.type, DataType.UW
        bits = integer(type.bits, signed=False)
        step = UniformConstant(indexes.type, type.size)
        offsets = self.alu("mul", word, [indexes, step], indexes.count)
        if source.offset:
            offsets = self.alu("add", word, [offsets, UniformConstant(word, source.offset)], indexes.count)
        register = self.undefined(indexes.count * type.size)
        for start, count in self.chunks(
            indexes.count, max(type.size, 2 * self.target.platform.grf_bytes // ADDRESS_WORDS)
        ):
            operation = LookupOp(
                count,
                source.register,
                offsets.register,
                offsets.offset + start * word.size,
                Write(bits, start * type.size),
                register_type(register),
                into=register,
            )
            self.add(operation)
            register = operation.result
        return Elements(register, type, indexes.count, 0, indexes.lanes)

    def starts_register(self, value: Elements, byte: int = 0) -> bool:
        """Returns whether a byte of the value is the first one of a register, where data of messages starts."""
        grf = self.target.platform.grf_bytes
        return (value.offset + byte) % grf == 0 and register_type(value.register).alignment.data >= grf

    def aligned(self, value: Elements, alignment: int) -> Elements:
        """The value at an offset that is a multiple of `alignment`, in a block aligned alike; copied if need be."""
        type = register_type(value.register)
        if value.offset % alignment == 0 and type.alignment.data >= alignment:
            return value
        bits = integer(value.type.bits, signed=False)
        return self.alu("mov", bits, [value.as_type(bits)], value.count, alignment=alignment).as_type(value.type)

    # Messages --------------------------------------------------------------------------------------------------------

    def load(
        self,
        mnemonic: str,
        message: Message,
        address: SSAValue,
        *,
        exec_size: int = 1,
        into: SSAValue | None = None,
        offset: int = 0,
        flag: SSAValue | None = None,
        no_mask: bool = True,
    ) -> SSAValue:
        """The registers that a load returns, or `into` with them placed at byte `offset`."""
        lanes = self.target.platform.physical_simd_width
        size = data_bytes(message, exec_size, self.target.platform.grf_bytes, lanes)
        operation = message_op(mnemonic)(
            MessageAttr(message),
            address,
            exec_size=exec_size,
            result=self.register_type(size, self.target.platform.grf_bytes) if into is None else register_type(into),
            result_offset=offset,
            into=into,
            flag=flag,
            no_mask=no_mask,
        )
        self.add(operation)
        return operation.results[0]

    def send(
        self,
        mnemonic: str,
        message: Message,
        address: SSAValue,
        data: Elements | None = None,
        *,
        exec_size: int = 1,
        flag: SSAValue | None = None,
        no_mask: bool = True,
    ) -> None:
        """A store (with data that starts at a whole register) or a prefetch."""
        operation = message_op(mnemonic)(
            MessageAttr(message),
            address,
            exec_size=exec_size,
            data=None if data is None else data.register,
            data_offset=0 if data is None else data.offset,
            flag=flag,
            no_mask=no_mask,
        )
        self.add(operation)


def runs(moves: Sequence[tuple[int, int]], limit: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Groups (to, from) pairs into runs: (first to, first from, length, step of to, step of from).

    Lengths are powers of two up to `limit`, steps are those that destination and source regions have.
    """
    position = 0
    while position < len(moves):
        to, origin = moves[position]
        length, to_step, from_step = 1, 1, 0
        if position + 1 < len(moves):
            to_step, from_step = moves[position + 1][0] - to, moves[position + 1][1] - origin
            if to_step in (1, 2, 4) and from_step in (0, 1, 2, 4, 8, 16, 32):
                while (
                    position + length < len(moves)
                    and length < limit
                    and moves[position + length] == (to + length * to_step, origin + length * from_step)
                ):
                    length += 1
        length = 1 << (length.bit_length() - 1)
        yield to, origin, length, to_step, from_step
        position += length
