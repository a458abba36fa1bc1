"""Turns allocated `xe.kernel` operations into instructions, code and the facts about a kernel that a ZEBIN holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import I32, IntegerAttr, LocationAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from xegpu import targets
from xegpu.diagnostics import CompileError, resolve
from xegpu.dialects.xe.clock import ClockOp
from xegpu.dialects.xe.control import CondGotoOp, GotoOp, JoinOp
from xegpu.dialects.xe.kernel import KernelOp, kernels_of
from xegpu.dialects.xe.lookup import LookupOp
from xegpu.dialects.xe.ops import AluOp, BarrierOp, DpasOp, FenceOp, ImageOp, MessageOp
from xegpu.dialects.xe.ops.attributes import ImmediateAttr, Read, ReadAttr
from xegpu.dialects.xe.ops.types import FlagType, GRFType, register_type
from xegpu.dialects.xe.structure import (
    BranchOp,
    CondBranchOp,
    CopyOp,
    EndOp,
    FillOp,
    IllegalOp,
    SpillOp,
    UndefOp,
    scratch_bytes,
)
from xegpu.dialects.xe.symbols import SymbolAddressOp, imports_variable, referenced_variable, variables_of
from xegpu.isa import WORD_BYTES
from xegpu.isa.code import (
    CompiledKernel,
    LineTable,
    Program,
    SourcePlace,
    SymbolReference,
    code_features,
    encode_checked_program,
    instruction_offsets,
)
from xegpu.isa.cost import TripCount, kernel_cost
from xegpu.isa.formats import validate
from xegpu.isa.model import (
    BY_MNEMONIC,
    CONTIGUOUS,
    FLAGS,
    NULL,
    PACKED_AS,
    SCALAR,
    TIMESTAMP,
    TIMESTAMP_BYTES,
    AddressModel,
    AddressSize,
    Combination,
    ConditionModifier,
    DataSize,
    DataType,
    Destination,
    Flag,
    IllegalInstruction,
    Immediate,
    Instruction,
    Message,
    Predicate,
    Register,
    RegisterFile,
    SourceRegister,
    Unit,
    grf,
    integer,
)
from xegpu.isa.native import RESERVED_REGISTERS, EmissionError, UnknownEncoding, emit_native
from xegpu.isa.text import format_instruction
from xegpu.targets import Target

_MAX_SCRATCH_VECTOR = 64
_BRANCH = BY_MNEMONIC["jmpi"]
_ALL_CHANNELS = 32
"""Channels of a thread that works on a whole subgroup."""


def compiled_kernels(module: ModuleOp) -> list[CompiledKernel]:
    """All allocated kernels of a module, in order. Raises `CompileError` for one that is not allocated or not legal."""
    return [_compile(kernel) for kernel in kernels_of(module)]


def kernel_target(kernel: KernelOp) -> Target:
    """Returns the target of a kernel; raises `CompileError` for an unknown one."""
    try:
        return targets.get(kernel.target.data)
    except ValueError as error:
        raise CompileError(kernel, str(error)) from None


def _compile(kernel: KernelOp) -> CompiledKernel:
    name = kernel.sym_name.data
    if not kernel.is_allocated:
        raise CompileError(kernel, f"'{name}' has no registers yet: run xe-allocate-registers")
    target = kernel_target(kernel)
    emitter = KernelEmitter(kernel, target)
    emitted = emitter.run()
    instructions = [instruction for instruction, _ in emitted]
    try:
        code = encode_checked_program(instructions, target.platform.grf_bytes)
    except IllegalInstruction as error:
        raise CompileError(kernel, f"'{name}': {error}") from error
    program = emitter.program()
    if kernel.native is not None:
        return _native_kernel(kernel, emitter, [location for _, location in emitted])
    module = kernel.parent_op()
    return CompiledKernel(
        name,
        emitter.facts,
        code,
        WORD_BYTES,
        code_features(program, target, emitter.grf_count),
        _line_table(kernel, [location for _, location in emitted], program, len(code)),
        kernel_cost(program, target, emitter.grf_count, emitter.trip_counts),
        emitter.symbol_references(program),
        () if module is None else tuple(variables_of(module)),
    )


def _native_kernel(kernel: KernelOp, emitter: KernelEmitter, locations: Sequence[LocationAttr]) -> CompiledKernel:
    """Returns a kernel in native code."""
    name, target, facts, program = kernel.sym_name.data, emitter.target, emitter.facts, emitter.program()
    if emitter.references:
        index, symbol = emitter.references[0]
        raise CompileError(locations[index], f"'{name}': there is no native code for the address of '@{symbol}'")
    try:
        native = emit_native(target, program, emitter.grf_count, facts.local_id_bytes(target), facts.cross_thread_size)
    except UnknownEncoding as error:
        raise CompileError(kernel, f"'{name}': {error}") from None
    except EmissionError as error:
        text = format_instruction(program.instructions[error.index])
        raise CompileError(
            locations[error.index], f"'{name}': there is no native code for '{text.strip()}': {error}"
        ) from None
    places = [_place(kernel.location), *map(_place, locations)]
    return CompiledKernel(
        name,
        facts,
        native.code,
        native.entry_offset,
        code_features(program, target, emitter.grf_count),
        LineTable.of(zip((0, *native.offsets), places, strict=True), len(native.code)),
        arguments_offset=native.arguments_offset,
    )


def _line_table(kernel: KernelOp, locations: Sequence[LocationAttr], program: Program, end: int) -> LineTable:
    """The source locations of the header word (that of the kernel itself) and of the instructions after it."""
    # Instructions that come from one operation share its location.
    places: dict[int, SourcePlace | None] = {}
    for location in locations:
        if id(location) not in places:
            places[id(location)] = _place(location)
    found = (_place(kernel.location), *(places[id(location)] for location in locations))
    return LineTable.of(zip((0, *program.offsets), found, strict=True), end)


def _place(location: LocationAttr) -> SourcePlace | None:
    found = resolve(location)
    return None if found is None else SourcePlace(*found)


def _number(attribute: IntegerAttr[I32] | None) -> int:
    return 0 if attribute is None else attribute.value.data


class KernelEmitter:
    """Emits one kernel block after block and then fills in where branches go."""

    def __init__(self, kernel: KernelOp, target: Target):
        self.kernel, self.target = kernel, target
        self.facts = kernel.facts
        self.grf_count = self.facts.grf_count
        self.instructions: list[tuple[Instruction, LocationAttr]] = []
        self.starts: dict[Block, int] = {}
        self.joins: dict[Block, int] = {}
        self.branches: list[tuple[int, Block]] = []
        self.gotos: list[tuple[int, Block | None, Block | None]] = []
        """(goto or join, block whose join channels wait at, block for no channels: the next instruction if None)"""

        self.trip_counts: dict[int, TripCount] = {}
        """Of loops, by the index of an instruction in their first block."""

        self.references: list[tuple[int, str]] = []
        """Instructions, by index, that take the address of a symbol."""

    def run(self) -> list[tuple[Instruction, LocationAttr]]:
        """The kernel's instructions and the source location of each."""
        blocks = list(self.kernel.body.blocks)
        for block, following in zip(blocks, [*blocks[1:], None], strict=True):
            self.starts[block] = len(self.instructions)
            for op in block.ops:
                for instruction in self._emit(op, block, following):
                    try:
                        validate(instruction, self.target, self.grf_count)
                    except IllegalInstruction as error:
                        raise CompileError(op.location, f"kernel '{self.kernel.sym_name.data}': {error}") from error
                    self.instructions.append((instruction, op.location))
        self._fill_in_distances()
        return self.instructions

    def program(self) -> Program:
        """The kernel's instructions at their addresses after the header word."""
        instructions = tuple(instruction for instruction, _ in self.instructions)
        offsets = tuple(WORD_BYTES + offset for offset in instruction_offsets(instructions)[:-1])
        return Program(self.target.platform.grf_bytes, instructions, offsets)

    def symbol_references(self, program: Program) -> tuple[SymbolReference, ...]:
        """The offsets of addresses of symbols in the code: each is in the word after the instruction that takes it."""
        offsets = program.offsets
        return tuple(SymbolReference(offsets[index] + WORD_BYTES, symbol) for index, symbol in self.references)

    def _fill_in_distances(self) -> None:
        offsets = instruction_offsets([i for i, _ in self.instructions])
        for index, block in self.branches:
            instruction, location = self.instructions[index]
            target = offsets[self.starts[block]] - offsets[index]
            self.instructions[index] = replace(instruction, target=target), location
        for index, waiting, empty in self.gotos:
            instruction, location = self.instructions[index]
            places = [
                0 if waiting is None else self.joins[waiting],
                index + 1 if empty is None else self.starts[empty],
            ]
            target, join = (offsets[place] - offsets[index] for place in places)
            if join <= 0 or (waiting is not None and target <= 0):
                raise CompileError(location, f"{instruction.mnemonic} leads up: blocks that it names must follow")
            instruction = replace(instruction, target=0 if waiting is None else target, join=join)
            self.instructions[index] = instruction, location

    def _emit(self, op: Operation, block: Block, following: Block | None) -> Iterator[Instruction]:
        match op:
            case AluOp():
                yield self._alu(op)
            case DpasOp():
                yield self._dpas(op)
            case MessageOp():
                yield self._message(op)
            case ImageOp():
                yield self._image(op)
            case FenceOp():
                yield Instruction(op.SPEC, no_mask=True, fence=op.fence())
            case BarrierOp():
                yield Instruction(op.SPEC, no_mask=True, sources=self._barrier_source(op))
            case LookupOp():
                offsets = self._register(op.offsets, op.offsets_at.value.data)
                result = self._register(op.result, op.write.data.offset)
                yield from op.instructions(self._address(op.source), offsets, result)
            case CopyOp():
                yield from self._copy(op.source, op.result)
            case SpillOp():
                yield from self._scratch("store", op.source, op.slot.value.data)
            case FillOp():
                yield from self._scratch("load", op.result, op.slot.value.data)
            case BranchOp():
                if op.successor is not following:
                    yield self._jump(op.successor, len(self.instructions))
            case CondBranchOp():
                yield from self._conditional_jump(op, following)
            case GotoOp():
                yield self._goto("goto", op.join, op.empty)
            case CondGotoOp():
                predicate = self._predicate(op.flag, op.inverted is not None)
                yield self._goto("goto", op.join, op.join, predicate)
                if op.following is not following:
                    yield self._jump(op.following, len(self.instructions))
            case JoinOp():
                self.joins[block] = len(self.instructions)
                yield self._goto("join", None, op.empty)
                if op.following is not following:
                    yield self._jump(op.following, len(self.instructions))
            case EndOp():
                yield Instruction(BY_MNEMONIC["eot"])
            case SymbolAddressOp():
                yield self._symbol_address(op)
            case ClockOp():
                yield self._clock(op)
            case IllegalOp():
                yield Instruction(BY_MNEMONIC["illegal"])
            case UndefOp():
                pass
            case _:
                raise CompileError(op, "is no instruction of the virtual Xe ISA")

    # Operands --------------------------------------------------------------------------------------------------------

    def _register(self, value: SSAValue, offset: int = 0) -> Register:
        type = value.type
        if isinstance(type, FlagType):
            return Register(RegisterFile.ARF, FLAGS[self._flag(value).number].number)
        address = type.address if isinstance(type, GRFType) else None
        if address is None:
            raise CompileError(self.kernel, f"'{self.kernel.sym_name.data}' is not completely allocated")
        number, byte = divmod(address + offset, self.target.platform.grf_bytes)
        return grf(number, byte)

    def _address(self, value: SSAValue) -> int:
        """Byte address of a register block in the register file."""
        register = self._register(value)
        return register.number * self.target.platform.grf_bytes + register.byte

    def _flag(self, value: SSAValue) -> Flag:
        type = value.type
        index = type.index if isinstance(type, FlagType) else None
        if index is None:
            raise CompileError(self.kernel, f"'{self.kernel.sym_name.data}' has a flag that is not allocated")
        return Flag(index // 2, index % 2)

    def _source(self, value: SSAValue, read: Read) -> SourceRegister:
        return SourceRegister(self._register(value, read.offset), read.type, read.region, read.negate, read.absolute)

    # Instructions ----------------------------------------------------------------------------------------------------

    def _alu(self, op: AluOp) -> Instruction:
        _, flag, inputs = op.read_values()
        result, flag_result, carry = op.written_values()
        registers = iter(inputs)
        sources: list[SourceRegister | Immediate] = []
        for read in op.reads.data:
            if isinstance(read, ImmediateAttr):
                sources.append(read.data)
            else:
                sources.append(self._source(next(registers), read.data))
        destination = Destination(NULL, _null_type(sources))
        if result is not None and op.write is not None:
            write = op.write.data
            destination = Destination(self._register(result, write.offset), write.type, write.stride)
        condition = op.condition_code()
        modifier = None
        if condition is not None:
            modifier = ConditionModifier(condition, None if flag_result is None else self._flag(flag_result))
        return Instruction(
            op.SPEC,
            op.exec_size.value.data,
            0 if op.channel_offset is None else op.channel_offset.value.data,
            op.no_mask is not None,
            self._predicate(flag, op.inverted is not None, op.combination_code()),
            modifier,
            op.saturate is not None,
            destination,
            tuple(sources),
            table=0 if op.table is None else op.table.value.data,
            carry=None if carry is None else self._register(carry),
        )

    def _predicate(
        self, flag: SSAValue | None, inverted: bool, combination: Combination = Combination.NONE
    ) -> Predicate | None:
        return None if flag is None else Predicate(self._flag(flag), inverted, combination)

    def _dpas(self, op: DpasOp) -> Instruction:
        c, b, a = (attribute.data for attribute in op.reads if isinstance(attribute, ReadAttr))
        accumulator = SourceRegister(NULL, c.type) if op.c is None else self._source(op.c, c)
        write = op.write.data
        return Instruction(
            op.SPEC,
            op.exec_size.value.data,
            no_mask=True,
            destination=Destination(self._register(op.result, write.offset), write.type),
            sources=(accumulator, self._source(op.b, b), self._source(op.a, a)),
            repeat=op.repeat.value.data,
        )

    def _message(self, op: MessageOp) -> Instruction:
        return Instruction(
            op.SPEC,
            op.exec_size.value.data,
            _number(op.channel_offset),
            op.no_mask is not None,
            self._predicate(op.flag, op.inverted is not None),
            message=op.message.data,
            returned=self._optional(op.result, op.result_offset),
            address=self._register(op.address, _number(op.address_offset)),
            data=self._optional(op.data, op.data_offset),
        )

    def _image(self, op: ImageOp) -> Instruction:
        return Instruction(
            op.SPEC,
            op.exec_size.value.data,
            _number(op.channel_offset),
            op.no_mask is not None,
            self._predicate(op.flag, op.inverted is not None),
            image=op.image.data,
            returned=self._optional(op.result, op.result_offset),
            address=self._register(op.address, _number(op.address_offset)),
            surface=self._register(op.surface, _number(op.surface_offset)),
            sampler=self._optional(op.sampler, op.sampler_offset),
            data=self._optional(op.data, op.data_offset),
        )

    def _optional(self, value: SSAValue | None, offset: IntegerAttr[I32] | None) -> Register | None:
        return None if value is None else self._register(value, _number(offset))

    def _symbol_address(self, op: SymbolAddressOp) -> Instruction:
        """A `mov` of an immediate in a word of its own, which the loader fills in."""
        name = op.symbol.root_reference.data
        if referenced_variable(self.kernel, op.symbol) is None and not imports_variable(self.kernel, op.symbol):
            raise CompileError(op, f"'@{name}' is no variable of the module that has a value in global memory")
        self.references.append((len(self.instructions), name))
        destination = Destination(self._register(op.result), DataType.UQ)
        return Instruction(
            BY_MNEMONIC["mov"], 1, no_mask=True, destination=destination, sources=(Immediate.of(0, DataType.UQ),)
        )

    def _clock(self, op: ClockOp) -> Instruction:
        """A `mov` of the dwords of the timestamp register."""
        cycles = SourceRegister(Register(RegisterFile.ARF, TIMESTAMP.number), DataType.UD, CONTIGUOUS)
        dwords = TIMESTAMP_BYTES // DataType.UD.size
        destination = Destination(self._register(op.result), DataType.UD)
        return Instruction(BY_MNEMONIC["mov"], dwords, no_mask=True, destination=destination, sources=(cycles,))

    def _barrier_source(self, op: BarrierOp) -> tuple[SourceRegister | Immediate, ...]:
        if isinstance(op.read, ImmediateAttr):
            return (op.read.data,)
        return () if op.source is None or op.read is None else (self._source(op.source, op.read.data),)

    def _copy(self, source: SSAValue, result: SSAValue) -> Iterator[Instruction]:
        """Moves of up to two registers each, or of a flag; a value that stays where it is needs none."""
        origin, place, moves = self._register(source), self._register(result), []
        if origin == place:
            return
        if RegisterFile.ARF in (origin.file, place.file):
            dword = DataType.UD
            yield Instruction(
                BY_MNEMONIC["mov"],
                no_mask=True,
                destination=Destination(place, dword),
                sources=(SourceRegister(origin, dword, SCALAR),),
            )
            return
        start, size = 0, register_type(result).size.data
        while start < size:
            left = size - start
            unit = next(u for u in (4, 2, 1) if left >= u)
            channels = min(32, 1 << (left // unit).bit_length() - 1)
            bits = integer(unit * 8, signed=False)
            moves.append(
                Instruction(
                    BY_MNEMONIC["mov"],
                    channels,
                    no_mask=True,
                    destination=Destination(self._register(result, start), bits),
                    sources=(SourceRegister(self._register(source, start), bits, CONTIGUOUS),),
                )
            )
            start += channels * unit
        # The blocks may overlap: every byte is read before it is overwritten.
        upward = (place.number, place.byte) < (origin.number, origin.byte)
        yield from moves if upward else reversed(moves)

    def _scratch(self, mnemonic: str, value: SSAValue, slot: int) -> Iterator[Instruction]:
        """Block messages to the thread's scratch space, where slots follow the kernel's private memory.

        Their address comes from the last register that emission of native code leaves to kernels.
        """
        type = value.type
        assert isinstance(type, GRFType)
        slot += self.facts.private_size
        reserved = 0 if self.kernel.native is None else RESERVED_REGISTERS
        address = Register(RegisterFile.GRF, self.grf_count - reserved - 1)
        yield Instruction(
            BY_MNEMONIC["mov"],
            no_mask=True,
            destination=Destination(address, DataType.UD),
            sources=(Immediate.of(slot, DataType.UD),),
        )
        start, size = 0, scratch_bytes(type.size.data)
        while start < size:
            qwords = -(-(size - start) // 8)
            vector = min(_MAX_SCRATCH_VECTOR, 1 << qwords.bit_length() - 1)
            message = Message(
                Unit.UGM,
                DataSize.D64,
                vector,
                transposed=True,
                address_size=AddressSize.A32,
                model=AddressModel.SCRATCH,
                offset=start,
            )
            register = self._register(value, start)
            yield Instruction(
                BY_MNEMONIC[mnemonic],
                no_mask=True,
                message=message,
                returned=register if mnemonic == "load" else None,
                address=address,
                data=register if mnemonic == "store" else None,
            )
            start += vector * 8

    # Branches --------------------------------------------------------------------------------------------------------

    def _jump(self, block: Block, index: int, predicate: Predicate | None = None) -> Instruction:
        self.branches.append((index, block))
        return Instruction(_BRANCH, no_mask=True, predicate=predicate)

    def _goto(
        self, mnemonic: str, waiting: Block | None, empty: Block | None, predicate: Predicate | None = None
    ) -> Instruction:
        self.gotos.append((len(self.instructions), waiting, empty))
        lanes = self.facts.simd_size
        return Instruction(BY_MNEMONIC[mnemonic], _ALL_CHANNELS if lanes == 1 else lanes, predicate=predicate)

    def _conditional_jump(self, op: CondBranchOp, following: Block | None) -> Iterator[Instruction]:
        flag, index = self._flag(op.flag), len(self.instructions)
        if op.trip_count is not None:
            self.trip_counts[index] = op.trip_count.data
        if op.then_block is following:
            yield self._jump(op.else_block, index, Predicate(flag, inverted=True))
            return
        yield self._jump(op.then_block, index, Predicate(flag))
        if op.else_block is not following:
            yield self._jump(op.else_block, index + 1)


def _null_type(sources: Sequence[SourceRegister | Immediate]) -> DataType:
    """Type of a null destination: that of the first source, which decides nothing."""
    first = sources[0].type
    return PACKED_AS.get(first, first)
