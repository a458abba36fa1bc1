"""Enabled channels in compiled code: execution mask, predicates and flags."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.llvm import IRFunction, Value, constant, lanes, literals
from runtime.simulator.jit.state.launch_records import Frame
from xegpu.isa import Combination, Flag, Instruction
from xegpu.targets import Target


class Channels:
    """Emits masks and accesses to flags in one function.

    A mask is a boolean per channel of an instruction, or None where all channels are known to be enabled. `mask` is the
    thread's execution mask: a number if it is known at compile time, else an i32. With `changing` it is only the
    initial one.
    """

    def __init__(self, code: IRFunction, mask: int | Value, target: Target, *, changing: bool = False):
        self._code = code
        self._mask = mask
        self._variable = code.variable("i32", "enabled", 4) if changing else None
        self._flags = [code.variable("i32", f"f{number}", 4) for number in range(target.platform.flag_registers)]

    @property
    def mask(self) -> Value:
        """Returns the execution mask as an i32."""
        if self._variable is not None:
            return self._code.load("i32", self._variable, 4)
        return self.dispatched

    @property
    def dispatched(self) -> Value:
        """The execution mask with which the thread started."""
        return self._mask if isinstance(self._mask, Value) else constant("i32", self._mask)

    def switch(self, mask: Value) -> None:
        """Sets the execution mask to an i32, in a function where it changes."""
        assert self._variable is not None
        self._code.store(mask, self._variable, 4)

    def chosen(self, instruction: Instruction) -> Value:
        """Returns the enabled channels whose predicate is true, as an i32."""
        predicate = self.predicate(instruction, instruction.exec_size)
        if predicate is None:
            return self.mask
        bits = self._placed(predicate, instruction.channel_offset, instruction.exec_size)
        return self._code.binary("and", self.mask, bits)

    def flag(self, number: int) -> Value:
        """Returns a whole flag register."""
        return self._code.load("i32", self._flags[number], 4)

    def write_flag(self, number: int, byte: int, bits: Value) -> None:
        """Replaces 16 or 32 bits of a flag register, from a byte on."""
        code, variable, width = self._code, self._flags[number], int(bits.type[1:])
        window = ((1 << width) - 1) << 8 * byte
        word = code.binary("shl", code.cast("zext", bits, "i32"), constant("i32", 8 * byte))
        kept = code.binary("and", code.load("i32", variable, 4), constant("i32", ~window & 0xFFFFFFFF))
        code.store(code.binary("or", kept, word), variable, 4)

    def enter(self, first: list[Value]) -> None:
        """Initializes the flag registers."""
        for value, variable in zip(first, self._flags, strict=True):
            self._code.store(value, variable, 4)

    def leave(self) -> list[Value]:
        """Returns the values of the flag registers."""
        return [self._code.load("i32", variable, 4) for variable in self._flags]

    def save(self, numbers: Iterable[int], frame: Value, layout: Frame) -> None:
        """Stores flag registers to a frame."""
        for number in sorted(numbers):
            variable = self._flags[number]
            slot = self._code.offset(frame, layout.offset_of(variable, 4))
            self._code.store(self._code.load("i32", variable, 4), slot, 4)

    def restore(self, numbers: Iterable[int], frame: Value, layout: Frame) -> None:
        """Loads the values that `save` has stored."""
        for number in sorted(numbers):
            variable = self._flags[number]
            slot = self._code.offset(frame, layout.offset_of(variable, 4))
            self._code.store(self._code.load("i32", slot, 4), variable, 4)

    def base(self, instruction: Instruction, count: int) -> Value | None:
        """Returns the channels that the execution mask enables."""
        if instruction.no_mask:
            return None
        first = instruction.channel_offset
        if self._variable is not None or isinstance(self._mask, Value):
            return self._window(self.mask, first, count)
        bits = self._mask >> first & (1 << count) - 1
        if bits == (1 << count) - 1:
            return None
        return literals("i1", ["true" if bits >> channel & 1 else "false" for channel in range(count)])

    def predicate(self, instruction: Instruction, count: int) -> Value | None:
        """Returns the instruction's predicate, None if it has none."""
        predicate = instruction.predicate
        if predicate is None:
            return None
        first = 16 * predicate.flag.half + instruction.channel_offset
        held = self._window(self._code.load("i32", self._flags[predicate.flag.number], 4), first, count)
        held = self._combined(held, predicate.combination, count)
        if not predicate.inverted:
            return held
        return self._code.binary("xor", held, literals("i1", ["true"] * count))

    def _combined(self, held: Value, combination: Combination, count: int) -> Value:
        """Returns the predicate's booleans from the flag bits of all channels."""
        if combination is Combination.NONE or count == 1:
            return held
        code = self._code
        bits = code.bits(held)
        relation, limit = ("ne", 0) if combination is Combination.ANY else ("eq", (1 << count) - 1)
        return code.broadcast(code.compare(f"icmp {relation}", bits, constant(bits.type, limit)), count)

    def enabled(self, instruction: Instruction, count: int) -> Value | None:
        """Returns the channels that execute the instruction."""
        base, predicate = self.base(instruction, count), self.predicate(instruction, count)
        if base is None or predicate is None:
            return base or predicate
        return self._code.binary("and", base, predicate)

    def set_flag(self, flag: Flag, channel_offset: int, truths: Value, count: int, mask: Value | None) -> None:
        """Writes the flag bits of the enabled channels."""
        code, variable = self._code, self._flags[flag.number]
        first = 16 * flag.half + channel_offset
        window = ((1 << count) - 1) << first
        if mask is not None:
            truths = code.binary("and", truths, mask)
        bits = self._placed(truths, first, count)
        if window != 0xFFFFFFFF or mask is not None:
            written = constant("i32", window) if mask is None else self._placed(mask, first, count)
            kept = code.binary("xor", written, constant("i32", -1))
            bits = code.binary("or", code.binary("and", code.load("i32", variable, 4), kept), bits)
        code.store(bits, variable, 4)

    def _window(self, word: Value, first: int, count: int) -> Value:
        """Returns `count` bits of an i32 as booleans."""
        code = self._code
        if first:
            word = code.binary("lshr", word, constant("i32", first))
        return code.cast("bitcast", code.cast("trunc", word, f"i{count}"), lanes(count, "i1"))

    def _placed(self, truths: Value, first: int, count: int) -> Value:
        """Returns booleans as bits of an i32, the first one at bit `first`."""
        code = self._code
        word = code.cast("zext", code.bits(truths), "i32")
        return code.binary("shl", word, constant("i32", first)) if first else word
