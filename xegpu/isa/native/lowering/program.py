"""Native code as a program of the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise

from xegpu.isa.code.flow import never_goes_on
from xegpu.isa.code.program import Program
from xegpu.isa.formats import DecodeError
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.kernel import Binding
from xegpu.isa.model.operands import SCALAR, Destination, Immediate, SourceRegister, grf
from xegpu.isa.model.table import BY_MNEMONIC
from xegpu.isa.model.types import DataType
from xegpu.isa.native.encoding.instruction import NativeInstruction, decode_native
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.lowering.alu import COMPUTING, lower_alu
from xegpu.isa.native.lowering.constants import constant_words
from xegpu.isa.native.lowering.context import BoundAddress, LoweringContext, UnsupportedInstruction
from xegpu.isa.native.lowering.control import NOP, lower_branch, lower_sync, waits_for_barrier
from xegpu.isa.native.lowering.messages import lower_send, needs_words
from xegpu.isa.native.lowering.modes import without_modes
from xegpu.isa.native.text.formatter import format_native, source_count
from xegpu.targets import Platform


def lower_native(
    platform: Platform,
    code: bytes,
    parts: Sequence[int],
    grf_count: int,
    bindings: Sequence[BoundAddress] = (),
    *,
    all_channels: bool = False,
) -> Program:
    """Returns the program of a kernel, which begins at the first offset of `parts`, with its payload in the registers.

    At the other ones, which ascend, functions of other sections begin. Accumulators are registers behind the
    `grf_count` general ones, and so are the addresses of `bindings`, which the program moves there before all else.
    Several instructions of the program may have the offset of one native instruction. Threads start with all channels
    on if `all_channels` says so.

    Raises `DecodeError` for words that are no instructions, and for those that are not executed.
    """
    context = LoweringContext(grf_count, platform.grf_bytes, bindings)
    instructions = list(_kept_bindings(context))
    offsets = [parts[0] - 1] * len(instructions)
    decoded = _reached(platform, code, parts)
    natives, places = [native for _, native in decoded], [offset for offset, _ in decoded]
    words = constant_words(natives, places, needs_words, all_channels=all_channels)
    for index, (offset, native) in enumerate(decoded):
        if _is_notified(native) and not _waits([later for _, later in decoded[index + 1 :]]):
            raise DecodeError(offset, "register n0.0 is read, and no 'sync.bar' behind that waits for the barrier")
        lowered = _lowered(offset, native, replace(context, words=words[index]) if index in words else context)
        instructions += lowered
        offsets += [offset] * len(lowered)
    return _checked(Program(platform.grf_bytes, tuple(without_modes(instructions)), tuple(offsets)))


def _is_notified(native: NativeInstruction) -> bool:
    """Returns whether an instruction asks whether the barrier has completed."""
    return any(operands.reads_notification(native, f"src{index}") for index in range(source_count(native)))


def _waits(later: Iterable[NativeInstruction]) -> bool:
    """Returns whether instructions in a row come to a wait for the barrier before they do what others may see.

    Code without optimizations asks in a loop before it waits. Here it is told at once that the barrier has completed,
    and the wait is where it is made to stay.
    """
    seen = dropwhile(lambda native: native.opcode.form in COMPUTING or native.opcode.mnemonic == "while", later)
    found = next(seen, None)
    return found is not None and found.opcode.form is NativeForm.SYNC and waits_for_barrier(found)


def _reached(platform: Platform, code: bytes, parts: Sequence[int]) -> list[tuple[int, NativeInstruction]]:
    """Returns the instructions that control may come to, with their offsets.

    Compilers write other words behind the last one: padding, and a hash of the kernel. Raises `DecodeError`.
    """
    found: dict[int, NativeInstruction] = {}
    waiting = list(parts)
    while waiting:
        offset = waiting.pop()
        while offset not in found and 0 <= offset < len(code):
            native = found[offset] = decode_native(platform, code, offset)
            leads = _leads(offset, native)
            if leads is not None:
                waiting += [offset + distance for distance in leads.distances]
                if never_goes_on(leads):
                    break
            offset += native.size
    decoded = sorted(found.items())
    for (offset, native), (following, _) in pairwise(decoded):
        if offset + native.size > following:
            raise DecodeError(following, "control comes to the middle of an instruction")
    return decoded


def _leads(offset: int, native: NativeInstruction) -> Instruction | None:
    """Returns what stands for an instruction that may not lead to the next one; None for all others."""
    if native.opcode.is_branch or native.opcode.form is NativeForm.ILLEGAL or native["eot"]:
        return _lowered(offset, native, _NO_REGISTERS)[0]
    return None


def _kept_bindings(context: LoweringContext) -> Iterator[Instruction]:
    """Yields moves of addresses from the payload, which code overwrites, to registers that it does not see."""
    for index, binding in enumerate(context.bindings):
        register, byte = divmod(binding.byte, context.grf_bytes)
        yield Instruction(
            BY_MNEMONIC["mov"],
            no_mask=True,
            destination=Destination(context.binding(index), DataType.UQ),
            sources=(SourceRegister(grf(register, byte), DataType.UQ, SCALAR),),
        )
        if binding.handle is not None:
            # Messages read the address through it, as the byte of the register that keeps it.
            type = DataType.UQ if binding.handle_bytes == Binding.SIZE else DataType.UD
            kept, (register, byte) = context.binding(index), divmod(binding.handle, context.grf_bytes)
            yield Instruction(
                BY_MNEMONIC["mov"],
                no_mask=True,
                destination=Destination(grf(register, byte), type),
                sources=(Immediate(type, kept.number * context.grf_bytes + kept.byte),),
            )


def _lowered(offset: int, native: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    try:
        return lower(native, context)
    except UnsupportedInstruction as error:
        text = " ".join(format_native(native).split())
        raise DecodeError(offset, f"'{text}': {error}") from None


def lower(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns what stands for one instruction. Raises `UnsupportedInstruction`."""
    form = instruction.opcode.form
    if form in COMPUTING:
        return lower_alu(instruction, context)
    if form is NativeForm.SEND:
        return lower_send(instruction, context)
    if form is NativeForm.SYNC:
        return (lower_sync(instruction),)
    if instruction.opcode.is_branch:
        return (lower_branch(instruction),)
    return (NOP if form is NativeForm.NOP else _ILLEGAL,)


_NO_REGISTERS = LoweringContext(0, 1)
_ILLEGAL = Instruction(BY_MNEMONIC["illegal"], no_mask=True)


def _checked(program: Program) -> Program:
    """Returns the program if all its branches lead to instructions. Raises `DecodeError`."""
    for offset, instruction in zip(program.offsets, program.instructions, strict=True):
        for distance in instruction.distances:
            if program.index_of(offset + distance) is None:
                raise DecodeError(offset, f"branch to {offset + distance:#x}, which is not an instruction")
    return program
