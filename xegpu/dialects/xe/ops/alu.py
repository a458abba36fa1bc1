"""Instructions that compute."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I32, ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    ParsePropInAttrDict,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.construction import initialize
from xegpu.dialects.xe.ops.attributes import ImmediateAttr, Read, ReadAttr, Write, WriteAttr
from xegpu.dialects.xe.ops.base import (
    UNIT,
    InstructionOp,
    check_channels,
    check_exec_size,
    check_predicate,
    check_range,
    decoded,
    has_operand,
    number,
    segments,
)
from xegpu.dialects.xe.ops.types import FlagType, GRFType
from xegpu.isa.model import Combination, Condition, DataType, Extra, Immediate

_LARGEST_TABLE = 255
_COMBINATIONS = {c.text: c for c in Combination if c.text}
_CONDITIONS = {c.text: c for c in Condition}
_CONDITION_ATTRIBUTES = {c: StringAttr(c.text) for c in Condition}


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
        properties: dict[str, Attribute | None] = {
            "exec_size": number(exec_size),
            "channel_offset": number(channel_offset) if channel_offset else None,
            "no_mask": UNIT if no_mask else None,
            "inverted": UNIT if inverted else None,
            "saturate": UNIT if saturate else None,
            "condition": _CONDITION_ATTRIBUTES[condition] if condition else None,
            "combination": StringAttr(combination.text) if combination.text else None,
            "table": None if table is None else IntegerAttr(table, i32),
            "write": WriteAttr(write) if write else None,
            "reads": ArrayAttr(reads),
            "operandSegmentSizes": segments(into is not None, flag is not None, len(inputs)),
            "resultSegmentSizes": segments(result is not None, flag_result, carry is not None),
        }
        operands = [operand for operand in (into, flag, *inputs) if operand is not None]
        results = [type for type in (result, FlagType.of() if flag_result else None, carry) if type is not None]
        initialize(self, operands, results, properties)

    def __post_init__(self) -> None:
        """Does nothing: no property has a default, and looking for one takes as long as the rest of construction."""

    @property
    def tied(self) -> SSAValue | None:
        return self.operands[0] if has_operand(self, 0) else None

    def read_values(self) -> tuple[SSAValue | None, SSAValue | None, Sequence[SSAValue]]:
        """Returns `into`, `flag` and `inputs`, in a third of the time that their accessors take together."""
        into, flag, _ = self._sizes("operandSegmentSizes")
        operands = list(self.operands)
        return operands[0] if into else None, operands[into] if flag else None, operands[into + flag :]

    def written_values(self) -> tuple[OpResult | None, OpResult | None, OpResult | None]:
        """Returns `result`, `flag_result` and `carry`, likewise."""
        result, flag, carry = self._sizes("resultSegmentSizes")
        values = self.results
        return values[0] if result else None, values[result] if flag else None, values[-1] if carry else None

    def _sizes(self, name: str) -> tuple[int, ...]:
        sizes = self.properties[name]
        assert isinstance(sizes, DenseArrayBase)
        return decoded(sizes.data.data)

    def condition_code(self) -> Condition | None:
        """The condition modifier."""
        return None if self.condition is None else _CONDITIONS[self.condition.data]

    def combination_code(self) -> Combination:
        """The way in which the predicate combines the bits of channels."""
        return Combination.NONE if self.combination is None else _COMBINATIONS[self.combination.data]

    def verify_(self) -> None:
        size = self.exec_size.value.data
        check_exec_size(size)
        check_channels(size, self.channel_offset)
        check_predicate(self.flag, self.inverted)
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
                check_range("a source", read.data.offset, span, next(registers))
        if self.result is not None and self.write is not None:
            write = self.write.data
            check_range("the result", write.offset, ((size - 1) * write.stride + 1) * write.type.size, self.result)

    def _check_extra(self, size: int) -> None:
        has_table, has_carry = self.SPEC.extra is Extra.TABLE, self.SPEC.extra is Extra.CARRY
        if (self.table is not None) != has_table:
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs a' if has_table else 'has no'} truth table")
        if self.table is not None and not 0 <= self.table.value.data <= _LARGEST_TABLE:
            raise VerifyException(f"truth table {self.table.value.data}, expected 0 to {_LARGEST_TABLE}")
        if (self.carry is not None) != has_carry:
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs a' if has_carry else 'has no'} carry")
        if self.carry is not None:
            check_range("the carry", 0, size * DataType.UD.size, self.carry)
