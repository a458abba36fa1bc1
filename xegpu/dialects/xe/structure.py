"""Operations that hold a kernel together: the kernel itself, control flow, and what register allocation inserts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from xdsl.dialects.builtin import (
    I32,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i32,
)
from xdsl.ir import Block, Data, Region, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.patterns import CopyPatterns
from xegpu.dialects.xe.trip_count import TripCountAttr
from xegpu.dialects.xe.types import FlagType, GRFType, register_bytes, unplaced
from xegpu.isa.code import ImplicitArgument, KernelArgument
from xegpu.isa.cost import TripCount
from xegpu.targets import TARGETS


@irdl_attr_definition
class ArgumentAttr(Data[KernelArgument]):
    """`#xe.argument<"a" : "memref<4xf32>", at 0, 8 bytes, pointer global readonly>`: an explicit kernel argument.

    `address` in place of `pointer ...` marks a number that the kernel uses as an address.
    """

    name = "xe.argument"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> KernelArgument:
        with parser.in_angle_brackets():
            name = parser.parse_str_literal()
            parser.parse_punctuation(":")
            type_name = parser.parse_str_literal()
            parser.parse_punctuation(",")
            parser.parse_keyword("at")
            offset = parser.parse_integer()
            parser.parse_punctuation(",")
            size = parser.parse_integer()
            parser.parse_keyword("bytes")
            if parser.parse_optional_punctuation(",") is None:
                return KernelArgument(name, type_name, size, offset, False)
            if parser.parse_keyword_in(("pointer", "address")) == "address":
                return KernelArgument(name, type_name, size, offset, False, is_address=True)
            space = parser.parse_keyword_in(("global", "local"))
            access = parser.parse_keyword_in(("readonly", "writeonly", "readwrite"))
            return KernelArgument(name, type_name, size, offset, True, space, access)

    def print_parameter(self, printer: Printer) -> None:
        argument = self.data
        with printer.in_angle_brackets():
            printer.print_string_literal(argument.name)
            printer.print_string(" : ")
            printer.print_string_literal(argument.type_name)
            printer.print_string(f", at {argument.offset}, {argument.size} bytes")
            if argument.is_pointer:
                printer.print_string(f", pointer {argument.address_space} {argument.access}")
            elif argument.is_address:
                printer.print_string(", address")


@irdl_attr_definition
class ImplicitArgumentAttr(Data[ImplicitArgument]):
    """`#xe.implicit_argument<local_size, at 0, 12 bytes>`: a value that the runtime supplies."""

    name = "xe.implicit_argument"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ImplicitArgument:
        with parser.in_angle_brackets():
            kind = parser.parse_identifier()
            parser.parse_punctuation(",")
            parser.parse_keyword("at")
            offset = parser.parse_integer()
            parser.parse_punctuation(",")
            size = parser.parse_integer()
            parser.parse_keyword("bytes")
            return ImplicitArgument(kind, offset, size)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.data.kind}, at {self.data.offset}, {self.data.size} bytes")


SIMD_SIZES = (1, 8, 16, 32)
"""Work-items of a thread: 1 for kernels that work on whole subgroups."""


def _list(values: Sequence[int | float]) -> str:
    return ", ".join(map(str, values))


_Place = tuple[int, int, str]
"""Offset, size, and whose it is."""


def _overlaps(places: Sequence[_Place]) -> Iterator[tuple[_Place, _Place, int]]:
    """Neighbours that share bytes, the one that begins first in front, and where what they share ends."""
    for first, second in pairwise(sorted(places)):
        end = min(first[0] + first[1], second[0] + second[1])
        if second[0] < end:
            yield first, second, end


@irdl_op_definition
class KernelOp(IRDLOperation):
    """A kernel. The entry block's arguments are the registers that the thread starts with, at their places.

    ```mlir
    xe.kernel @k attributes {arguments = [#xe.argument<"a" : "memref<4xf32>", at 0, 8 bytes,
            pointer global readonly>],
        implicit_arguments = [#xe.implicit_argument<local_size, at 12, 12 bytes>],
        local_id_dimensions = 2 : i32, simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>, %payload: !xe.grf<64, 64 at 192>):
      xe.eot
    }
    ```

    `barrier_count`, `slm_size` (bytes per work-group) and `private_size` (bytes per thread, at the start of its scratch
    space) are what the kernel uses, 0 where they are left out. `grf_count` and `spill_size` (bytes per thread) are
    written by register allocation. `printf_strings` are the texts that the kernel prints.

    `work_group_size_hint` is the size of work-groups that the code was made for, where it needs no certain one.
    `required_subgroup_size` is what the program asked for. `ordered_subgroups` says that it matters which work-items
    share a subgroup, `indirect_accesses` how many descriptors are made of addresses found in memory.
    """

    name = "xe.kernel"

    sym_name = prop_def(SymbolNameConstraint())
    target = prop_def(StringAttr)
    simd_size = prop_def(IntegerAttr[I32])
    arguments = prop_def(ArrayAttr[ArgumentAttr])
    implicit_arguments = prop_def(ArrayAttr[ImplicitArgumentAttr])
    local_id_dimensions = prop_def(IntegerAttr[I32])
    required_work_group_size = opt_prop_def(DenseArrayBase)
    work_group_size_hint = opt_prop_def(DenseArrayBase)
    barrier_count = opt_prop_def(IntegerAttr[I32])
    slm_size = opt_prop_def(IntegerAttr[I32])
    private_size = opt_prop_def(IntegerAttr[I32])
    grf_count = opt_prop_def(IntegerAttr[I32])
    spill_size = opt_prop_def(IntegerAttr[I32])
    printf_strings = opt_prop_def(ArrayAttr[StringAttr])
    required_subgroup_size = opt_prop_def(IntegerAttr[I32])
    indirect_accesses = opt_prop_def(IntegerAttr[I32])
    ordered_subgroups = opt_prop_def(UnitAttr)
    body = region_def()

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    def __init__(
        self,
        name: str,
        target: str,
        simd_size: int,
        arguments: Sequence[KernelArgument],
        implicit_arguments: Sequence[ImplicitArgument],
        local_id_dimensions: int,
        required_work_group_size: DenseArrayBase | None,
        body: Region,
        *,
        work_group_size_hint: tuple[int, int, int] | None = None,
        barrier_count: int = 0,
        slm_size: int = 0,
        private_size: int = 0,
        printf_strings: Sequence[str] = (),
        required_subgroup_size: int = 0,
        indirect_accesses: int = 0,
        ordered_subgroups: bool = False,
    ):
        used = {
            "barrier_count": barrier_count,
            "slm_size": slm_size,
            "private_size": private_size,
            "required_subgroup_size": required_subgroup_size,
            "indirect_accesses": indirect_accesses,
        }
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "target": StringAttr(target),
                "simd_size": IntegerAttr(simd_size, i32),
                "arguments": ArrayAttr([ArgumentAttr(a) for a in arguments]),
                "implicit_arguments": ArrayAttr([ImplicitArgumentAttr(a) for a in implicit_arguments]),
                "local_id_dimensions": IntegerAttr(local_id_dimensions, i32),
                "required_work_group_size": required_work_group_size,
                "work_group_size_hint": None
                if work_group_size_hint is None
                else DenseArrayBase.from_list(i32, work_group_size_hint),
                **{name: IntegerAttr(amount, i32) for name, amount in used.items() if amount},
                "printf_strings": ArrayAttr(map(StringAttr, printf_strings)) if printf_strings else None,
                "ordered_subgroups": UnitAttr() if ordered_subgroups else None,
            },
            regions=[body],
        )

    def verify_(self) -> None:
        if not self.body.blocks:
            raise VerifyException("expected a body")
        if self.simd_size.value.data not in SIMD_SIZES:
            raise VerifyException(f"simd_size {self.simd_size.value.data}, expected one of {_list(SIMD_SIZES)}")
        self._verify_registers()
        self._verify_resources()
        wanted = self.required_subgroup_size
        if wanted is not None and wanted.value.data not in SIMD_SIZES:
            raise VerifyException(f"required_subgroup_size {wanted.value.data}, expected one of {_list(SIMD_SIZES)}")
        if self.resource("indirect_accesses") < 0:
            raise VerifyException(f"indirect_accesses {self.resource('indirect_accesses')}, expected at least 0")
        if not 0 <= self.local_id_dimensions.value.data <= 3:
            raise VerifyException(f"local_id_dimensions {self.local_id_dimensions.value.data}, expected 0 to 3")
        for name in ("required_work_group_size", "work_group_size_hint"):
            self._verify_group_size(name)
        self._verify_payload()

    def _verify_group_size(self, name: str) -> None:
        sizes = self.properties.get(name)
        if not isinstance(sizes, DenseArrayBase):
            return
        if len(sizes) != 3 or any(not isinstance(s, int) or s < 1 for s in sizes.iter_values()):
            raise VerifyException(f"{name} {_list(sizes.get_values())}, expected three positive sizes")

    def _verify_payload(self) -> None:
        """Arguments have bytes of their own in the payload, and what the thread starts with registers of its own."""
        places = [(a.data.offset, a.data.size, f"'{a.data.name}'") for a in self.arguments]
        places += [(a.data.offset, a.data.size, a.data.kind) for a in self.implicit_arguments]
        for offset, size, _ in places:
            if offset < 0 or size < 1:
                raise VerifyException(f"an argument of {size} bytes at {offset} has no place in the payload")
        for (_, _, first), (second_offset, _, second), end in _overlaps(places):
            raise VerifyException(
                f"arguments {first} and {second} share bytes {second_offset} to {end - 1} of the payload"
            )
        registers: list[tuple[int, int, str]] = []
        for argument in self.body.blocks[0].args:
            if not isinstance(argument.type, GRFType) or argument.type.address is None:
                raise VerifyException(f"what the thread starts with has a place, got {argument.type}")
            registers.append((argument.type.address, argument.type.size.data, f"#{argument.index}"))
        for (_, _, first), (second_offset, _, second), end in _overlaps(registers):
            raise VerifyException(
                f"block arguments {first} and {second} share bytes {second_offset} to {end - 1} of the registers"
            )

    def _verify_registers(self) -> None:
        """What register allocation wrote is what the target has."""
        target = TARGETS.get(self.target.data)
        count, spilled = self.grf_count, self.spill_size
        if count is not None and target is not None and count.value.data not in target.grf_counts:
            raise VerifyException(
                f"grf_count {count.value.data}, expected one of {_list(target.grf_counts)} on {target.name}"
            )
        if spilled is not None and spilled.value.data < 0:
            raise VerifyException(f"spill_size {spilled.value.data}, expected at least 0")

    def _verify_resources(self) -> None:
        """The target has the barriers and the memory that the kernel uses."""
        target = TARGETS.get(self.target.data)
        if target is None:
            return
        limits = {
            "barrier_count": max(target.barrier_counts),
            "slm_size": target.max_slm_bytes,
            "private_size": target.max_scratch_bytes,
        }
        for name, limit in limits.items():
            used = self.resource(name)
            if not 0 <= used <= limit:
                raise VerifyException(f"{name} {used}, expected 0 to {limit} on {target.name}")
        if self.resource("private_size") % target.grf_bytes:
            raise VerifyException(
                f"private_size {self.resource('private_size')}, expected whole registers of {target.grf_bytes} bytes"
            )

    def resource(self, name: str) -> int:
        """One of the numbers that are 0 where they are left out, as `barrier_count` or `slm_size`."""
        amount = self.properties.get(name)
        return amount.value.data if isinstance(amount, IntegerAttr) else 0


def _verify_sizes(what: str, source: SSAValue, result: SSAValue) -> None:
    before, after = register_bytes(source.type), register_bytes(result.type)
    if before != after:
        raise VerifyException(f"{what} changes its size: {before} to {after} bytes")


def verify_passed(values: Sequence[SSAValue], block: Block) -> None:
    """Raises `VerifyException` unless a block takes the values that a branch passes to it."""
    if len(values) != len(block.args):
        raise VerifyException(f"passes {len(values)} values to a block of {len(block.args)}")
    for passed, argument in zip(values, block.args, strict=True):
        if not isinstance(argument.type, GRFType):
            raise VerifyException(f"a block argument is no register block: {passed.type} and {argument.type}")
        _verify_sizes("a block argument", passed, argument)


_COPIED = BaseAttr(GRFType) | BaseAttr(FlagType)


def _verify_slot(slot: int) -> None:
    if slot < 0:
        raise VerifyException(f"slot {slot} of the scratch space is negative")


@irdl_op_definition
class UndefOp(IRDLOperation):
    """`%r = xe.undef : !xe.grf<128, 64>`: a register block with unspecified contents, to be filled piece by piece."""

    name = "xe.undef"

    result = result_def(GRFType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, result: GRFType):
        super().__init__(result_types=[result])


@irdl_op_definition
class CopyOp(IRDLOperation):
    """A copy of a whole register block, or of a flag to and from a dword: `mov` instructions, or nothing.

    The result may be aligned in another way. Register allocation gives both sides one place where it can.

    `%r = xe.copy %a : !xe.grf<8, 8> -> !xe.grf<8, 64>`
    """

    name = "xe.copy"

    source = operand_def(_COPIED)
    result = result_def(_COPIED)
    traits = traits_def(Pure(), CopyPatterns())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, result: GRFType | FlagType | None = None):
        super().__init__(operands=[source], result_types=[unplaced(source.type) if result is None else result])

    def verify_(self) -> None:
        if isinstance(self.source.type, FlagType) and isinstance(self.result.type, FlagType):
            raise VerifyException("no instruction copies a flag to a flag")
        _verify_sizes("the copy", self.source, self.result)


@irdl_op_definition
class SpillOp(IRDLOperation):
    """Stores a register block to the thread's scratch space at a byte offset.

    `xe.spill %a to 128 : !xe.grf<128, 64>`
    """

    name = "xe.spill"

    source = operand_def(GRFType)
    slot = prop_def(IntegerAttr[I32])
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$source `to` $slot attr-dict `:` type($source)"

    def __init__(self, source: SSAValue, slot: int):
        super().__init__(operands=[source], properties={"slot": IntegerAttr(slot, i32)})

    def verify_(self) -> None:
        _verify_slot(self.slot.value.data)


@irdl_op_definition
class FillOp(IRDLOperation):
    """Loads a register block from the thread's scratch space at a byte offset.

    `%r = xe.fill 128 : !xe.grf<128, 64>`
    """

    name = "xe.fill"

    slot = prop_def(IntegerAttr[I32])
    result = result_def(GRFType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$slot attr-dict `:` type($result)"

    def __init__(self, slot: int, result: GRFType):
        super().__init__(properties={"slot": IntegerAttr(slot, i32)}, result_types=[result])

    def verify_(self) -> None:
        _verify_slot(self.slot.value.data)


@irdl_op_definition
class BranchOp(IRDLOperation):
    """Goes to a block: `jmpi`, or nothing when the block follows.

    ```mlir
    xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32,
        simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>):
      xe.br ^bb1(%header : !xe.grf<64, 64 at 0>)
    ^bb1(%copy: !xe.grf<64, 64>):
      xe.eot
    }
    ```
    """

    name = "xe.br"

    arguments = var_operand_def(GRFType)
    successor = successor_def()
    traits = traits_def(IsTerminator())
    assembly_format = "$successor (`(` $arguments^ `:` type($arguments) `)`)? attr-dict"

    def __init__(self, successor: Block, arguments: Sequence[SSAValue] = ()):
        super().__init__(operands=[arguments], successors=[successor])

    def verify_(self) -> None:
        verify_passed(self.arguments, self.successor)


@irdl_op_definition
class CondBranchOp(IRDLOperation):
    """Goes to the first block if bit 0 of the flag is set, else to the second; both take no arguments.

    In the first block of a loop, `trip_count` says how often it runs, for the cost model.

    ```mlir
    xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32,
        simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>):
      %flag = xe.cmp(%header : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 1 : i32, no_mask,
          reads = [#xe.read<ud, 4>, #xe.imm<ud, 0>]} flag !xe.flag
      xe.cond_br %flag, ^bb1, ^bb2 : !xe.flag
    ^bb1:
      xe.br ^bb2
    ^bb2:
      xe.eot
    }
    ```
    """

    name = "xe.cond_br"

    flag = operand_def(FlagType)
    then_block = successor_def()
    else_block = successor_def()
    trip_count = opt_prop_def(TripCountAttr)
    traits = traits_def(IsTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$flag `,` $then_block `,` $else_block attr-dict `:` type($flag)"

    def __init__(self, flag: SSAValue, then_block: Block, else_block: Block, trips: TripCount | None = None):
        properties = {"trip_count": None if trips is None else TripCountAttr(trips)}
        super().__init__(operands=[flag], successors=[then_block, else_block], properties=properties)

    def verify_(self) -> None:
        if self.then_block.args or self.else_block.args:
            raise VerifyException("leads to a block with arguments, but passes none")
        kernel = self.parent_op()
        argument = None if self.trip_count is None else self.trip_count.data.argument
        if argument is not None and isinstance(kernel, KernelOp) and argument >= len(kernel.arguments):
            raise VerifyException(f"trip_count of argument {argument}, the kernel has {len(kernel.arguments)}")


@irdl_op_definition
class EndOp(IRDLOperation):
    """`xe.eot` ends the thread."""

    name = "xe.eot"

    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__()


@irdl_op_definition
class IllegalOp(IRDLOperation):
    """`xe.illegal` stops the launch with a fault."""

    name = "xe.illegal"

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__()
