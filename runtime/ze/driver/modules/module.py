"""Loaded modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import zebin
from runtime.concurrency import lazy
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.memory.allocation import adopt_memory, free_when_unused
from runtime.ze.driver.modules.addresses import CodeAddresses
from runtime.ze.driver.modules.loading import LoadedModule, load_module
from runtime.ze.driver.modules.program import Contents, DeferredContents, ModuleProgram
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.usm import Usm
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.isa.model import SAMPLER_BYTES

if TYPE_CHECKING:
    from runtime.debuggee import LoadedCode
    from runtime.simulator import Allocation
    from xegpu.isa.model import SamplerState


_ADDRESSES = CodeAddresses()


class Module(Handle):
    """A module: its kernels, variables and functions. `program` is its source, if that was SPIR-V.

    `profile_flags` are the data for tools that its build flags ask for.
    """

    noun: ClassVar[str] = "module"

    def __init__(
        self,
        context: Context,
        device: Device,
        binary: bytes | None,
        loaded: Contents,
        program: ModuleProgram | None = None,
        profile_flags: int = 0,
    ) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.program = program
        self.profile_flags = profile_flags
        self.was_linked = False
        self._memory: list[Usm] = []
        self._samplers: dict[SamplerState, Allocation] = {}
        self._code: LoadedCode | None = None
        self.replace(binary, loaded)

    def replace(self, binary: bytes | None, loaded: Contents) -> None:
        """Gives the module contents, once it is linked."""
        self._binary = binary
        self.loaded = loaded
        self._memory += [adopt_memory(self.context, self.device, allocation) for allocation in loaded.linked.memory]

    def announce(self) -> None:
        """Announces the module to debuggers, once it is linked: all its kernels are compiled for that.

        Waits until an attached debugger has seen it. Raises `ModuleBuildError`.
        """
        debugged = self.context.machine.debugged
        if debugged is None or self._code is not None:
            return
        if isinstance(self.loaded, DeferredContents):
            self.loaded = load_module(self.binary(), self.device.simulator)
        if isinstance(self.loaded, LoadedModule) and self.loaded.is_linked:
            image = zebin.read(zebin.write(self.loaded.binary), lenient=True)
            self._code = debugged.module_loaded(self.device.board_name, image, dict(self.loaded.executables()))

    @property
    def identity(self) -> bytes:
        """A digest or binary that tells the module from others."""
        return self._binary if self.program is None and self._binary is not None else self._program().identity

    def binary(self) -> bytes:
        """Returns the ZEBIN. Raises `ModuleBuildError` if one of the kernels that it takes does not compile."""
        if self._binary is None:
            self._binary = self._program().compile()
        return self._binary

    @lazy
    def load_address(self) -> int:
        """The address at which tools see its code. Raises `ModuleBuildError`."""
        return _ADDRESSES.take(len(self.binary()))

    def debug_image(self) -> bytes:
        """Returns an ELF file with its code at its addresses and its debug information. Raises `ModuleBuildError`."""
        return zebin.debug_image(zebin.read(self.binary(), lenient=True), self.load_address)

    def code_address(self, name: str) -> int:
        """Returns the address of the code of a kernel. Raises `ModuleBuildError`."""
        binary = zebin.read(self.binary(), lenient=True)
        kernel = binary.kernels[name]
        return zebin.code_addresses(binary, self.load_address)[kernel.section.index] + kernel.start

    def _program(self) -> ModuleProgram:
        assert self.program is not None, "what has no program is a binary"
        return self.program

    def require_linked(self) -> None:
        """Raises `INVALID_MODULE_UNLINKED` while imports are unresolved."""
        if not self.loaded.is_linked:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED,
                f"{self!r} must be linked with modules that export {', '.join(self.loaded.linked.imports)}",
            )

    def memory_of(self, kernel: str) -> list[Usm]:
        """Returns the memory of constants and variables that a kernel uses, with those of other modules at the end."""
        if not isinstance(self.loaded, LoadedModule):
            return []
        addresses = sorted(self.loaded.linked.addresses_of(self.loaded.binary.kernels[kernel]))
        found = dict.fromkeys(usm for address in addresses if (usm := self.context.usm(address)) is not None)
        return [*(usm for usm in self._memory if usm in found), *(usm for usm in found if usm not in self._memory)]

    def sampler_state(self, sampler: SamplerState) -> int:
        """Returns the address of the state of a sampler that kernels bring along; equal ones share it.

        Raises:
            MemoryError: There is no room for it.
        """
        if sampler not in self._samplers:
            memory = self.context.machine.memory
            allocation = memory.allocate(SAMPLER_BYTES, SAMPLER_BYTES, "sampler state", repr(self))
            allocation.view()[:] = sampler.pack()
            self._samplers[sampler] = allocation
        return self._samplers[sampler].address

    def free(self) -> None:
        """Frees the memory of the variables, when the commands that are submitted now have ended."""
        for usm in self._memory:
            free_when_unused(self.context, usm, waits=False)

    def retire(self) -> bool:
        if not super().retire():
            return False
        if self._code is not None and self.context.machine.debugged is not None:
            self.context.machine.debugged.module_unloaded(self._code)
        for allocation in self._samplers.values():
            self.context.machine.memory.free(allocation)
        return True
