"""Samplers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from runtime.ze.driver.handle import Handle
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.isa.model import SAMPLER_BYTES, Addressing, Filter

if TYPE_CHECKING:
    from xegpu.isa.model import SamplerState

_NORMALIZED = 8

_ADDRESS_NUMBERS = {
    Addressing.NONE: 0,
    Addressing.CLAMP_TO_BORDER: 1,
    Addressing.CLAMP: 2,
    Addressing.REPEAT: 3,
    Addressing.MIRROR: 4,
}
"""The numbers by which kernels receive addressing modes."""


class Sampler(Handle):
    """A sampler, whose state kernels find at address `state`."""

    noun: ClassVar[str] = "sampler"

    def __init__(self, context: Context, device: Device, sampler: SamplerState) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.sampler = sampler
        try:
            self._record = context.machine.memory.allocate(
                SAMPLER_BYTES, SAMPLER_BYTES, "sampler state", f"sampler #{self.id}"
            )
        except MemoryError as error:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, f"no room for a sampler: {error}"
            ) from error
        self._record.view()[:] = sampler.pack()

    @property
    def properties(self) -> dict[str, int]:
        """The numbers that kernels may ask for, by the `arg_type` of `.ze_info`."""
        sampler = self.sampler
        snaps = (sampler.addressing, sampler.filter) == (Addressing.CLAMP_TO_BORDER, Filter.NEAREST)
        return {
            "sampler_address": _ADDRESS_NUMBERS[Addressing(sampler.addressing)],
            "sampler_normalized": _NORMALIZED if sampler.normalized else 0,
            "sampler_snap_wa": 0xFFFFFFFF if snaps else 0,
        }

    @property
    def state(self) -> int:
        return self._record.address

    @property
    def addresses(self) -> tuple[int, ...]:
        """The memory that commands use with the sampler."""
        return (self._record.address,)

    @property
    def pending_use(self) -> str:
        is_used = self.context.users(self._record)
        return f"{self!r} is used by a command that is still pending" if is_used else ""

    def retire(self) -> bool:
        if not super().retire():
            return False
        self.context.free_when_unused(self._record)
        return True
