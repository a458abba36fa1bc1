"""Operations of the `xe` dialect: one per row of the instruction table, and a few that hold a kernel together.

Before allocation registers are SSA values. An instruction that writes a part of a register, or updates it in place,
takes the previous value as its `into` operand: the result occupies the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from xdsl.dialects.builtin import I32, ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    BaseAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, OpTrait, Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.attributes import ImmediateAttr, MessageAttr, Read, ReadAttr, Write, WriteAttr
from xegpu.dialects.xe.patterns import AluPatterns
from xegpu.dialects.xe.types import FlagType, GRFType
from xegpu.isa.formats import check_form, check_message
from xegpu.isa.model import (
    TABLE,
    Combination,
    Condition,
    DataType,
    Extra,
    FenceFields,
    Flush,
    IllegalInstruction,
    Immediate,
    Instruction,
    InstructionFormat,
    MemoryAccessKind,
    MemoryScope,
    OpSpec,
    Unit,
    grf,
    touched_bytes,
)
from xegpu.targets import TARGETS, Target

_UNITS = {unit.text: unit for unit in Unit}
_FLUSHES = {flush.text: flush for flush in Flush}
_SCOPES = {scope.text: scope for scope in MemoryScope}
EXEC_SIZES = (1, 2, 4, 8, 16, 32)
_LARGEST_TABLE = 255
_SURFACE_BYTES = 32
"""Bytes of the address registers that a block-2D message reads."""

_COMBINATIONS = {c.text: c for c in Combination if c.text}
_CONDITIONS = {c.text: c for c in Condition}


class InstructionOp(IRDLOperation):
    """The base class of all instructions; `SPEC` is the row of the instruction table."""

    SPEC: ClassVar[OpSpec]

    @property
    def tied(self) -> SSAValue | None:
        """The operand whose bytes the result takes over."""
        return None


def has_operand(op: InstructionOp, segment: int) -> bool:
    """Returns whether an optional operand is there, by its position in the definition.

    xDSL's accessors decode all segment sizes for each look at an operand, which takes a tenth of compilation.
    """
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    return any(sizes.data.data[4 * segment : 4 * segment + 4])


@cache
def _segments(*sizes: int) -> DenseArrayBase[I32]:
    return DenseArrayBase.from_list(i32, sizes)


@cache
def _number(value: int) -> IntegerAttr[I32]:
    return IntegerAttr(value, i32)


def _check_exec_size(size: int) -> None:
    if size not in EXEC_SIZES:
        raise VerifyException(f"execution size {size}, expected one of {', '.join(map(str, EXEC_SIZES))}")


def _check_channels(size: int, offset: IntegerAttr[I32] | None) -> None:
    """The channel offset goes with the execution size."""
    first = 0 if offset is None else offset.value.data
    if first < 0 or first % max(size, 4) or first + size > EXEC_SIZES[-1]:
        raise VerifyException(f"channel offset {first} does not go with execution size {size}")


def _check_predicate(flag: SSAValue | None, inverted: UnitAttr | None) -> None:
    if inverted is not None and flag is None:
        raise VerifyException("inverted without a predicate")


def _check_range(what: str, offset: int, size: int, register: SSAValue) -> None:
    available = register.type.size.data if isinstance(register.type, GRFType) else 0
    if offset < 0 or offset + size > available:
        raise VerifyException(
            f"{what} covers bytes {offset} to {offset + size} of a register block of {available} bytes"
        )


class AluOp(InstructionOp):
    """An instruction of the ALU: some of its registers are read, computed with, and written, channel by channel.

    `reads` describes the sources in order: where in its register each begins, its type, region and modifier; a
    `#xe.imm` takes no operand. `write` describes the destination. `flag` is the predicate, whose bits of all channels
    a `combination` (`any`, `all`) makes one truth of. A condition modifier gives `flag_result`; `addc` and `subb` give
    `carry`, a `ud` for each channel. `table` is the truth table of `bfn`. With `into` the result takes over the bytes
    of that operand; where nothing is written, they stay.

    ```mlir
    %d = xe.add(%a : !xe.grf<64, 64>) {exec_size = 16 : i32, no_mask,
        reads = [#xe.read<f>, #xe.imm<f, 1065353216>], write = #xe.write<f>} -> !xe.grf<64, 64>
    ```
    ```mlir
    %e = xe.mov into %c : !xe.grf<128, 64>(%a : !xe.grf<64, 64>) {exec_size = 16 : i32, no_mask,
        reads = [#xe.read<f, 8, [0, 1, 0], neg, abs>], write = #xe.write<f, 64>} -> !xe.grf<128, 64>
    ```
    ```mlir
    %f = xe.cmp(%a : !xe.grf<64, 64>) {condition = "lt", exec_size = 16 : i32,
        reads = [#xe.read<f>, #xe.imm<f, 0>]} flag !xe.flag
    ```
    """

    into = opt_operand_def(GRFType)
    flag = opt_operand_def(FlagType)
    inputs = var_operand_def(GRFType)
    exec_size = prop_def(IntegerAttr[I32])
    channel_offset = opt_prop_def(IntegerAttr[I32])
    no_mask = opt_prop_def(UnitAttr)
    inverted = opt_prop_def(UnitAttr)
    saturate = opt_prop_def(UnitAttr)
    condition = opt_prop_def(StringAttr)
    combination = opt_prop_def(StringAttr)
    table = opt_prop_def(IntegerAttr[I32])
    write = opt_prop_def(WriteAttr)
    reads = prop_def(ArrayAttr[ReadAttr | ImmediateAttr])
    result = opt_result_def(GRFType)
    flag_result = opt_result_def(FlagType)
    carry = opt_result_def(GRFType)

    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
        ParsePropInAttrDict(),
    )
    assembly_format = (
        "(`into` $into^ `:` type($into))? (`if` $flag^ `:` type($flag))? (`(` $inputs^ `:` type($inputs) `)`)?"
        " attr-dict (`->` type($result)^)? (`flag` type($flag_result)^)?"
        " (`carry` type($carry)^)?"
    )

    def __init__(
        self,
        exec_size: int,
        sources: Sequence[tuple[SSAValue, Read] | Immediate],
        write: Write | None,
        result: GRFType | None,
        *,
        into: SSAValue | None = None,
        flag: SSAValue | None = None,
        inverted: bool = False,
        condition: Condition | None = None,
        flag_result: bool = False,
        no_mask: bool = True,
        channel_offset: int = 0,
        saturate: bool = False,
        combination: Combination = Combination.NONE,
        table: int | None = None,
        carry: GRFType | None = None,
    ):
        inputs = [source[0] for source in sources if not isinstance(source, Immediate)]
        reads = [ImmediateAttr(s) if isinstance(s, Immediate) else ReadAttr(s[1]) for s in sources]
        results = [result, FlagType() if flag_result else None, carry]
        properties: dict[str, Attribute | None] = {
            "exec_size": _number(exec_size),
            "channel_offset": _number(channel_offset) if channel_offset else None,
            "no_mask": UnitAttr() if no_mask else None,
            "inverted": UnitAttr() if inverted else None,
            "saturate": UnitAttr() if saturate else None,
            "condition": StringAttr(condition.text) if condition else None,
            "combination": StringAttr(combination.text) if combination.text else None,
            "table": None if table is None else IntegerAttr(table, i32),
            "write": WriteAttr(write) if write else None,
            "reads": ArrayAttr(reads),
            "operandSegmentSizes": _segments(int(into is not None), int(flag is not None), len(inputs)),
            "resultSegmentSizes": _segments(*(int(type is not None) for type in results)),
        }
        # Most operations of a kernel are made here: building the segments from the definition takes four times as long.
        Operation.__init__(
            self,
            operands=[operand for operand in (into, flag, *inputs) if operand is not None],
            result_types=[type for type in results if type is not None],
            properties={name: value for name, value in properties.items() if value is not None},
        )

    @property
    def tied(self) -> SSAValue | None:
        return self.operands[0] if has_operand(self, 0) else None

    def condition_code(self) -> Condition | None:
        """The condition modifier."""
        return None if self.condition is None else _CONDITIONS[self.condition.data]

    def combination_code(self) -> Combination:
        """The way in which the predicate combines the bits of channels."""
        return Combination.NONE if self.combination is None else _COMBINATIONS[self.combination.data]

    def verify_(self) -> None:
        size = self.exec_size.value.data
        _check_exec_size(size)
        _check_channels(size, self.channel_offset)
        _check_predicate(self.flag, self.inverted)
        self._check_extra(size)
        expected = len(self.reads) - sum(isinstance(r, ImmediateAttr) for r in self.reads)
        if len(self.reads) != self.SPEC.sources or expected != len(self.inputs):
            raise VerifyException(
                f"{self.SPEC.mnemonic} has {self.SPEC.sources} sources, "
                f"got {len(self.reads)} and {len(self.inputs)} registers"
            )
        if self.condition is not None and self.condition.data not in _CONDITIONS:
            raise VerifyException(
                f"unknown condition '{self.condition.data}', expected one of {', '.join(_CONDITIONS)}"
            )
        if self.combination is not None and (self.combination.data not in _COMBINATIONS or self.flag is None):
            raise VerifyException(
                f"combination '{self.combination.data}', expected one of {', '.join(_COMBINATIONS)}, with a predicate"
            )
        if (self.result is None) != (self.write is None):
            raise VerifyException("a result and `write` go together")
        if self.into is not None and (self.result is None or self.result.type != self.into.type):
            raise VerifyException("the result of an instruction with `into` has the type of that operand")
        registers = iter(self.inputs)
        for read in self.reads:
            if isinstance(read, ReadAttr):
                span = read.data.region.span(size) * read.data.type.size
                _check_range("a source", read.data.offset, span, next(registers))
        if self.result is not None and self.write is not None:
            write = self.write.data
            _check_range("the result", write.offset, ((size - 1) * write.stride + 1) * write.type.size, self.result)

    def _check_extra(self, size: int) -> None:
        has_table, has_carry = self.SPEC.extra is Extra.TABLE, self.SPEC.extra is Extra.CARRY
        if (self.table is not None) != has_table:
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs a' if has_table else 'has no'} truth table")
        if self.table is not None and not 0 <= self.table.value.data <= _LARGEST_TABLE:
            raise VerifyException(f"truth table {self.table.value.data}, expected 0 to {_LARGEST_TABLE}")
        if (self.carry is not None) != has_carry:
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs a' if has_carry else 'has no'} carry")
        if self.carry is not None:
            _check_range("the carry", 0, size * DataType.UD.size, self.carry)


class DpasOp(InstructionOp):
    """`dpas`: D = C + A x B on `repeat` rows. `reads` describes C, B and A, `write` describes D.

    Without `acc`, C is zero.

    ```mlir
    %d = xe.dpas acc %c : !xe.grf<512, 64>(%b, %a : !xe.grf<512, 64>, !xe.grf<256, 64>) {exec_size = 16 : i32,
        reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>], repeat = 8 : i32,
        write = #xe.write<f>} -> !xe.grf<512, 64>
    ```
    """

    into = opt_operand_def(GRFType)
    c = opt_operand_def(GRFType)
    b = operand_def(GRFType)
    a = operand_def(GRFType)
    repeat = prop_def(IntegerAttr[I32])
    exec_size = prop_def(IntegerAttr[I32])
    write = prop_def(WriteAttr)
    reads = prop_def(ArrayAttr[ReadAttr])
    result = result_def(GRFType)

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "(`into` $into^ `:` type($into))? (`acc` $c^ `:` type($c))? `(` $b `,` $a `:` type($b) `,` type($a) `)`"
        " attr-dict `->` type($result)"
    )

    def __init__(
        self,
        exec_size: int,
        repeat: int,
        c: tuple[SSAValue, Read] | Read,
        b: tuple[SSAValue, Read],
        a: tuple[SSAValue, Read],
        write: Write,
        result: GRFType,
        into: SSAValue | None = None,
    ):
        accumulator, read = (None, c) if isinstance(c, Read) else c
        super().__init__(
            operands=[into, accumulator, b[0], a[0]],
            result_types=[result],
            properties={
                "repeat": IntegerAttr(repeat, i32),
                "exec_size": IntegerAttr(exec_size, i32),
                "write": WriteAttr(write),
                "reads": ArrayAttr([ReadAttr(read), ReadAttr(b[1]), ReadAttr(a[1])]),
            },
        )

    @property
    def tied(self) -> SSAValue | None:
        return self.operands[0] if has_operand(self, 0) else None

    def verify_(self) -> None:
        if len(self.reads) != 3:
            raise VerifyException(f"dpas describes C, B and A, got {len(self.reads)} reads")
        if not 1 <= self.repeat.value.data <= 8:
            raise VerifyException(f"repeat count {self.repeat.value.data}, expected 1 to 8")
        _check_exec_size(self.exec_size.value.data)
        if self.into is not None and self.result.type != self.into.type:
            raise VerifyException("the result of an instruction with `into` has the type of that operand")


class MessageOp(InstructionOp):
    """A message to memory: loads give a result, stores take `data`, atomics have both at will.

    A predicate leaves lanes of `into` as they are.

    `message` says which unit it goes to, what the elements are, and how addresses are made. The offsets say where in
    their registers addresses, data and result begin, in bytes.

    ```mlir
    %v = xe.load if %flag : !xe.flag[%address : !xe.grf<128, 64>] {exec_size = 16 : i32,
        message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64>
    ```
    ```mlir
    xe.store[%address : !xe.grf<64, 64>] data %v : !xe.grf<64, 64> {exec_size = 1 : i32,
        message = #xe.message<unit = ugm, size = d32, vector = 16, transposed>, no_mask}
    ```
    """

    into = opt_operand_def(GRFType)
    flag = opt_operand_def(FlagType)
    address = operand_def(GRFType)
    data = opt_operand_def(GRFType)
    message = prop_def(MessageAttr)
    exec_size = prop_def(IntegerAttr[I32])
    channel_offset = opt_prop_def(IntegerAttr[I32])
    no_mask = opt_prop_def(UnitAttr)
    inverted = opt_prop_def(UnitAttr)
    address_offset = opt_prop_def(IntegerAttr[I32])
    data_offset = opt_prop_def(IntegerAttr[I32])
    result_offset = opt_prop_def(IntegerAttr[I32])
    result = opt_result_def(GRFType)

    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
        ParsePropInAttrDict(),
    )
    assembly_format = (
        "(`into` $into^ `:` type($into))? (`if` $flag^ `:` type($flag))? `[` $address `:` type($address) `]`"
        " (`data` $data^ `:` type($data))? attr-dict (`->` type($result)^)?"
    )

    def __init__(
        self,
        message: MessageAttr,
        address: SSAValue,
        *,
        exec_size: int = 1,
        address_offset: int = 0,
        result: GRFType | None = None,
        result_offset: int = 0,
        data: SSAValue | None = None,
        data_offset: int = 0,
        into: SSAValue | None = None,
        flag: SSAValue | None = None,
        no_mask: bool = True,
    ):
        super().__init__(
            operands=[into, flag, address, data],
            result_types=[result],
            properties={
                "message": message,
                "exec_size": IntegerAttr(exec_size, i32),
                "no_mask": UnitAttr() if no_mask else None,
                "address_offset": IntegerAttr(address_offset, i32) if address_offset else None,
                "data_offset": IntegerAttr(data_offset, i32) if data_offset else None,
                "result_offset": IntegerAttr(result_offset, i32) if result_offset else None,
            },
        )

    @property
    def tied(self) -> SSAValue | None:
        return self.operands[0] if has_operand(self, 0) else None

    def verify_(self) -> None:
        size = self.exec_size.value.data
        _check_exec_size(size)
        _check_channels(size, self.channel_offset)
        _check_predicate(self.flag, self.inverted)
        if (self.data is not None) != (self.SPEC.sources > 0):
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs' if self.data is None else 'takes no'} data")
        if self.SPEC.access is not MemoryAccessKind.ATOMIC and (self.result is not None) != (
            self.SPEC.access is MemoryAccessKind.LOAD
        ):
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs a' if self.result is None else 'has no'} result")
        if self.into is not None and (self.result is None or self.result.type != self.into.type):
            raise VerifyException("the result of an instruction with `into` has the type of that operand")
        target = self._target()
        self._check_registers(target)
        if target is not None:
            self._check_message(target)

    def _target(self) -> Target | None:
        """The target of the kernel around, if there is one that is known."""
        parent = self.parent_op()
        while parent is not None:
            name = parent.properties.get("target")
            if isinstance(name, StringAttr):
                return TARGETS.get(name.data)
            parent = parent.parent_op()
        return None

    def _check_registers(self, target: Target | None) -> None:
        """Addresses, data and result lie in their registers; without a target, in as few bytes as any target needs."""
        message, size = self.message.data, self.exec_size.value.data
        smallest = target or min(TARGETS.values(), key=lambda t: t.grf_bytes)
        places = smallest.grf_bytes, smallest.physical_simd_width
        addresses = (1 if message.transposed else size) * message.address_size.size
        if message.block is not None:
            addresses = _SURFACE_BYTES
        for what, offset, used, register in (
            ("the address", self.address_offset, addresses, self.address),
            ("the data", self.data_offset, touched_bytes(message, size, *places, self.SPEC.sources), self.data),
            ("the result", self.result_offset, touched_bytes(message, size, *places), self.result),
        ):
            if register is not None:
                _check_range(what, 0 if offset is None else offset.value.data, used, register)

    def _check_message(self, target: Target) -> None:
        """The target has the message."""
        place = grf(0)
        instruction = Instruction(
            self.SPEC,
            self.exec_size.value.data,
            message=self.message.data,
            address=place,
            data=None if self.data is None else place,
            returned=None if self.result is None else place,
        )
        try:
            check_form(instruction)
            check_message(instruction, target, max(target.grf_counts))
        except IllegalInstruction as error:
            raise VerifyException(str(error)) from None


class FenceOp(InstructionOp):
    """A fence of one memory: all threads in `scope` see the accesses before it.

    ```mlir
    xe.fence {flush = "none", scope = "gpu", unit = "ugm"}
    ```
    """

    unit = prop_def(StringAttr)
    flush = prop_def(StringAttr)
    scope = prop_def(StringAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    def __init__(self, fence: FenceFields):
        super().__init__(
            properties={
                "unit": StringAttr(fence.unit.text),
                "flush": StringAttr(fence.flush.text),
                "scope": StringAttr(fence.scope.text),
            }
        )

    def fence(self) -> FenceFields:
        """The fields of the instruction."""
        return FenceFields(_UNITS[self.unit.data], _FLUSHES[self.flush.data], _SCOPES[self.scope.data])

    def verify_(self) -> None:
        for what, name, known in (
            ("unit", self.unit, _UNITS),
            ("flush", self.flush, _FLUSHES),
            ("scope", self.scope, _SCOPES),
        ):
            if name.data not in known:
                raise VerifyException(f"unknown {what} '{name.data}', expected one of {', '.join(known)}")


class BarrierOp(InstructionOp):
    """A signal to a barrier of the work-group, a wait, or both. A named barrier is in a register or a constant.

    ```mlir
    xe.barrier
    ```
    ```mlir
    xe.nbarrier.signal[%b : !xe.grf<64, 64>] {read = #xe.read<ud, 8, [0, 1, 0]>}
    ```
    """

    source = opt_operand_def(GRFType)
    read = opt_prop_def(BaseAttr(ReadAttr) | BaseAttr(ImmediateAttr))

    irdl_options = (ParsePropInAttrDict(),)
    # Brackets: without them, the result of the next line would be read as the source.
    assembly_format = "(`[` $source^ `:` type($source) `]`)? attr-dict"

    def __init__(self, source: tuple[SSAValue, Read] | Immediate | None = None):
        read = None
        if source is not None:
            read = ImmediateAttr(source) if isinstance(source, Immediate) else ReadAttr(source[1])
        super().__init__(operands=[source[0] if isinstance(source, tuple) else None], properties={"read": read})

    def verify_(self) -> None:
        if (self.read is not None) != (self.SPEC.sources > 0):
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs' if self.SPEC.sources else 'takes no'} `read`")
        if (self.source is not None) != isinstance(self.read, ReadAttr):
            raise VerifyException("a register and its `read` go together")
        if self.source is not None and isinstance(self.read, ReadAttr):
            _check_range("the source", self.read.data.offset, self.read.data.type.size, self.source)


_BASES: dict[InstructionFormat, type[InstructionOp]] = {
    InstructionFormat.ALU: AluOp,
    InstructionFormat.DPAS: DpasOp,
    InstructionFormat.MESSAGE: MessageOp,
    InstructionFormat.FENCE: FenceOp,
    InstructionFormat.BARRIER: BarrierOp,
}
_EFFECTS: dict[MemoryAccessKind, OpTrait] = {
    MemoryAccessKind.LOAD: MemoryReadEffect(),
    MemoryAccessKind.STORE: MemoryWriteEffect(),
    MemoryAccessKind.ATOMIC: MemoryWriteEffect(),
    MemoryAccessKind.PREFETCH: MemoryWriteEffect(),  # has no result: without an effect it would count as dead
}


def _define(spec: OpSpec) -> type[InstructionOp]:
    """The op class of one row."""
    base = _BASES[spec.format]
    name = "".join(part.capitalize() for part in spec.mnemonic.replace(".", "_").split("_")) + "Op"
    trait = Pure() if spec.access is None else _EFFECTS[spec.access]
    if base in (FenceOp, BarrierOp):
        trait = MemoryWriteEffect()  # nothing passes them, neither reads nor writes
    patterns = (AluPatterns(),) if spec.computes else ()
    fields = {"name": f"xe.{spec.mnemonic}", "traits": traits_def(trait, *patterns), "__doc__": spec.summary}
    op_class: type[InstructionOp] = irdl_op_definition(type(name, (base,), fields))
    op_class.SPEC = spec
    return op_class


INSTRUCTIONS: dict[str, type[InstructionOp]] = {spec.mnemonic: _define(spec) for spec in TABLE if spec.format in _BASES}
"""Mnemonic to op class, for every instruction that works on registers."""


def alu_op(mnemonic: str) -> type[AluOp]:
    """The op class of an ALU instruction; raises `KeyError` for a mnemonic that is none."""
    op_class = INSTRUCTIONS[mnemonic]
    if not issubclass(op_class, AluOp):
        raise KeyError(mnemonic)
    return op_class


def message_op(mnemonic: str) -> type[MessageOp]:
    """The op class of a message; raises `KeyError` for a mnemonic that is none."""
    op_class = INSTRUCTIONS[mnemonic]
    if not issubclass(op_class, MessageOp):
        raise KeyError(mnemonic)
    return op_class


def dpas_op() -> type[DpasOp]:
    """The op class of `dpas`."""
    op_class = INSTRUCTIONS["dpas"]
    assert issubclass(op_class, DpasOp)
    return op_class


def fence_op() -> type[FenceOp]:
    """The op class of `fence`."""
    op_class = INSTRUCTIONS["fence"]
    assert issubclass(op_class, FenceOp)
    return op_class


def barrier_op(mnemonic: str) -> type[BarrierOp]:
    """The op class of an instruction at a barrier; raises `KeyError` for a mnemonic that is none."""
    op_class = INSTRUCTIONS[mnemonic]
    if not issubclass(op_class, BarrierOp):
        raise KeyError(mnemonic)
    return op_class
