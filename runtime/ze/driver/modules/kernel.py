"""Kernels with the settings of their next launch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary, ref

from runtime import simulator
from runtime.card import DeviceWork
from runtime.concurrency import lazy
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.modules.arguments import KernelArguments
from runtime.ze.driver.modules.module import Module
from runtime.ze.driver.modules.payload import POINTER_BYTES
from runtime.ze.driver.modules.surfaces import AddressRange, Surface
from runtime.ze.driver.system.properties import PRINTF_BUFFER_BYTES
from runtime.ze.spec.enums import ze_kernel_indirect_access_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.isa.model import ADDRESSING_WORDS, FILTER_WORDS, Dim3, SamplerState
from zebin import contract

if TYPE_CHECKING:
    from runtime.simulator import Allocation, Dispatch, Executable

_MANY = 1 << 31

_PAGE = 4096
"""The alignment of private memory, and of the addresses of scratch space."""

IndirectAccess = ze_kernel_indirect_access_flags_t


_homes: WeakKeyDictionary[Executable, ref[Module]] = WeakKeyDictionary()
"""The modules of the kernels that programs have created."""


def code_address(executable: Executable) -> int:
    """Returns the address at which tools see the code of a kernel; 0 if its module is gone or does not compile."""
    home = _homes.get(executable)
    module = None if home is None else home()
    try:
        return 0 if module is None else module.code_address(executable.description.name)
    except ZeError:
        return 0


def with_addresses(dispatch: Dispatch, addresses: Mapping[int, int]) -> Dispatch:
    """Returns a launch with addresses in its payload, by their offsets there."""
    if not addresses:
        return dispatch
    data = bytearray(dispatch.cross_thread)
    for offset, address in addresses.items():
        data[offset : offset + POINTER_BYTES] = address.to_bytes(POINTER_BYTES, "little")
    return replace(dispatch, cross_thread=bytes(data))


LaunchForm = tuple[Dim3, Dim3, int, int]
"""Work-groups of a launch, their size, their local memory, and the instructions that were executed."""


class Kernel(Handle):
    """A kernel of a module, with the settings of its next launch."""

    noun: ClassVar[str] = "kernel"

    def __init__(self, module: Module, executable: Executable) -> None:
        super().__init__(module)
        self.module = module
        self.executable = executable
        _homes[executable] = ref(module)
        self.description = executable.description
        self.facts = self.description.facts
        self.arguments = KernelArguments(self.description)
        self.group_size: Dim3 = self.facts.required_work_group_size or (1, 1, 1)
        self.global_offset: Dim3 = (0, 0, 0)
        self.indirect_access = IndirectAccess(0)
        self.works: dict[LaunchForm, DeviceWork] = {}
        """The work of the latest launches, as programs repeat them."""
        memory = module.device.simulator.memory
        self.printf_surface = Surface(memory, "printf", self.description.name, 64)
        self.private_surface = Surface(memory, "device", "private memory", _PAGE)
        self._addresses = self._sampler_states() | self._variables()

    def __repr__(self) -> str:
        return f"<kernel '{self.description.name}' #{self.id}{'' if self.alive else ', destroyed'}>"

    def _sampler_states(self) -> dict[int, int]:
        """Returns the addresses of the states of the kernel's own samplers, by their offsets in the payload.

        Raises:
            ZeError: `OUT_OF_DEVICE_MEMORY`.
        """
        try:
            return {
                sampler.offset: self.module.sampler_state(
                    SamplerState(
                        ADDRESSING_WORDS[sampler.addressing], FILTER_WORDS[sampler.filter], int(sampler.normalized)
                    )
                )
                for sampler in self.facts.samplers
            }
        except MemoryError as error:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, f"no room for a sampler of {self!r}: {error}"
            ) from error

    def _variables(self) -> dict[int, int]:
        """Returns the addresses of the module's variables, by their offsets in the payload; 0 where it has none."""
        bases = self.module.loaded.linked.buffers
        return {
            implicit.offset: bases.get(implicit.kind, 0)
            for implicit in self.facts.implicit_arguments
            if contract.PAYLOAD[implicit.kind].source is contract.PayloadSource.MODULE
        }

    @lazy
    def launch_memory(self) -> Mapping[str, Sequence[int]]:
        """The offsets in the payload of the addresses of memory that each launch has for itself, by what it is for.

        Code that is compiled apart from the kernel finds the implicit arguments in a surface of their own, and the
        buffers for what it prints and asserts in these.
        """
        found: dict[str, list[int]] = {}
        for implicit in self.facts.implicit_arguments:
            if contract.PAYLOAD[implicit.kind].source is contract.PayloadSource.LAUNCH_MEMORY:
                found.setdefault(implicit.kind, []).append(implicit.offset)
        for binding in self.facts.bindings:
            if binding.number == contract.PAYLOAD_SURFACE:
                found.setdefault("implicit_arg_buffer", []).append(binding.offset)
        if "implicit_arg_buffer" in found:
            found.setdefault("printf_buffer", [])
            found.setdefault("assert_buffer", [])
        if not self.description.private_memory:
            found.pop("private_base_stateless", None)
        return found

    def supply(self, dispatch: Dispatch) -> Dispatch:
        """Returns a launch whose payload has the addresses of what the module brings along."""
        return with_addresses(dispatch, self._addresses)

    @lazy
    def scratch(self) -> AddressRange:
        """The addresses of scratch space for all hardware threads, each of which sees its own by offsets only.

        Raises:
            MemoryError: The system has no such addresses left.
        """
        target = self.description.target
        threads = target.xe_cores * target.max_group_threads(self.facts.grf_count)
        return AddressRange(self.facts.scratch_size * threads, _PAGE)

    def reserve_surfaces(self) -> Iterator[Allocation | AddressRange]:
        """Yields the memory that later launches have beside that of arguments and the module.

        It is private memory in global memory, scratch space, and the buffer for what the kernel prints.

        Raises:
            MemoryError: There is no room.
        """
        if "private_base_stateless" in self.launch_memory:
            dispatch, card = self._largest_dispatch, self.module.device.simulator
            size = self.description.private_memory * card.threads_at_once(self.description, dispatch)
            yield self.private_surface.reserve(size)
        if self.facts.scratch_size:
            yield self.scratch
        if "printf_buffer" in self.launch_memory:
            yield self.printf_surface.reserve(PRINTF_BUFFER_BYTES)

    def retire(self) -> bool:
        if not super().retire():
            return False
        for surface in (self.printf_surface, self.private_surface):
            surface.close()
        return True

    @property
    def max_cooperative_groups(self) -> int:
        """The work-groups that the device holds at the same time, with the group size and arguments that are set."""
        return simulator.residency(self.description, self._largest_dispatch).resident_groups

    @property
    def _largest_dispatch(self) -> Dispatch:
        """A launch of more work-groups than the device holds, with the settings of the next one."""
        return simulator.Dispatch((_MANY, 1, 1), self.group_size, b"", self.arguments.local_bytes)

    def require_group_size(self, size: Dim3) -> None:
        """Raises `INVALID_GROUP_SIZE_DIMENSION` for a size that the kernel cannot be launched with."""
        description, required_size = self.description, self.facts.required_work_group_size
        x, y, z = size
        limits = self.module.device.compute
        widest = (limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ)
        total = x * y * z
        if required_size is not None and size != required_size:
            why = f"the kernel requires {required_size}"
        elif not (1 <= x <= widest[0] and 1 <= y <= widest[1] and 1 <= z <= widest[2]):
            why = f"each dimension is 1 to at most {widest}"
        elif total > description.max_group_size:
            why = f"{total} in total, at most {description.max_group_size} fit"
        else:
            return
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
            f"kernel '{description.name}', group size {size}: {why}",
        )
