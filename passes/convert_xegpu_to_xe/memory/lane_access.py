"""Transfers elements of each lane, one message after the other, between memory and the register layout of a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from xegpu.isa.model import DataType, Message, data_bytes, integer


@dataclass(frozen=True)
class LaneMessage:
    """A message; `places` are the positions in the register layout of the elements that its lanes access.

    Where lanes access several elements, the first elements of all lanes come first, then the second ones, and so on.
    A block (a transposed message) is that of one lane, whose elements are adjacent.
    Lanes without the `condition` are inactive. If `masked`, lanes are work-items, and those that the execution mask
    disables are inactive too.
    """

    message: Message
    addresses: SSAValue
    places: Sequence[int]
    condition: Elements | None
    masked: bool

    @property
    def lanes(self) -> int:
        return len(self.places) // self.message.vector

    def data_bytes(self, emit: XeEmitter) -> int:
        """Bytes of the data registers."""
        return data_bytes(
            self.message, self.lanes, emit.target.platform.grf_bytes, emit.target.platform.physical_simd_width
        )

    def slots(self, emit: XeEmitter) -> list[int]:
        """Positions in the data registers of the elements in `places`, in units of elements."""
        size = self.message.data_size
        if self.message.transposed:
            return [*range(self.message.vector)]
        stride = size.register_bytes // size.memory_bytes
        block = self.data_bytes(emit) // self.message.vector // size.memory_bytes
        return [v * block + lane * stride for v in range(self.message.vector) for lane in range(self.lanes)]

    def flag(self, emit: XeEmitter) -> SSAValue | None:
        """Returns the flag with the condition."""
        return None if self.condition is None else emit.flag(self.condition, 0, self.lanes)


def load_steps(
    emit: XeEmitter, steps: Iterable[LaneMessage], type: DataType, count: int, other: Number | None
) -> SSAValue:
    """Returns the register layout of `count` elements; those whose conditions do not hold come from `other`."""
    bits = integer(type.bits, signed=False)
    register = emit.undefined(count * type.size, emit.target.platform.grf_bytes)
    for step in steps:
        into = None if step.condition is None or other is None else _prepared(emit, step, other, bits)
        loaded = emit.load(
            "load",
            step.message,
            step.addresses,
            exec_size=step.lanes,
            into=into,
            flag=step.flag(emit),
            no_mask=not step.masked,
        )
        moves = sorted(zip(step.places, step.slots(emit), strict=True))
        if count == len(moves) and all(to == origin for to, origin in moves):
            return loaded
        register = emit.copy(register, Elements(loaded, bits, step.data_bytes(emit) // bits.size), moves, bits)
    return register


def store_steps(emit: XeEmitter, steps: Iterable[LaneMessage], value: Number) -> None:
    """Stores elements from a register layout, or the same element everywhere."""
    bits = integer(value.type.bits, signed=False)
    for step in steps:
        emit.send(
            "store",
            step.message,
            step.addresses,
            _in_place(emit, step, value, bits) or Elements(_prepared(emit, step, value, bits), bits, len(step.places)),
            exec_size=step.lanes,
            flag=step.flag(emit),
            no_mask=not step.masked,
        )


def _in_place(emit: XeEmitter, step: LaneMessage, value: Number, bits: DataType) -> Elements | None:
    """Returns the elements where they are, if a message can read them from there."""
    first, count = step.places[0], len(step.places)
    if isinstance(value, UniformConstant) or any(
        place - first != slot for place, slot in zip(step.places, step.slots(emit), strict=True)
    ):
        return None
    part = value.part(first, count).as_type(bits)
    return part if emit.starts_register(part) and part.size == step.data_bytes(emit) else None


def _prepared(emit: XeEmitter, step: LaneMessage, value: Number, bits: DataType) -> SSAValue:
    """Returns elements of a register layout in the order of a message's lanes, in a block of their own."""
    grf, size = emit.target.platform.grf_bytes, step.data_bytes(emit)
    if isinstance(value, UniformConstant):
        word = integer(8 * step.message.data_size.register_bytes, signed=False)
        return emit.alu("mov", word, [UniformConstant(word, value.bits)], size // word.size, alignment=grf).register
    # In the order of places, the elements of many lanes make a run.
    moves = sorted(zip(step.slots(emit), step.places, strict=True), key=lambda move: move[1])
    return emit.copy(emit.undefined(size, grf), value.as_type(bits), moves, bits)
