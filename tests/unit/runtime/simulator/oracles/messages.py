"""A model of messages as loops over lanes, elements and bytes; shares no code with engines."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from fractions import Fraction

from runtime.simulator import FaultKind
from xegpu.isa import Instruction
from xegpu.isa.model.messages import AddressModel, Message, Unit
from xegpu.targets import Target

_FLOATS = {2: ("<e", b"\0\x7e"), 4: ("<f", b"\0\0\xc0\x7f"), 8: ("<d", b"\0\0\0\0\0\0\xf8\x7f")}
"""Bytes of a float to its format and its canonical NaN."""


def atomic_result(name: str, old: bytes, a: bytes = b"", b: bytes = b"") -> bytes:
    """Returns the bytes that an atomic stores."""
    size, limit = len(old), 1 << 8 * len(old)

    def number(data: bytes, *, signed: bool = False) -> int:
        return int.from_bytes(data, "little", signed=signed)

    if name[0] == "f":
        return _float_result(name, old, a, b)
    match name:
        case "load":
            return old
        case "store":
            return a
        case "icas":
            return b if old == a else old
        case "smin" | "smax":
            ordered = sorted((old, a), key=lambda data: number(data, signed=True))
            return ordered[0 if name == "smin" else 1]
        case "umin" | "umax":
            return sorted((old, a), key=number)[0 if name == "umin" else 1]
    x, y = number(old), number(a)
    results = {
        "iinc": x + 1,
        "idec": x - 1,
        "iadd": x + y,
        "isub": x - y,
        "and": x & y,
        "or": x | y,
        "xor": x ^ y,
    }
    return (results[name] % limit).to_bytes(size, "little")


def _float_result(name: str, old: bytes, a: bytes, b: bytes) -> bytes:
    form, nan = _FLOATS[len(old)]
    x, y = (struct.unpack(form, data)[0] for data in (old, a))
    if name == "fcas":
        return b if x == y else old
    if name in ("fmin", "fmax"):
        if math.isnan(x):
            return nan if math.isnan(y) else a
        if math.isnan(y):
            return old
        return old if (x < y if name == "fmin" else x >= y) else a
    y = -y if name == "fsub" else y
    if math.isnan(x + y):
        return nan
    if math.isinf(x + y):
        return struct.pack(form, x + y)
    if x == 0 == y:
        return struct.pack(form, x + y)
    exact = Fraction(x) + Fraction(y)
    if form == "<d":
        return struct.pack(form, float(exact))
    return _rounded(exact, form).to_bytes(len(old), "little")


def _rounded(exact: Fraction, form: str) -> int:
    """Bits of the nearest hf or f, ties to even."""
    digits, least, infinity, sign = (11, -24, 0x7C00, 1 << 15) if form == "<e" else (24, -149, 0x7F800000, 1 << 31)
    if exact == 0:
        return 0
    magnitude = abs(exact)
    exponent = least
    while magnitude >= Fraction(2) ** (exponent + digits):
        exponent += 1
    quanta = round(magnitude / Fraction(2) ** exponent)
    bits = quanta + (exponent - least << digits - 1)
    return min(bits, infinity) | (sign if exact < 0 else 0)


class OracleFault(Exception):
    """(kind, lane, address, size) of the access that is refused."""


@dataclass
class Segment:
    """Bytes from `start` on."""

    start: int
    data: bytearray
    writable: bool = True


@dataclass
class Machine:
    """The state that messages work on. `memory` holds the live allocations, `scratch` is the thread's own space."""

    target: Target
    registers: bytearray
    flags: tuple[int, ...]
    mask: int
    memory: list[Segment]
    scratch: bytearray
    slm: bytearray

    def execute(self, instruction: Instruction) -> None:
        """Executes one message; raises `OracleFault`."""
        message = instruction.message
        assert message is not None
        if instruction.spec.mnemonic.startswith("prefetch"):
            return
        if message.block is not None:
            if self._enabled(instruction, 0):
                self._block2d(instruction, message)
        else:
            self._lanes(instruction, message)

    def _enabled(self, instruction: Instruction, channel: int) -> bool:
        position = instruction.channel_offset + channel
        predicate = instruction.predicate
        holds = True
        if predicate is not None:
            bit = self.flags[predicate.flag.number] >> (16 * predicate.flag.half + position) & 1
            holds = bool(bit) != predicate.inverted
        return holds and (instruction.no_mask or bool(self.mask >> position & 1))

    def _segment(self, address: int, size: int, write: bool) -> Segment:
        for segment in self.memory:
            if segment.start <= address and address + size <= segment.start + len(segment.data):
                if write and not segment.writable:
                    raise OracleFault(FaultKind.READ_ONLY)
                return segment
        raise OracleFault(FaultKind.OUT_OF_BOUNDS)

    def _lanes(self, instruction: Instruction, message: Message) -> None:
        size, vector = message.data_size, message.vector
        grf_bytes = self.target.platform.grf_bytes
        assert instruction.address is not None
        first_address = instruction.address.number * grf_bytes
        lanes = 1 if message.transposed else instruction.exec_size
        block = max(lanes, self.target.platform.physical_simd_width) * size.register_bytes
        block = (block + grf_bytes - 1) // grf_bytes * grf_bytes
        active = [lane for lane in range(lanes) if self._enabled(instruction, lane)]
        addresses, spaces = {}, {}
        width = message.address_size.size
        for lane in active:
            place = first_address + lane * width
            address = int.from_bytes(self.registers[place : place + width], "little") + message.offset
            addresses[lane] = address % (1 << 64)
            report = None if message.transposed else instruction.channel_offset + lane
            spaces[lane] = self._space(message, addresses[lane], report, write=instruction.spec.writes)
        values = bytes(self.registers)
        for lane in active:
            space, origin = spaces[lane]
            if instruction.spec.mnemonic.startswith("atomic"):
                at = addresses[lane] - origin
                self._atomic(instruction, space, at, values, lane * size.register_bytes, block, size.memory_bytes)
                continue
            register = instruction.returned or instruction.data
            assert register is not None
            first = register.number * grf_bytes
            for element in range(vector):
                at = addresses[lane] - origin + element * size.memory_bytes
                place = first + (element * size.register_bytes if message.transposed else element * block)
                place += lane * size.register_bytes
                if instruction.returned is not None:
                    loaded = bytes(space[at : at + size.memory_bytes]).ljust(size.register_bytes, b"\0")
                    self.registers[place : place + size.register_bytes] = loaded
                else:
                    space[at : at + size.memory_bytes] = values[place : place + size.memory_bytes]

    def _atomic(
        self,
        instruction: Instruction,
        space: bytearray,
        at: int,
        values: bytes,
        place: int,
        block: int,
        size: int,
    ) -> None:
        """One lane, whose elements are `place` bytes behind the start of their blocks."""
        operands = []
        for index in range(instruction.spec.sources):
            assert instruction.data is not None
            first = instruction.data.number * self.target.platform.grf_bytes + index * block + place
            operands.append(values[first : first + size])
        old = bytes(space[at : at + size])
        space[at : at + size] = atomic_result(instruction.mnemonic.removeprefix("atomic_"), old, *operands)
        if instruction.returned is not None:
            first = instruction.returned.number * self.target.platform.grf_bytes + place
            width = max(size, 4)
            self.registers[first : first + width] = old.ljust(width, b"\0")

    def _space(self, message: Message, address: int, lane: int | None, *, write: bool) -> tuple[bytearray, int]:
        """The bytes that an access goes to and the address of their first one."""
        size = message.vector * message.data_size.memory_bytes
        if address % message.data_size.memory_bytes:
            raise OracleFault(FaultKind.MISALIGNED, lane, address, size)
        if message.model is AddressModel.SCRATCH:
            if address + size > len(self.scratch):
                raise OracleFault(FaultKind.SCRATCH_OVERFLOW, lane, address, size)
            return self.scratch, 0
        if message.unit is Unit.SLM:
            if address + size > len(self.slm):
                raise OracleFault(FaultKind.SLM_OVERFLOW, lane, address, size)
            return self.slm, 0
        try:
            segment = self._segment(address, size, write)
        except OracleFault as fault:
            raise OracleFault(fault.args[0], lane, address, size) from None
        return segment.data, segment.start

    def _block2d(self, instruction: Instruction, message: Message) -> None:
        block, e = message.block, message.data_size.memory_bytes
        register, limits = instruction.returned or instruction.data, self.target.platform.block2d
        assert block is not None
        assert limits is not None
        assert register is not None
        assert instruction.address is not None
        payload = self.registers[instruction.address.number * 64 :][:32]

        def dword(index: int, *, signed: bool = False) -> int:
            return int.from_bytes(payload[4 * index : 4 * index + 4], "little", signed=signed)

        base = dword(0) + (dword(1) << 32)
        width, height, pitch = dword(2) + 1, dword(3) + 1, dword(4) + 1
        x, y = dword(5, signed=True), dword(6, signed=True)
        if (
            dword(7) != (block.width - 1) + (block.height - 1) * 256 + (block.count - 1) * 65536
            or base % 64
            or not 64 <= width <= 1 << 24
            or width % 4
            or height > 1 << 24
            or not width <= pitch <= 1 << 24
            or pitch % 16
            or x * e % 4
        ):
            raise OracleFault(FaultKind.BAD_BLOCK, None, None, 0)
        loads, first = instruction.returned is not None, register.number * 64
        inside = {}
        for b in range(block.count):
            for row in range(block.height):
                for column in range(block.width):
                    left = (x + b * block.width + column) * e
                    if 0 <= y + row < height and left >= 0 and left + e <= width:
                        inside[b, row, column] = base + (y + row) * pitch + left
        space = self.memory[0].data
        origin = 0
        if inside:
            start, end = min(inside.values()), max(inside.values()) + e
            try:
                segment = self._segment(start, end - start, not loads)
            except OracleFault as fault:
                raise OracleFault(fault.args[0], None, start, end - start) from None
            space, origin = segment.data, segment.start
        total, places = self._block_places(message)
        if loads:
            self.registers[first : first + total] = bytes(total)
        for key, address in inside.items():
            place = first + places[key]
            if loads:
                self.registers[place : place + e] = space[address - origin : address - origin + e]
            else:
                space[address - origin : address - origin + e] = self.registers[place : place + e]

    @staticmethod
    def _block_places(message: Message) -> tuple[int, dict[tuple[int, int, int], int]]:
        """Bytes of all blocks, and the byte of every element (block, row, column)."""
        block, e = message.block, message.data_size.memory_bytes
        assert block is not None

        def power(value: int) -> int:
            result = 1
            while result < value:
                result *= 2
            return result

        places = {}
        used = power(block.width) * block.height * e
        if message.transposed:
            used = power(block.height) * block.width * e
        size = (used + 63) // 64 * 64
        for b in range(block.count):
            for row in range(block.height):
                for column in range(block.width):
                    if message.transposed:
                        place = (column * power(block.height) + row) * e
                    elif message.vnni:
                        epd = 4 // e
                        place = (row // epd * epd * power(block.width) + column * epd + row % epd) * e
                    else:
                        place = (row * power(block.width) + column) * e
                    places[b, row, column] = b * size + place
        return block.count * size, places
