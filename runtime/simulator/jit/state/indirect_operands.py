"""Operands whose byte address in the register file is in an address register.

All registers of a kernel with such operands are in memory, so that an address is an offset in the register file.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.llvm import IRBlock, IRFunction, Value, constant, count_of, lanes, literals, mangled, splat, zero
from runtime.simulator.jit.state import routines
from runtime.simulator.jit.state.registers import Registers
from runtime.simulator.launch.faults import FaultKind
from xegpu.isa import DataType, Destination, Instruction, Register, RegisterFile, SourceRegister
from xegpu.isa.formats import byte_of
from xegpu.isa.model import ADDRESS, VXH
from xegpu.targets import Target


class Indirect:
    """Emits accesses to indirect operands in one function. Faults branch to the block `fault`."""

    def __init__(self, code: IRFunction, registers: Registers, target: Target, grf_count: int, fault: IRBlock):
        self._code = code
        self._registers = registers
        self._target = target
        self._file_bytes = grf_count * target.platform.grf_bytes
        self._fault = fault

    def check(self, instruction: Instruction, index: int, mask: Value | None) -> None:
        """Branches to the fault unless the elements of all enabled channels are aligned and in the file."""
        count = instruction.exec_size
        for source in instruction.sources:
            if isinstance(source, SourceRegister) and source.register.file is RegisterFile.INDIRECT:
                self._check(instruction, index, self._of_source(source, count), source.type.size, mask)
        destination = instruction.destination
        if destination is not None and destination.register.file is RegisterFile.INDIRECT:
            self._check(instruction, index, self._of_destination(destination, count), destination.type.size, mask)

    def read(self, source: SourceRegister, count: int, mask: Value | None) -> Value:
        """Returns the bits of the elements of the enabled channels; undefined for the others."""
        code, bits = self._code, source.type.bits
        addresses = self._of_source(source, count)
        if count == 1:
            return code.load(f"i{bits}", self._pointers(self._safe(addresses, mask)), source.type.size)
        type = lanes(count, f"i{bits}")
        pointers = self._pointers(addresses)
        enabled = mask or literals("i1", ["true"] * count)
        where = Value(pointers.type, f"align {source.type.size} {pointers.name}")
        return code.call(mangled("masked.gather", type, pointers.type), type, where, enabled, zero(type))

    def write(self, destination: Destination, raw: Value, mask: Value | None) -> None:
        """Writes the elements of the enabled channels."""
        code, size, count = self._code, destination.type.size, count_of(raw.type)
        addresses = self._of_destination(destination, count)
        if count == 1:
            pointer = self._pointers(self._safe(addresses, mask))
            if mask is not None:
                raw = code.select(mask, raw, code.load(raw.type, pointer, size))
            code.store(raw, pointer, size)
            return
        pointers = self._pointers(addresses)
        enabled = mask or literals("i1", ["true"] * count)
        where = Value(pointers.type, f"align {size} {pointers.name}")
        code.run(mangled("masked.scatter", raw.type, pointers.type), raw, where, enabled)

    # Addresses: i32 for each channel.

    def _of_source(self, source: SourceRegister, count: int) -> Value:
        region = source.region
        rows = [channel // region.width if region.vertical == VXH else 0 for channel in range(count)]
        elements = [region.element(channel) for channel in range(count)]
        return self._addresses(source.register, source.type, rows, elements)

    def _of_destination(self, destination: Destination, count: int) -> Value:
        elements = [channel * destination.stride for channel in range(count)]
        return self._addresses(destination.register, destination.type, [0] * count, elements)

    def _addresses(self, register: Register, type: DataType, rows: Sequence[int], elements: Sequence[int]) -> Value:
        code, count = self._code, len(rows)
        first = byte_of(Register(RegisterFile.ARF, ADDRESS.number, 2 * register.number), self._target)
        words = self._registers.read(first, max(rows) + 1, 16)
        if max(rows) == 0:
            chosen = code.broadcast(words, count)
        else:
            chosen = code.shuffle(words, None, rows)
        offsets = literals("i32", [register.byte + type.size * element for element in elements])
        return code.binary("add", code.cast("zext", chosen, lanes(count, "i32")), offsets)

    def _safe(self, address: Value, mask: Value | None) -> Value:
        """Returns the addresses, 0 for disabled channels."""
        return address if mask is None else self._code.select(mask, address, constant("i32", 0))

    def _pointers(self, addresses: Value) -> Value:
        count = count_of(addresses.type)
        return self._code.value(lanes(count, "ptr"), f"getelementptr i8, {self._registers.address(0)}, {addresses}")

    def _check(self, instruction: Instruction, index: int, addresses: Value, size: int, mask: Value | None) -> None:
        code, count = self._code, count_of(addresses.type)
        bad = code.compare("icmp ugt", addresses, splat(count, "i32", self._file_bytes - size))
        if size > 1:
            low = code.binary("and", addresses, splat(count, "i32", size - 1))
            bad = code.binary("or", bad, code.compare("icmp ne", low, splat(count, "i32", 0)))
        if mask is not None:
            bad = code.binary("and", bad, mask)
        with code.if_(code.any(bad), rare=True):
            lane, address = constant("i32", 0), addresses
            if count > 1:
                bits = code.bits(bad)
                lane = code.call(mangled("cttz", bits.type), bits.type, bits, constant("i1", "false"))
                lane = code.cast("zext", lane, "i32")
                address = code.value("i32", f"extractelement {addresses}, {lane}")
            routines.record_fault(
                code,
                FaultKind.BAD_REGISTER,
                constant("i32", index),
                code.binary("add", lane, constant("i32", instruction.channel_offset)),
                code.cast("sext", address, "i64"),
                constant("i64", size),
            )
            code.jump(self._fault)
