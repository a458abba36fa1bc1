"""The code of a debugged program, as its debugger knows it, and the breakpoints in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import zebin
from runtime import zet
from runtime.debuggee import text_layout, with_breakpoint
from runtime.debugger import DebugError, KernelListing, instructions_at
from runtime.simulator import Executable, Memory, Simulator
from runtime.ze.driver import LoadError, load_module
from tools.debug.remote.link import ProgramLink
from xegpu.targets import Target

_WORD = 16
_COMPACTED = 8
"""The bytes of the smallest instruction of native code, at whose multiples instructions begin."""


@dataclass(frozen=True)
class LoadedKernel:
    """A kernel at its address."""

    address: int
    executable: Executable
    listing: KernelListing

    @property
    def end(self) -> int:
        """The address behind its code."""
        return self.address + len(self.executable.description.code)

    def address_of(self, index: int) -> int:
        """Returns the address of an instruction."""
        return self.address + self.executable.program.offsets[index]

    def instructions_at(self, location: str) -> frozenset[int]:
        """Returns the instructions at a location; none if the kernel lacks it."""
        try:
            found = instructions_at(location, self.listing)
        except DebugError:
            return frozenset()
        return frozenset(map(self._real, found))

    def together(self, index: int) -> range:
        """Returns the instructions that stop where one does: it, and those before it that the code does not have."""
        first = index
        while first and self._real(first - 1) == index:
            first -= 1
        return range(first, index + 1)

    def _real(self, index: int) -> int:
        """Returns the first instruction from one on that the code has: of native code, some have no words."""
        offsets = self.executable.program.offsets
        while self.executable.description.is_native and offsets[index] % _COMPACTED and index + 1 < len(offsets):
            index += 1
        return index

    def stopping(self, index: int) -> bytes:
        """Returns an instruction with a breakpoint."""
        description, offset = self.executable.description, self.executable.program.offsets[index]
        return with_breakpoint(description.code[offset : offset + _WORD], is_native=description.is_native)


class ProgramCode:
    """The kernels of all modules of a program."""

    def __init__(self, link: ProgramLink) -> None:
        self._link = link
        self._modules: dict[int, list[LoadedKernel]] = {}
        self._written: dict[int, bytes] = {}
        """The instructions that have breakpoints, as they are without, by their addresses."""

    def load(self, module: zet.zet_debug_event_info_module_t) -> None:
        """Reads a module."""
        image = self._link.read(module.moduleBegin, module.moduleEnd - module.moduleBegin)
        self._modules[module.load] = list(_kernels_of(image, module.load, self._link.target))

    def unload(self, module: zet.zet_debug_event_info_module_t) -> None:
        """Forgets a module, with the breakpoints in it."""
        for kernel in self._modules.pop(module.load, []):
            for address in [known for known in self._written if kernel.address <= known < kernel.end]:
                del self._written[address]

    def kernels(self) -> list[LoadedKernel]:
        """Returns all kernels."""
        return [kernel for module in self._modules.values() for kernel in module]

    def kernel_at(self, address: int) -> LoadedKernel | None:
        """Returns the kernel that has an instruction at an address."""
        return next((kernel for kernel in self.kernels() if kernel.address <= address < kernel.end), None)

    def set_breakpoints(self, wanted: Mapping[int, bytes]) -> None:
        """Makes these the breakpoints of the program: instructions with breakpoints, by their addresses."""
        for address in [known for known in self._written if known not in wanted]:
            self._link.write(address, self._written.pop(address))
        for address, word in wanted.items():
            if address not in self._written:
                before = self._link.read(address, len(word))
                self._link.write(address, word)
                self._written[address] = before


def _kernels_of(image: bytes, load: int, target: Target) -> Iterator[LoadedKernel]:
    """Yields the kernels of a module that can be executed; `load` is where its code is."""
    try:
        binary = zebin.read(image, lenient=True)
        module = load_module(image, Simulator(target, Memory(), engine="interpreter"))
        if not module.is_linked:
            module.load_kernels()
    except (zebin.ZebinError, LoadError, MemoryError):  # the program accepts modules that this debugger does not
        return
    layout = text_layout(binary)
    for name, executable in module.executables():
        kernel = binary.kernels[name]
        address = load + layout[kernel.section.index] + (0 if kernel.symbol is None else kernel.symbol.value)
        yield LoadedKernel(address, executable, KernelListing(executable))
