"""Loaded modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from runtime.ze.driver.handle import Handle
from runtime.ze.driver.memory.allocation import adopt_memory
from runtime.ze.driver.memory.usm import Usm
from runtime.ze.driver.modules.loading import LoadedModule
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.results import ZeError, ze_result_t


class Module(Handle):
    """A loaded ZEBIN: its kernels, variables and functions."""

    noun: ClassVar[str] = "module"

    def __init__(self, context: Context, device: Device, binary: bytes, loaded: LoadedModule) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.binary = binary
        self.loaded = loaded
        self.was_linked = False
        self._memory = [adopt_memory(context, device, allocation) for allocation in loaded.linked.memory]

    def require_linked(self) -> None:
        """Raises `INVALID_MODULE_UNLINKED` while imports are unresolved."""
        if not self.loaded.is_linked:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED,
                f"{self!r} must be linked with modules that export {', '.join(self.loaded.linked.imports)}",
            )

    @property
    def memory(self) -> Sequence[Usm]:
        """The memory of the module's constants and variables."""
        return self._memory

    def free(self) -> None:
        """Frees the memory of the variables."""
        for usm in self._memory:
            self.context.release(usm)
