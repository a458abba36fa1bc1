"""Atomics that work-groups may execute anywhere, in any order: their changes of an array are put together exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from runtime.cluster.errors import SpreadError
from runtime.cluster.pointers import accessed_arguments
from runtime.simulator import Executable
from xegpu.isa.cost import TrafficSpace, traffic
from xegpu.isa.model import Instruction, MemoryAccessKind


class AtomicFamily(Enum):
    """Atomics that commute with each other: the function that joins two changes, on a kind of numbers."""

    SUM = (np.add, "u")
    SIGNED_MINIMUM = (np.minimum, "i")
    SIGNED_MAXIMUM = (np.maximum, "i")
    MINIMUM = (np.minimum, "u")
    MAXIMUM = (np.maximum, "u")
    AND = (np.bitwise_and, "u")
    OR = (np.bitwise_or, "u")
    XOR = (np.bitwise_xor, "u")

    def __init__(self, join: np.ufunc, kind: str) -> None:
        self.join = join
        self.kind = kind

    def identity(self, size: int) -> int:
        """Returns the number that changes nothing, for elements of `size` bytes."""
        limits = np.iinfo(f"{self.kind}{size}")
        if self.join is np.minimum:
            return int(limits.max)
        if self.join is np.maximum:
            return int(limits.min)
        return int(limits.max) if self is AtomicFamily.AND else 0


_CHANGES = {
    "atomic_iinc": AtomicFamily.SUM,
    "atomic_idec": AtomicFamily.SUM,
    "atomic_iadd": AtomicFamily.SUM,
    "atomic_isub": AtomicFamily.SUM,
    "atomic_smin": AtomicFamily.SIGNED_MINIMUM,
    "atomic_smax": AtomicFamily.SIGNED_MAXIMUM,
    "atomic_umin": AtomicFamily.MINIMUM,
    "atomic_umax": AtomicFamily.MAXIMUM,
    "atomic_and": AtomicFamily.AND,
    "atomic_or": AtomicFamily.OR,
    "atomic_xor": AtomicFamily.XOR,
}
"""The atomics whose order does not matter, unless they return what they find in memory."""


@dataclass(frozen=True)
class Accumulator:
    """An array that work-groups change by atomics of one kind, on elements of `size` bytes."""

    family: AtomicFamily
    size: int

    def fill(self, nbytes: int) -> NDArray[np.uint8]:
        """Returns memory that shows the changes: those of elements that nothing changes have no effect."""
        pattern = self._elements(np.zeros(self.size, np.uint8))
        pattern[:] = self.family.identity(self.size)
        return np.resize(pattern.view(np.uint8), nbytes)

    def join(self, image: NDArray[np.uint8], changes: NDArray[np.uint8]) -> None:
        """Changes memory as work-groups have changed that which `fill` returns."""
        whole = image.size // self.size * self.size
        elements = self._elements(image[:whole])
        self.family.join(elements, self._elements(changes[:whole]), out=elements)

    def _elements(self, image: NDArray[np.uint8]) -> NDArray[np.generic]:
        return image.view(np.dtype(f"{self.family.kind}{self.size}"))


def find_accumulators(executable: Executable) -> Mapping[str, Accumulator]:
    """Returns the arrays that a kernel accesses by atomics only, by the names of its arguments.

    Raises:
        SpreadError: The order of the atomics matters, or memory is not accessed by atomics only.
    """
    found: dict[str, tuple[Accumulator, int]] = {}
    accesses = accessed_arguments(executable) if any(map(_is_atomic, executable.program.instructions)) else {}
    for index, names in accesses.items():
        instruction = executable.program.instructions[index]
        if not _is_atomic(instruction):
            continue
        accumulator = _accumulator(executable, index)
        if len(names) != 1:
            _refuse(executable, index, "accesses memory of an argument that the code does not tell")
        (name,) = names
        first, place = found.setdefault(name, (accumulator, index))
        if first != accumulator:
            other = executable.program.instructions[place].mnemonic
            _refuse(executable, index, f"does not commute with {other} on argument '{name}'")
    for index, names in accesses.items():
        instruction = executable.program.instructions[index]
        if found and not _is_atomic(instruction):
            if not names:
                _refuse(executable, index, "accesses memory that may be that of an atomic")
            for name in sorted(names & found.keys()):
                _refuse(executable, index, f"accesses argument '{name}', which atomics change")
    return {name: accumulator for name, (accumulator, _) in found.items()}


def _is_atomic(instruction: Instruction) -> bool:
    moved = traffic(instruction)
    return moved is not None and moved.space is TrafficSpace.GLOBAL and moved.access is MemoryAccessKind.ATOMIC


def _accumulator(executable: Executable, index: int) -> Accumulator:
    """Returns the change of memory by an atomic. Raises `SpreadError` if its order matters."""
    instruction = executable.program.instructions[index]
    change, message = _CHANGES.get(instruction.mnemonic), instruction.message
    if change is None or message is None:
        _refuse(executable, index, "is an atomic whose order matters")
    if instruction.returned is not None and not instruction.returned.is_null:
        _refuse(executable, index, "is an atomic that returns what it finds, which depends on the order")
    return Accumulator(change, message.data_size.memory_bytes)


def _refuse(executable: Executable, index: int, reason: str) -> NoReturn:
    place = executable.description.lines.at(executable.program.offsets[index])
    where = place or f"offset {executable.program.offsets[index]:#x}"
    name, mnemonic = executable.description.name, executable.program.instructions[index].mnemonic
    raise SpreadError(f"the work-groups of kernel '{name}' cannot be spread: {mnemonic} at {where} {reason}")
