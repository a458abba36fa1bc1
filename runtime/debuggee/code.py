"""The code of loaded modules, in addresses of its own, with the breakpoints that a debugger writes into it.

A breakpoint in an instruction of the virtual Xe ISA is the opcode 0xff; in a native one it is the bit that hardware has
for that. The device keeps the instruction.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping

import numpy as np

import zebin
from runtime.simulator import Executable

_FIRST_ADDRESS = 0xFFFF_8000_0000_0000
"""The first address of images and code. Memory of programs is in the lower half of the addresses."""

_MODULE_ALIGNMENT = 1 << 32
"""Code of a module lies in one block of this size, so that 32 bits tell its instructions apart."""

_SECTION_ALIGNMENT = 256

BREAKPOINT_OPCODE = 0xFF
_WORD = 16
_COMPACTED_BIT, _NATIVE_BIT, _NATIVE_COMPACTED_BIT = 29, 30, 7


def text_layout(binary: zebin.Zebin) -> dict[int, int]:
    """Returns where each section with code lies behind the load address of a module, by the section's number."""
    found: dict[int, int] = {}
    position = 0
    for kernel in binary.kernels.values():
        if kernel.section.index not in found:
            found[kernel.section.index] = position
            position += -(-len(kernel.section.data) // _SECTION_ALIGNMENT) * _SECTION_ALIGNMENT
    return found


class NotCode(ValueError):
    """Bytes that cannot be written into code; the text says why."""


class LoadedCode:
    """The image and the code of a module on a card.

    Args:
        card: The name of the card.
        binary: The module, whose sections receive their addresses.
        kernels: Those of its kernels that can be executed, by name.
        number: The number of the module in its process.
    """

    def __init__(self, card: str, binary: zebin.Zebin, kernels: Mapping[str, Executable], number: int) -> None:
        self.card = card
        self.load = _FIRST_ADDRESS + 2 * number * _MODULE_ALIGNMENT
        self.begin = self.load + _MODULE_ALIGNMENT
        layout = text_layout(binary)
        sections = {kernel.section.index: kernel.section for kernel in binary.kernels.values()}
        original = bytearray(max((place + len(sections[key].data) for key, place in layout.items()), default=0))
        for key, place in layout.items():
            original[place : place + len(sections[key].data)] = sections[key].data
            sections[key].address = self.load + place
        self._kernels: list[tuple[int, Executable]] = []
        for kernel in binary.kernels.values():
            executable = kernels.get(kernel.name)
            if executable is None:
                continue
            start = layout[kernel.section.index] + (0 if kernel.symbol is None else kernel.symbol.value)
            code = executable.description.code
            original[start : start + len(code)] = code
            self._kernels.append((start, executable))
        self._kernels.sort(key=lambda found: found[0])
        self._original = bytes(original)
        self._code = original
        self._image = zebin.write(binary)
        self._firsts = {executable: _first_indices(executable) for _, executable in self._kernels}
        self.breakpoints: dict[Executable, frozenset[int]] = {}
        """The instructions with breakpoints of those kernels that have any."""

    @property
    def end(self) -> int:
        """The address behind the image."""
        return self.begin + len(self._image)

    def base_of(self, executable: Executable) -> int:
        """Returns the address of the first byte of a kernel's code."""
        return self.load + next(start for start, found in self._kernels if found is executable)

    def executables(self) -> Iterator[Executable]:
        """Yields the kernels."""
        return (executable for _, executable in self._kernels)

    def read(self, address: int, size: int) -> bytes | None:
        """Returns bytes of the image or the code; None for other addresses."""
        for start, data in ((self.load, self._code), (self.begin, self._image)):
            if start <= address and address + size <= start + len(data):
                return bytes(data[address - start : address - start + size])
        return None

    def write(self, address: int, data: bytes) -> bool:
        """Sets and removes breakpoints; returns whether the addresses are those of the code.

        Raises:
            NotCode: The bytes would change the code in another way.
        """
        start = address - self.load
        if not 0 <= start <= start + len(data) <= len(self._code):
            return False
        changed = bytearray(self._code)
        changed[start : start + len(data)] = data
        self.breakpoints = self._found(changed)
        self._code = changed
        return True

    def clear(self) -> None:
        """Removes all breakpoints."""
        self._code, self.breakpoints = bytearray(self._original), {}

    def _found(self, code: bytearray) -> dict[Executable, frozenset[int]]:
        """Returns the breakpoints in code, of which nothing else may have changed."""
        original, found = self._original, dict[Executable, set[int]]()
        starts = [start for start, _ in self._kernels]
        different = np.frombuffer(code, np.uint8) != np.frombuffer(original, np.uint8)
        for position in np.flatnonzero(different).tolist():
            kernel = bisect_right(starts, position) - 1
            if kernel < 0:
                raise NotCode(f"no kernel has the byte at {self.load + position:#x}")
            start, executable = self._kernels[kernel]
            index = self._firsts[executable].get(_instruction_at(executable, position - start))
            if index is None:
                raise NotCode(f"no instruction has the byte at {self.load + position:#x}")
            place = start + executable.program.offsets[index]
            stopping = with_breakpoint(original[place : place + _WORD], is_native=executable.description.is_native)
            if code[place : place + len(stopping)] != stopping:
                raise NotCode(f"the instruction at {self.load + place:#x} can get a breakpoint, and no other contents")
            found.setdefault(executable, set()).add(index)
        return {executable: frozenset(indices) for executable, indices in found.items()}

    def is_first(self, executable: Executable, index: int) -> bool:
        """Returns whether the device's instruction begins at an instruction of a program."""
        return self._firsts[executable].get(executable.program.offsets[index]) == index


def _first_indices(executable: Executable) -> dict[int, int]:
    """Returns the first instruction of the program at each offset: several may stand for one of native code."""
    found: dict[int, int] = {}
    for index, offset in enumerate(executable.program.offsets):
        found.setdefault(offset, index)
    return found


def _instruction_at(executable: Executable, offset: int) -> int:
    """Returns the offset of the instruction that has a byte; -1 if none has."""
    offsets = executable.program.offsets
    index = bisect_right(offsets, offset) - 1
    return offsets[index] if index >= 0 else -1


def with_breakpoint(word: bytes, *, is_native: bool) -> bytes:
    """Returns the bytes of an instruction with a breakpoint; `word` are its first ones, as many as a whole word has."""
    if not is_native:
        return bytes((BREAKPOINT_OPCODE,)) + word[1:]
    number = int.from_bytes(word, "little")
    if number >> _COMPACTED_BIT & 1:
        number, word = number & (1 << 8 * _WORD // 2) - 1, word[: _WORD // 2]
        return (number | 1 << _NATIVE_COMPACTED_BIT).to_bytes(len(word), "little")
    return (number | 1 << _NATIVE_BIT).to_bytes(len(word), "little")
