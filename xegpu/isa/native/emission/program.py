"""Whole kernels as native code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from xegpu.isa.code.flow import basic_blocks
from xegpu.isa.code.program import Program
from xegpu.isa.formats.footprint import footprint
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import AddressModel, AddressSize, BlockShape, FenceFields, MemoryScope, Message, Unit
from xegpu.isa.model.operands import (
    ADDRESS,
    CONTIGUOUS,
    NULL,
    SCALAR,
    Destination,
    Immediate,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.table import BY_MNEMONIC as MODEL
from xegpu.isa.model.types import DataType
from xegpu.isa.native.emission.legalization import legalized
from xegpu.isa.native.emission.legalization.parts import copy_dword, plain, scalar_move
from xegpu.isa.native.emission.payload import argument_prologue, local_id_prologue, mode_prologue
from xegpu.isa.native.emission.words.branches import branch, distance_fields
from xegpu.isa.native.emission.words.computations import computation
from xegpu.isa.native.emission.words.context import EmissionContext, UnsupportedEmission
from xegpu.isa.native.emission.words.messages import SCRATCH_SURFACE, access, end_of_thread, fence, signal
from xegpu.isa.native.encoding.instruction import WIDE_BYTES, NativeInstruction, encode_native
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC
from xegpu.isa.native.scoreboard.insertion import ScoreboardInserter
from xegpu.on_demand import dataclass
from xegpu.targets import Platform, Target

_ENTRY_ALIGNMENT = 64
"""The bytes that the places where threads may start are a multiple of."""

_BARRIER = 14
"""The function of `sync` that waits for the barrier of the work-group."""


_SHAPE_BYTE = 28
"""The place of the shape in payloads of blocks of two dimensions."""

_SCRATCH_BYTE, _SCRATCH_SHIFT = 20, 4
"""The place in the header of the offset of scratch space, and the shift that makes the name of its surface of it."""


_LAST_FENCE = Instruction(MODEL["fence"], no_mask=True, fence=FenceFields(Unit.UGM, scope=MemoryScope.LOCAL))


class EmissionError(ValueError):
    """An instruction of a kernel that there is no native code for; `index` counts the instructions."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(reason)
        self.index = index


@dataclass(frozen=True)
class NativeCode:
    """The native code of a kernel.

    Threads start at its begin; at `arguments_offset` if hardware has loaded their local ids, and at `entry_offset` if
    their arguments are in registers, too. `offsets` are those of the instructions that the code was made from.
    """

    code: bytes
    arguments_offset: int
    entry_offset: int
    offsets: tuple[int, ...]


@dataclass(frozen=True)
class _Jump:
    """A branch in the code, and the instructions of the program that its fields lead to."""

    position: int
    targets: dict[str, int]


def emit_native(
    target: Target, program: Program, grf_count: int, local_id_bytes: int, argument_bytes: int
) -> NativeCode:
    """Returns the native code of a program, whose payload has so many bytes of local ids and of arguments.

    The registers that emission needs, `RESERVED_REGISTERS` at the end of the file, must not occur in the program.

    Raises:
        EmissionError: There is no native code for an instruction.
        UnknownEncoding: The native words of the platform are not known.
    """
    messages = [instruction.message for instruction in program.instructions]
    platform = target.platform
    context = EmissionContext(
        platform,
        grf_count,
        any(map(_names_addresses, program.instructions)),
        any(message is not None and message.model is AddressModel.SCRATCH for message in messages),
    )
    _check_registers(program, target, context)
    inserter = ScoreboardInserter(platform)
    first_argument = 1 + -(-local_id_bytes // platform.grf_bytes)
    ids: list[NativeInstruction] = []
    if local_id_bytes:
        ids = _padded(platform, inserter.block(list(local_id_prologue(context, local_id_bytes, argument_bytes))))
    arguments = list(argument_prologue(context, first_argument, argument_bytes))
    start = [*ids, *_padded(platform, inserter.block(arguments))]
    code: list[NativeInstruction] = [*start, *inserter.block(list(mode_prologue(context)))]
    jumps: list[_Jump] = []
    positions: list[int] = []
    for block in basic_blocks(program):
        body: list[NativeInstruction] = []
        numbers: list[int] = []
        for index in range(block.start, block.end):
            numbers.append(len(body))
            try:
                body += _native(program.instructions[index], context)
            except UnsupportedEmission as error:
                raise EmissionError(index, str(error)) from None
        scheduled = list(inserter.block(body))
        places = _places(body, scheduled)
        positions += [len(code) + (places[number] if number < len(places) else len(scheduled)) for number in numbers]
        positions[block.start] = len(code)
        code += scheduled
        last = program.instructions[block.end - 1]
        if body and body[-1].opcode.is_branch:
            targets = _targets(program, block.end - 1, last, body[-1].opcode.form)
            jumps.append(_Jump(len(code) - 1, targets))
    for jump in jumps:
        distances = {
            name: WIDE_BYTES * (positions[target] - jump.position) & 0xFFFFFFFF for name, target in jump.targets.items()
        }
        code[jump.position] = replace(code[jump.position], fields={**code[jump.position].fields, **distances})
    return NativeCode(
        b"".join(map(encode_native, code)),
        WIDE_BYTES * len(ids),
        WIDE_BYTES * len(start),
        tuple(WIDE_BYTES * position for position in positions),
    )


def _names_addresses(instruction: Instruction) -> bool:
    """Returns whether an instruction reads or writes addresses of registers."""
    operands = [*instruction.sources, instruction.destination]
    registers = [operand.register for operand in operands if isinstance(operand, SourceRegister | Destination)]
    return any(register.file is RegisterFile.INDIRECT or register.is_part_of(ADDRESS) for register in registers)


def _check_registers(program: Program, target: Target, context: EmissionContext) -> None:
    """Checks that a program does not name reserved registers; those that it addresses at run time are not known."""
    grf_bytes, grf_count = context.platform.grf_bytes, context.grf_count
    for index, instruction in enumerate(program.instructions):
        operands = [source for source in instruction.sources if isinstance(source, SourceRegister)]
        if any(source.register.file is RegisterFile.INDIRECT for source in operands):
            continue
        found = footprint(instruction, target, grf_count, None)
        for span in (*found.reads, *found.writes):
            last = (span.end - 1) // grf_bytes
            if context.first_reserved <= last < grf_count:
                raise EmissionError(index, f"r{last} is reserved")


def _padded(platform: Platform, instructions: Iterable[NativeInstruction]) -> list[NativeInstruction]:
    """Returns instructions that end where threads may start."""
    found = list(instructions)
    nop = NativeInstruction(platform, BY_MNEMONIC["nop"], {})
    return found + [nop] * (-len(found) % (_ENTRY_ALIGNMENT // WIDE_BYTES))


def _places(body: Sequence[NativeInstruction], scheduled: Sequence[NativeInstruction]) -> list[int]:
    """Returns where instructions are among those that waits have been put between: each behind its waits."""
    places, number = [], 0
    for position, instruction in enumerate(scheduled):
        if number < len(body) and _is_same(instruction, body[number]):
            places.append(position)
            number += 1
    return places


def _is_same(instruction: NativeInstruction, original: NativeInstruction) -> bool:
    """Returns whether an instruction is another one but for its waits."""
    left = {name: value for name, value in instruction.fields.items() if name != "scoreboard"}
    return instruction.opcode == original.opcode and left == dict(original.fields)


def _targets(program: Program, index: int, instruction: Instruction, form: NativeForm) -> dict[str, int]:
    """Returns the instructions that the fields of a branch lead to."""
    targets = {}
    for name, distance in distance_fields(form, instruction).items():
        target = program.index_of(program.offsets[index] + distance)
        if target is None:
            raise EmissionError(index, "a branch out of the program")
        targets[name] = target
    return targets


def _native(instruction: Instruction, context: EmissionContext) -> Iterator[NativeInstruction]:
    """Yields what stands for an instruction."""
    spec, platform = instruction.spec, context.platform
    if instruction.ends_thread:
        if context.conventions.fences_at_end:
            yield from _fence(_LAST_FENCE, context)
        yield end_of_thread(context)
    elif spec.computes or spec.is_matrix_product:
        yield from _computed(instruction, context)
    elif instruction.fence is not None:
        yield from _fence(instruction, context)
    elif instruction.message is not None:
        yield from _access(instruction, instruction.message, context)
    elif instruction.mnemonic == "barrier":
        yield from _barrier(context)
    elif instruction.mnemonic == "nbarrier.signal":
        yield from _signal(instruction, context)
    elif instruction.mnemonic == "nbarrier.wait":
        yield _wait(instruction, context)
    elif instruction.mnemonic == "illegal":
        yield NativeInstruction(platform, BY_MNEMONIC["illegal"], {})
    elif instruction.mnemonic == "nop":
        return
    else:
        yield branch(platform, instruction)


def _access(instruction: Instruction, message: Message, context: EmissionContext) -> Iterator[NativeInstruction]:
    """Yields a message, whose offset is added to its addresses first."""
    if message.offset and instruction.address is not None and message.block is None:
        type = DataType.UQ if message.address_size is AddressSize.A64 else DataType.UD
        lanes = 1 if message.transposed else instruction.exec_size
        target = context.temporary(0)
        offset = Immediate.of(message.offset, DataType.D)
        add = Instruction(
            MODEL["add"],
            lanes,
            no_mask=True,
            destination=Destination(target, type),
            sources=(SourceRegister(instruction.address, type, CONTIGUOUS if lanes > 1 else SCALAR), offset),
        )
        yield from _computed(add, context)
        instruction = replace(instruction, address=target, message=replace(message, offset=0))
    if message.block is not None and instruction.address is not None and context.has_spills:
        # A payload that has been in scratch space states its shape again, for those who read the code.
        place = replace(instruction.address, byte=_SHAPE_BYTE)
        yield computation(context.platform, scalar_move(place, Immediate(DataType.UD, _shape(message.block))))
    if message.model is not AddressModel.SCRATCH:
        yield access(context, instruction)
        return
    kept = context.kept_address
    if context.has_addresses:
        yield computation(context.platform, copy_dword(instruction, kept, SCRATCH_SURFACE))
    header = SourceRegister(replace(context.header, byte=_SCRATCH_BYTE), DataType.UD, SCALAR)
    surface = Destination(SCRATCH_SURFACE, DataType.UD)
    shift = Immediate.of(_SCRATCH_SHIFT, DataType.UW)
    yield computation(context.platform, plain(instruction, "shr", surface, header, shift, lanes=1))
    yield access(context, instruction)
    if context.has_addresses:
        yield computation(context.platform, copy_dword(instruction, SCRATCH_SURFACE, kept))


def _shape(block: BlockShape) -> int:
    """Returns the shape of blocks as payloads state it."""
    return block.width - 1 | block.height - 1 << 8 | block.count - 1 << 16


def _computed(instruction: Instruction, context: EmissionContext) -> Iterator[NativeInstruction]:
    """Yields the instructions that compute what one of the model does."""
    for step in legalized(instruction, context):
        yield step if isinstance(step, NativeInstruction) else computation(context.platform, step)


def _fence(instruction: Instruction, context: EmissionContext) -> Iterator[NativeInstruction]:
    """Yields a fence, and a read of its answer, which waits until it has had its effect."""
    yield fence(context, instruction)
    answer = Instruction(
        MODEL["mov"],
        8,
        no_mask=True,
        destination=Destination(NULL, DataType.UD),
        sources=(SourceRegister(context.payload, DataType.UD, CONTIGUOUS),),
    )
    yield computation(context.platform, answer)


def _barrier(context: EmissionContext) -> Iterator[NativeInstruction]:
    """Yields a fence of local memory, the signal with the number of threads of the work-group, and the wait."""
    yield from _fence(Instruction(MODEL["fence"], no_mask=True, fence=FenceFields(Unit.SLM)), context)
    payload, header = context.payload, context.header
    yield computation(context.platform, scalar_move(replace(payload, byte=8), Immediate(DataType.UD, 0)))
    threads = SourceRegister(replace(header, byte=11), DataType.UB, SCALAR)
    count = Instruction(
        MODEL["mov"],
        2,
        no_mask=True,
        destination=Destination(replace(payload, byte=10), DataType.UB),
        sources=(threads,),
    )
    yield computation(context.platform, count)
    yield signal(context)
    yield _wait_for(context, 0)


def _signal(instruction: Instruction, context: EmissionContext) -> Iterator[NativeInstruction]:
    """Yields the signal of a named barrier, whose number and counts of threads go to the payload."""
    (named,) = instruction.sources
    target = Destination(replace(context.payload, byte=8), DataType.UD)
    yield computation(context.platform, plain(instruction, "mov", target, named, lanes=1))
    yield signal(context)


def _wait(instruction: Instruction, context: EmissionContext) -> NativeInstruction:
    """Returns the wait for a named barrier."""
    (number,) = instruction.sources
    if not isinstance(number, Immediate):
        raise UnsupportedEmission("the number of a named barrier is computed")
    return _wait_for(context, number.bits)


def _wait_for(context: EmissionContext, number: int) -> NativeInstruction:
    """Returns the wait for a barrier, which its instruction names where there are several."""
    named = {"src0.immediate": 1, "src0.type": 2, "src0.imm": number}
    fields = {"function": _BARRIER, "dst.stride": 1, **(named if context.platform.has_named_barriers else {})}
    return NativeInstruction(context.platform, BY_MNEMONIC["sync"], fields)
