"""Random `xe` kernels for register allocation: they are legal code, but mean nothing.

A program is a tree of straight lines, choices and loops over values of all sizes: scalars of a few bytes, vectors,
accumulators of `dpas`, addresses that start a register, flags, carries, blocks that are filled piece by piece.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from xegpu.dialects.xe import (
    BranchOp,
    CondBranchOp,
    CondGotoOp,
    CopyOp,
    EndOp,
    GotoOp,
    GRFType,
    JoinOp,
    KernelOp,
    MessageAttr,
    Read,
    UndefOp,
    Write,
    alu_op,
    dpas_op,
    message_op,
    register_type,
)
from xegpu.isa import KernelFacts
from xegpu.isa.model.messages import DataSize, Message, Unit
from xegpu.isa.model.operands import CONTIGUOUS, SCALAR, Immediate
from xegpu.isa.model.table import Condition
from xegpu.isa.model.types import DataType
from xegpu.targets import Target

TYPES = (DataType.UW, DataType.UD, DataType.UQ)


@dataclass(frozen=True)
class Shape:
    """The shape of random programs: statements, depth of nesting, size of values, and values in use at a time."""

    statements: int = 30
    depth: int = 2
    registers: int = 8
    """Size of the largest values in registers."""
    kept: int = 10
    """Values that are used again at the end."""
    flags: int = 2
    """Flags that are used again at the end."""
    held: int = 0
    """Values of the largest size that are made first and used last."""


@dataclass
class Generator:
    """Draws one kernel."""

    random: random.Random
    target: Target
    shape: Shape
    body: Region = field(default_factory=Region)
    values: list[SSAValue] = field(default_factory=list)
    flags: list[SSAValue] = field(default_factory=list)

    def module(self) -> ModuleOp:
        grf = self.target.platform.grf_bytes
        self.block = Block(arg_types=[GRFType(grf, grf, 0), GRFType(grf, grf, grf), GRFType(2 * grf, grf, 2 * grf)])
        self.body.add_block(self.block)
        self.values = list(self.block.args)
        held = [self._filled(GRFType(self.shape.registers * grf, grf)) for _ in range(self.shape.held)]
        self._statements(self.shape.statements, self.shape.depth)
        for value in held:
            self._use(value)
        for value in self.random.sample(self.values, min(self.shape.kept, len(self.values))):
            self._use(value)
        for flag in self.random.sample(self.flags, min(self.shape.flags, len(self.flags))):
            self._select(flag)
        self.block.add_op(EndOp())
        return ModuleOp([KernelOp("k", self.target.name, KernelFacts(simd_size=1), self.body)])

    # Structure -------------------------------------------------------------------------------------------------------

    def _statements(self, count: int, depth: int) -> None:
        while count > 0:
            if depth and self.random.random() < 0.1:
                inner = self.random.randrange(1, count // 2 + 2)
                kinds = (self._choice, self._loop, self._divergent_choice, self._divergent_case, self._divergent_loop)
                self.random.choice(kinds)(inner, depth - 1)
                count -= inner
            self._instruction()
            count -= 1

    def _add_block(self, types: tuple[GRFType, ...] = ()) -> Block:
        block = Block(arg_types=types)
        self.body.add_block(block)
        return block

    def _choice(self, count: int, depth: int) -> None:
        """Two ways that define values of the same sizes."""
        passed = [self._value() for _ in range(self.random.randrange(3))]
        types = tuple(register_type(v) for v in passed)
        types = tuple(GRFType(t.size.data, t.alignment.data) for t in types)
        before, outside, flags = self.block, list(self.values), list(self.flags)
        flag = self._flag()
        ways: list[tuple[Block, list[SSAValue]]] = []
        starts: list[Block] = []
        for _ in range(2):
            self.block, self.values, self.flags = self._add_block(), list(outside), list(flags)
            starts.append(self.block)
            self._statements(count // 2, depth)
            ways.append((self.block, [self._of_type(t) for t in types]))
        before.add_op(CondBranchOp(flag, starts[0], starts[1]))
        join = self._add_block(types)
        for block, results in ways:
            block.add_op(BranchOp(join, results))
        self.block, self.values, self.flags = join, [*outside, *join.args], flags

    def _loop(self, count: int, depth: int) -> None:
        """A loop that carries values, some of them swapped or passed on as they are."""
        carried = [self._value() for _ in range(self.random.randrange(4))]
        placed = [register_type(v) for v in carried]
        types = tuple(GRFType(t.size.data, t.alignment.data) for t in placed)
        header = self._add_block(types)
        self.block.add_op(BranchOp(header, carried))
        self.values, self.block = [*self.values, *header.args], header
        flag = self._flag()
        outside, flags = list(self.values), list(self.flags)
        inside = self._add_block()
        self.block = inside
        self._statements(count, depth)
        again = [self._of_type(t) for t in types]
        if len(again) > 1 and types[0] == types[1] and self.random.random() < 0.5:
            again[:2] = again[1::-1]
        self.block.add_op(BranchOp(header, again))
        behind = self._add_block()
        header.add_op(CondBranchOp(flag, inside, behind))
        self.block, self.values, self.flags = behind, outside, flags

    def _divergent_choice(self, count: int, depth: int) -> None:
        """Channels of both sides put what they have into the same registers."""
        starts = [self._of_type(t) for t in self._unplaced_types(3)]
        types = tuple(register_type(v) for v in starts)
        before, outside, flags, flag = self.block, list(self.values), list(self.flags), self._flag()
        self.block = following = self._add_block()
        self._statements(count // 2, depth)
        first, merged = self.block, [self._merged(v) for v in starts]
        middle = self._add_block(types)
        before.add_op(CondGotoOp(flag, middle, following, starts, inverted=self.random.random() < 0.5))
        self.block, self.values, self.flags = self._add_block(), [*outside, *middle.args], list(flags)
        second_start = self.block
        self._statements(count // 2, depth)
        second, again = self.block, [self._merged(v) for v in middle.args]
        end = self._add_block(types)
        first.add_op(GotoOp(end, middle, merged))
        middle.add_op(JoinOp(second_start, end, middle.args))
        second.add_op(BranchOp(end, again))
        self.block = self._add_block()
        end.add_op(JoinOp(self.block))
        self.values, self.flags = [*outside, *end.args], flags

    def _divergent_case(self, count: int, depth: int) -> None:
        """Channels of one side change what the others keep, perhaps to one value that stays in use."""
        starts = [self._of_type(t) for t in self._unplaced_types(3)]
        types = tuple(register_type(v) for v in starts)
        before, outside, flags, flag = self.block, list(self.values), list(self.flags), self._flag()
        self.block = following = self._add_block()
        self._statements(count, depth)
        merged = [self._merged(v) for v in starts]
        kept = [self._of_type(t) if self.random.random() < 0.5 else v for t, v in zip(types, merged, strict=True)]
        last, end = self.block, self._add_block(types)
        before.add_op(CondGotoOp(flag, end, following, starts, inverted=self.random.random() < 0.5))
        last.add_op(BranchOp(end, kept))
        self.block = self._add_block()
        end.add_op(JoinOp(self.block))
        self.values, self.flags = [*outside, *end.args], flags

    def _divergent_loop(self, count: int, depth: int) -> None:
        """Channels leave the loop in different rounds, and keep what they had then."""
        carried = [self._of_type(t) for t in self._unplaced_types(4)]
        header = self._add_block(tuple(register_type(v) for v in carried))
        self.block.add_op(BranchOp(header, carried))
        self.values, self.block = [*self.values, *header.args], header
        flag = self._flag()
        outside, flags = list(self.values), list(self.flags)
        self.block = following = self._add_block()
        self._statements(count, depth)
        self.block.add_op(BranchOp(header, [self._merged(v) for v in header.args]))
        exit = self._add_block()
        header.add_op(CondGotoOp(flag, exit, following))
        self.block, self.values, self.flags = self._add_block(), outside, flags
        exit.add_op(JoinOp(self.block))

    def _unplaced_types(self, most: int) -> list[GRFType]:
        types = [register_type(self._value()) for _ in range(self.random.randrange(most))]
        return [GRFType(t.size.data, t.alignment.data) for t in types]

    def _merged(self, old: SSAValue) -> SSAValue:
        """A block with an element of it replaced in the channels that are on."""
        type = register_type(old)
        unit = next(t for t in TYPES if type.size.data % t.size == 0 and type.alignment.data % t.size == 0)
        sources = [self._source(unit)]
        op = alu_op("mov")(1, sources, Write(unit), type, into=old, no_mask=False)
        self.block.add_op(op)
        return op.results[0]

    # Values ----------------------------------------------------------------------------------------------------------

    def _value(self) -> SSAValue:
        return self.random.choice(self.values[-40:] if self.random.random() < 0.4 else self.values)

    def _of_type(self, type: GRFType) -> SSAValue:
        """A value of a type: one that there is or a new one."""
        found = [v for v in self.values if v.type == type]
        return self.random.choice(found) if found and self.random.random() < 0.8 else self._filled(type)

    def _flag(self) -> SSAValue:
        if not self.flags or self.random.random() < 0.6:
            self._compare()
        return self.random.choice(self.flags[-6:])

    def _emit(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        result = op.results[0]
        (self.values if isinstance(result.type, GRFType) else self.flags).append(result)
        return result

    def _type(self) -> GRFType:
        grf = self.target.platform.grf_bytes
        if self.random.random() < 0.5:
            size = self.random.choice((2, 4, 8, 16, 32))
            return GRFType(size, self.random.choice((size, grf)))
        return GRFType(self.random.randrange(1, self.shape.registers + 1) * grf, grf)

    def _filled(self, type: GRFType) -> SSAValue:
        """A value that instructions fill from its first byte to its last, or not quite."""
        size, alignment = type.size.data, type.alignment.data
        unit = next(t for t in reversed(TYPES) if size % t.size == 0 and alignment % t.size == 0)
        most = 2 * self.target.platform.grf_bytes // unit.size
        if size <= most * unit.size and size & (size - 1) == 0:
            channels = min(size // unit.size, 32)
            if channels * unit.size == size:
                return self._emit(alu_op("mov")(channels, [self._number(unit)], Write(unit), type))
        undefined = UndefOp(type)
        self.block.add_op(undefined)
        result: SSAValue = undefined.result
        for offset in range(0, size, min(2 * self.target.platform.grf_bytes, 32 * unit.size)):
            channels = min(most, 32, (size - offset) // unit.size)
            channels = 1 << channels.bit_length() - 1
            op = alu_op("mov")(channels, [self._number(unit)], Write(unit, offset), type, into=result)
            self.block.add_op(op)
            result = op.results[0]
        self.values.append(result)
        return result

    def _number(self, type: DataType) -> Immediate:
        return Immediate.of(self.random.randrange(100), type)

    def _source(self, type: DataType) -> tuple[SSAValue, Read]:
        """One element of some value."""
        wide = [v for v in self.values[-60:] if _fits(v, type)]
        value = self.random.choice(wide) if wide else self._filled(GRFType(type.size, type.size))
        count = register_type(value).size.data // type.size
        return value, Read(type, self.random.randrange(count) * type.size, SCALAR)

    # Instructions ----------------------------------------------------------------------------------------------------

    def _instruction(self) -> None:
        kinds: list[Callable[[], None]] = [self._new, self._new, self._add, self._partial, self._compare, self._load]
        kinds += [self._use, self._copy, self._matrix, self._carry, self._conditional]
        self.random.choice(kinds)()

    def _new(self) -> None:
        self._filled(self._type())

    def _add(self) -> None:
        type = self.random.choice(TYPES)
        sources = [self._source(type), self._source(type) if self.random.random() < 0.7 else self._number(type)]
        channels = self.random.choice((1, 1, 4, 8))
        result = GRFType(channels * type.size, type.size)
        self._emit(alu_op("add")(channels, sources, Write(type), result))

    def _partial(self) -> None:
        """Replaces one element of a value; the old one may be used again."""
        type = self.random.choice(TYPES)
        value, read = self._source(type)
        grf_type = register_type(value)
        if grf_type.address is None:
            write = Write(type, read.offset)
            self._emit(alu_op("add")(1, [self._source(type), (value, read)], write, grf_type, into=value))

    def _compare(self) -> None:
        op = alu_op("cmp")(1, self._pair(), None, None, condition=Condition.LT, flag_result=True)
        self._emit(op)

    def _conditional(self) -> None:
        self._select(self._flag())

    def _select(self, flag: SSAValue) -> None:
        self._emit(alu_op("sel")(1, self._pair(), Write(DataType.UD), GRFType(4, 4), flag=flag))

    def _pair(self) -> list[tuple[SSAValue, Read] | Immediate]:
        return [self._source(DataType.UD), self._number(DataType.UD)]

    def _carry(self) -> None:
        sources = [self._source(DataType.UD), self._source(DataType.UD)]
        op = alu_op("addc")(4, sources, Write(DataType.UD), GRFType(16, 4), carry=GRFType(16, 4))
        self._emit(op)
        self.values.append(op.results[1])

    def _address(self) -> SSAValue:
        return self._of_type(GRFType(8, self.target.platform.grf_bytes))

    def _load(self) -> None:
        registers = self.random.choice((1, 2, 4))
        message = self._message(registers)
        result = GRFType(registers * self.target.platform.grf_bytes, self.target.platform.grf_bytes)
        self._emit(message_op("load")(MessageAttr(message), self._address(), result=result))

    def _message(self, registers: int) -> Message:
        return Message(Unit.UGM, DataSize.D64, registers * self.target.platform.grf_bytes // 8, transposed=True)

    def _use(self, value: SSAValue | None = None) -> None:
        """Stores a value, or what it is worth in one element."""
        value = self._value() if value is None else value
        type, grf = register_type(value), self.target.platform.grf_bytes
        if type.alignment.data < grf or type.size.data % grf:
            unit = DataType.UW
            add = alu_op("mov")(1, [(value, Read(unit, 0, SCALAR))], Write(unit), GRFType(grf, grf))
            self.block.add_op(add)
            value = add.results[0]
        registers = 1 << (register_type(value).size.data // grf).bit_length() - 1
        message = MessageAttr(self._message(min(registers, 512 // grf)))
        self.block.add_op(message_op("store")(message, self._address(), data=value))

    def _copy(self) -> None:
        """The same bytes elsewhere, perhaps where a register starts."""
        source = self._value()
        type = register_type(source)
        alignment = max(type.alignment.data, self.random.choice((1, self.target.platform.grf_bytes)))
        self._emit(CopyOp(source, GRFType(type.size.data, alignment)))

    def _matrix(self) -> None:
        grf, lanes = self.target.platform.grf_bytes, self.target.platform.dpas.execution_size
        read = Read(DataType.BF, 0, CONTIGUOUS)
        b = self._of_type(GRFType(8 * grf, grf))
        a = self._of_type(GRFType(8 * 32, grf))
        result = GRFType(8 * lanes * 4, grf)
        c = self._of_type(result)
        into = c if self.random.random() < 0.7 else None
        accumulator = (c, Read(DataType.F, 0, CONTIGUOUS))
        self._emit(dpas_op()(lanes, 8, accumulator, (b, read), (a, read), Write(DataType.F), result, into))


def _fits(value: SSAValue, type: DataType) -> bool:
    grf_type = register_type(value)
    return grf_type.size.data >= type.size and grf_type.alignment.data % type.size == 0
