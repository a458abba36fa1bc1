"""Propagation of undefined bytes from memory and registers to the places where they matter.

Loading, moving and computing with undefined bytes, and storing them to shared local memory or scratch space, only
propagates them, because programs copy padding and compute on lanes that are never used. They matter in addresses, in
control flow, in atomics, and in stores to device memory, where they leave the kernel.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.checks.definedness.logic import bitwise, is_bitwise
from runtime.simulator.checks.definedness.origins import DEFINED, Numbers, Origins, origins_of
from runtime.simulator.checks.definedness.shadow_memory import MemoryValues
from runtime.simulator.checks.definedness.shadow_registers import Shadow, register_text
from runtime.simulator.checks.inspection.findings import Findings, faulty_access
from runtime.simulator.checks.inspection.inspector import Inspection, Inspector
from runtime.simulator.interpreter.alu.operands import raw_reader
from runtime.simulator.interpreter.messages.accesses import MemoryAccess, ReportedSpace, decode_access
from runtime.simulator.interpreter.messages.loads_stores import message_lanes
from runtime.simulator.interpreter.observer import Execution
from runtime.simulator.interpreter.threads.values import lane_array
from runtime.simulator.launch.faults import FaultAccess, FaultKind
from runtime.simulator.machine.block_2d import PAYLOAD_BYTES
from runtime.simulator.machine.overhang import may_overhang
from xegpu.isa import Combination, DataType, Destination, Immediate, Instruction, Register, RegisterFile, SourceRegister
from xegpu.isa.formats import dpas_operand_bytes, dpas_registers, footprint
from xegpu.isa.model import MemoryAccessKind, is_bit_copy, predicate_chooses

_WAY_BACK_BYTES = 8


class Definedness(Inspector):
    """Finds uses of uninitialized `memory`, and of `registers` that were never written."""

    def __init__(self, execution: Execution, findings: Findings, *, memory: bool, registers: bool):
        super().__init__(execution, findings)
        description = execution.executable.description
        self._thread = execution.thread
        self._origins = Origins()
        self._shadow = Shadow(execution.thread, description, self._origins, memory=memory, registers=registers)
        self._values = MemoryValues(execution.memory.table(), self._shadow.scratch, self._origins, unwritten=memory)

    def group_started(self) -> None:
        self._values.enter_group(len(self._thread.slm.bytes))

    def group_ended(self) -> None:
        self._shadow.leave()

    def thread_started(self) -> None:
        self._shadow.enter(has_payload=self.execution.dispatch is not None)

    def thread_suspended(self) -> None:
        self._shadow.keep(self._thread.number)

    def thread_resumed(self) -> None:
        self._shadow.restore(self._thread.number)

    def inspect(self, index: int) -> Inspection | None:
        instruction = self.execution.executable.program.instructions[index]
        spec = instruction.spec
        if spec.computes:
            return self._alu(index, instruction)
        if spec.is_matrix_product:
            return self._product(index, instruction)
        if instruction.message is not None:
            return self._message(index, instruction)
        if spec.synchronizes:
            return self._barrier(index, instruction)
        if spec.flow.by_register:
            return self._by_register(index, instruction)
        if spec.flow.jumps and not spec.flow.calls:
            return self._branch(index, instruction)
        return self._written(instruction)

    # Instructions -----------------------------------------------------------------------------------------------------

    def _alu(self, index: int, instruction: Instruction) -> Inspection:
        thread, shadow, channels = self._thread, self._shadow, instruction.exec_size
        destination, condition = instruction.destination, instruction.condition
        assert destination is not None
        chooses = predicate_chooses(instruction)
        merge = self._merge(index, instruction, chooses=chooses)
        write = shadow.destination(destination, channels)
        carry = None if instruction.carry is None else Destination(instruction.carry, DataType.UD)
        write_carry = None if carry is None else shadow.destination(carry, channels)
        flag = None if condition is None else condition.flag
        operands = [o for o in (*instruction.sources, destination) if not isinstance(o, Immediate)]
        indirect = [o for o in operands if o.register.file is RegisterFile.INDIRECT]

        def inspect() -> None:
            for operand in indirect:
                words = shadow.named(shadow.address_words(operand, channels), index, "a0")
                self._use(index, words, "the address of an indirect operand")
            numbers = merge()
            on = lane_array(thread.base_channels(instruction, channels), channels)
            if instruction.predicate is not None:
                choice = self._choice(index, instruction, channels)
                if choice.any():
                    numbers = np.maximum(origins_of(numbers), choice[:, None])
                if not chooses:
                    on = on & (lane_array(thread.predicate(instruction, channels), channels) | (choice != DEFINED))
            write(numbers, on)
            if write_carry is not None:
                write_carry(numbers, on)
            if flag is not None:
                bits = shadow.flag_bits(flag, instruction.channel_offset, channels)
                bits[on] = np.broadcast_to(origins_of(numbers).max(axis=1), channels)[on]

        return inspect

    def _merge(self, index: int, instruction: Instruction, *, chooses: bool) -> Callable[[], Numbers]:
        """Returns a reader of the numbers of an ALU instruction's result, shape [channels or 1, bytes or 1]."""
        thread, channels = self._thread, instruction.exec_size
        sources = [self._shadow.source(source, channels, index) for source in instruction.sources]
        if is_bitwise(instruction):
            values = [raw_reader(thread, source, channels) for source in instruction.sources]
            return lambda: bitwise(instruction, [source() for source in sources], [value() for value in values])
        if not is_bit_copy(instruction):
            sources = [_of_elements(source) for source in sources]

        def merge() -> Numbers:
            if chooses:
                truth = lane_array(thread.predicate(instruction, channels), channels)
                first, second = (source() for source in sources)
                return np.where(truth[:, None], first, second)
            merged = sources[0]()
            for source in sources[1:]:
                merged = np.maximum(merged, source())
            return merged

        return merge

    def _choice(self, index: int, instruction: Instruction, channels: int) -> Numbers:
        """Returns the numbers of each channel's predicate, which tell whether its decision is undefined."""
        predicate = instruction.predicate
        if predicate is None:
            return np.zeros(channels, np.int32)
        flag, offset = predicate.flag, instruction.channel_offset
        numbers = self._shadow.flag_bits(flag, offset, channels)
        numbers = self._shadow.named(numbers, index, f"f{flag.number}")
        if predicate.combination is Combination.NONE or not numbers.any():
            return numbers
        deciding = lane_array(self._thread.flag_bits(flag, offset, channels), channels)
        if predicate.combination is Combination.ALL:
            deciding = ~deciding
        decided = (deciding & (numbers == DEFINED)).any()
        return np.full(channels, DEFINED if decided else numbers.max(), np.int32)

    def _product(self, index: int, instruction: Instruction) -> Inspection:
        """Propagates through a dpas: each element depends on its row of A, its column of B, and its element of C."""
        thread, shadow, columns = self._thread, self._shadow, instruction.exec_size
        registers = dpas_registers(instruction)
        sizes = (used for used, _ in dpas_operand_bytes(instruction, thread.target))
        d, c, b, a = (
            None if register.is_null else shadow.file[thread.byte(register) :][:size]
            for register, size in zip(registers, sizes, strict=True)
        )
        assert a is not None
        assert b is not None
        assert d is not None
        _, c_text, b_text, a_text = map(register_text, registers)
        result = d.reshape(instruction.repeat, columns, -1)

        def inspect() -> None:
            on = lane_array(thread.base_channels(instruction, columns), columns)
            rows = shadow.named(origins_of(a).reshape(instruction.repeat, -1).max(axis=1), index, a_text)
            sides = shadow.named(origins_of(b).reshape(-1, columns, 4).max(axis=(0, 2)), index, b_text)
            numbers = np.maximum(rows[:, None], sides)
            if c is not None:
                start = origins_of(c).reshape(instruction.repeat, columns, -1).max(axis=2)
                numbers = np.maximum(numbers, shadow.named(start, index, c_text))
            result[:, on] = numbers[:, on, None]

        return inspect

    def _branch(self, index: int, instruction: Instruction) -> Inspection | None:
        if instruction.predicate is None:
            return None
        thread, channels = self._thread, instruction.exec_size

        def inspect() -> None:
            choice = self._choice(index, instruction, channels)
            if channels > 1:
                choice = np.where(lane_array(thread.mask, channels), choice, DEFINED)
            self._use(index, choice, "where control goes", lanes=np.arange(channels) if channels > 1 else None)

        return inspect

    def _barrier(self, index: int, instruction: Instruction) -> Inspection | None:
        for source in instruction.sources:
            if isinstance(source, SourceRegister):
                return self._needed(index, source.register, source.type.size, "which barrier it is")
        return None

    def _needed(self, index: int, register: Register, size: int, what: str) -> Inspection:
        """Returns the inspection of register bytes that must be defined."""
        first, text = self._thread.byte(register), register_text(register)

        def inspect() -> None:
            self._use(index, self._shadow.named(self._shadow.file[first : first + size], index, text), what)

        return inspect

    def _by_register(self, index: int, instruction: Instruction) -> Inspection:
        """Inspects an indirect call, or a return, which reads the execution mask from its register as well."""
        assert instruction.address is not None
        returns = instruction.spec.flow.returns
        size, what = (_WAY_BACK_BYTES, "the return address") if returns else (DataType.UD.size, "the call target")
        needed, written = self._needed(index, instruction.address, size, what), self._written(instruction)

        def inspect() -> None:
            needed()
            if written is not None:
                written()

        return inspect

    def _written(self, instruction: Instruction) -> Inspection | None:
        """Returns the inspection of instructions that define everything that they write."""
        thread, grf_count = self._thread, self.execution.executable.description.register_count
        spans = footprint(instruction, thread.target, grf_count, thread.mask).writes
        if not spans:
            return None

        def inspect() -> None:
            for span in spans:
                self._shadow.file[span.start : span.end] = DEFINED

        return inspect

    # Messages ---------------------------------------------------------------------------------------------------------

    def _message(self, index: int, instruction: Instruction) -> Inspection | None:
        describe = decode_access(instruction, self._thread)
        if describe is None:
            return None
        check_sending = self._sending(index, instruction)
        check_address = self._address(index, instruction)
        data = "" if instruction.data is None else register_text(instruction.data)

        def inspect() -> Callable[[], None] | None:
            check_sending()
            access = describe()
            if access is None:
                return None
            check_address(access)
            sent = [self._shadow.named(self._shadow.file[offsets], index, data) for offsets in access.sent]
            if access.spec.access is not MemoryAccessKind.ATOMIC:
                return lambda: self._transfer(index, access, sent)
            kept = self._kept(access)
            return lambda: self._atomic(index, access, sent, kept)

        return inspect

    def _sending(self, index: int, instruction: Instruction) -> Callable[[], None]:
        """Checks the predicate of a message."""
        thread, message = self._thread, instruction.message
        assert message is not None
        channels = message_lanes(instruction, message) if not instruction.spec.block2d else 1

        def check() -> None:
            if instruction.predicate is not None:
                on = lane_array(thread.base_channels(instruction, channels), channels)
                choice = np.where(on, self._choice(index, instruction, channels), DEFINED)
                self._use(
                    index, choice, "whether a message is sent", lanes=instruction.channel_offset + np.arange(channels)
                )

        return check

    def _address(self, index: int, instruction: Instruction) -> Callable[[MemoryAccess], None]:
        """Checks the address of each lane, or the payload of a 2-D block."""
        register, message = instruction.address, instruction.message
        assert register is not None
        assert message is not None
        first, text = self._thread.byte(register), register_text(register)
        if message.block is not None:
            payload = self._needed(index, register, PAYLOAD_BYTES, "the payload of a 2-D block")

            def check_payload(access: MemoryAccess) -> None:
                payload()

            return check_payload
        lanes, size = message_lanes(instruction, message), message.address_size.size
        bytes_of_lanes = self._shadow.file[first : first + lanes * size].reshape(lanes, size)

        def check(access: MemoryAccess) -> None:
            numbers = bytes_of_lanes
            if numbers.any():
                if not message.transposed:
                    numbers = numbers[access.lanes - instruction.channel_offset]
                self._use_of(index, access, self._shadow.named(numbers, index, text), "the address of a message")

        return check

    def _transfer(self, index: int, access: MemoryAccess, sent: list[Numbers]) -> None:
        """Propagates through a load or store that was executed."""
        if access.returned is None:
            (numbers,) = sent
            if access.space is ReportedSpace.GLOBAL:
                self._use_of(index, access, numbers, "the value stored to device memory")
            self._values.write(access, numbers)
            return
        self._shadow.file[access.replaced] = DEFINED
        self._shadow.file[access.returned] = self._values.read(access, index)

    def _kept(self, access: MemoryAccess) -> NDArray[np.bool_] | None:
        """Returns the bytes of memory that an exchange of words replaces by themselves; None for other messages."""
        if not may_overhang(access.spec, access.size) or not access.sent:
            return None
        expected, new = (self._thread.registers[offsets] for offsets in access.sent)
        return np.asarray(expected == new)

    def _atomic(self, index: int, access: MemoryAccess, sent: list[Numbers], kept: NDArray[np.bool_] | None) -> None:
        """Propagates through an atomic that was executed; the old value matters if it computes with it.

        Words around elements of one or two bytes hold other elements, which need not be defined: of a word with a
        defined byte, no byte matters.
        """
        found = self._values.read(access, index)
        if may_overhang(access.spec, access.size):
            found[(found == DEFINED).any(axis=1)] = DEFINED
        for numbers in sent:
            self._use_of(index, access, numbers, "an operand of an atomic")
        if access.spec.semantics not in ("old", "src0"):
            self._use_of(index, access, found, "what an atomic computes with")
            found = np.zeros_like(found)
        if access.spec.writes:
            self._values.write(access, np.zeros_like(found), kept)
        if access.returned is not None:
            self._shadow.file[access.replaced] = DEFINED
            self._shadow.file[access.returned] = found

    # Reports ----------------------------------------------------------------------------------------------------------

    def _use_of(self, index: int, access: MemoryAccess, numbers: Numbers, what: str) -> None:
        """Reports undefined numbers, one row for each address of an access."""
        rows = np.flatnonzero(numbers.any(axis=1))
        if len(rows):
            row = int(rows[0])
            self._report(index, int(numbers[row].max()), what, faulty_access(access, row))

    def _use(self, index: int, numbers: Numbers, what: str, lanes: NDArray[np.int64] | None = None) -> None:
        """Reports undefined numbers, one for each of `lanes`, or for the whole thread."""
        undefined = np.flatnonzero(numbers)
        if len(undefined):
            lane = None if lanes is None else int(lanes[undefined[0]])
            self._report(index, int(numbers[undefined[0]]), what, FaultAccess(lane))

    def _report(self, index: int, number: int, what: str, at: FaultAccess) -> None:
        origin = self._origins[number]
        related = [] if origin.index == index else [self.findings.related("it was read there", origin.index)]
        self.findings.add(
            FaultKind.UNINITIALIZED if origin.from_memory else FaultKind.UNWRITTEN_REGISTER,
            index,
            f"{what} is undefined, because nothing has written {origin.what}",
            key=origin,
            at=at,
            related=related,
        )


def _of_elements(source: Callable[[], Numbers]) -> Callable[[], Numbers]:
    """Returns a source's numbers, one for each element."""
    return lambda: origins_of(source()).max(axis=1, keepdims=True)
