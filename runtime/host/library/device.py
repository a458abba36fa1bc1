"""Uses of the GPU by host programs: memory, copies and launches, through Level Zero."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from runtime import ze
from runtime.api import Device, LaunchError, LaunchResult, Module
from runtime.host.data.failures import DeviceUseError
from runtime.host.data.values import Array, Value
from xegpu.isa.model import Dim3


class DeviceCalls(Protocol):
    """Functions of the GPU for compiled code; they raise `ZeError`, or `DeviceUseError` for wrong uses."""

    @property
    def finds_unwritten(self) -> bool:
        """Returns whether reads of memory that nothing has written are looked for."""

    def allocate(self, size: int, *, is_shared: bool) -> int:
        """Returns the address of memory of `size` bytes, which the host may use as well if it is shared."""

    def free(self, address: int) -> bool:
        """Frees memory; returns whether the GPU has allocated it."""

    def copy(self, target: int, source: int, size: int) -> None:
        """Copies bytes between memory of any kind."""

    def fill(self, target: int, pattern: bytes, size: int) -> None:
        """Fills bytes with a pattern of 1, 2, 4 or 8 bytes."""

    def extent(self, address: int) -> tuple[int, int] | None:
        """Returns the first and the end address of the GPU memory around an address; None if there is none."""

    def register(self, memory: Array) -> None:
        """Lets kernels use memory of the host."""

    def unregister(self, memory: Array) -> None:
        """Undoes `register`."""

    def kernel(self, module: str, name: str) -> Launcher | None:
        """Returns the launcher of a kernel; None if there is no such kernel."""


class Launcher(Protocol):
    """Launches a kernel, and waits for its end."""

    def __call__(self, grid: Dim3, block: Dim3, shared_bytes: int, values: Sequence[Value]) -> None:
        """Launches with values for the kernel's arguments; arrays are memory that it uses in place."""


class HostDevice:
    """A simulated GPU with the kernels of a program: a ZEBIN for each `gpu.module`.

    `watch` is called with the result of each launch.
    """

    def __init__(
        self, device: Device, binaries: Mapping[str, bytes], watch: Callable[[LaunchResult], None] = lambda _: None
    ) -> None:
        self._device = device
        self._session = device.session
        self._modules: dict[str, Module] = {name: device.load(binary) for name, binary in binaries.items()}
        self._watch = watch
        self._allocations: set[int] = set()
        self._freed: set[int] = set()
        """Addresses that were freed and not allocated again."""
        self._registered: dict[int, int] = {}
        self.finds_unwritten = self._session.context.machine.memory.tracks_values

    def allocate(self, size: int, *, is_shared: bool) -> int:
        context, device = self._session.context, self._session.device
        relaxed = ze.ze_device_mem_alloc_desc_t(pNext=ze.ze_relaxed_allocation_limits_exp_desc_t())
        if is_shared:
            address = ze.zeMemAllocShared(context, relaxed, ze.ze_host_mem_alloc_desc_t(), max(size, 1), 64, device)
        else:
            address = ze.zeMemAllocDevice(context, relaxed, max(size, 1), 64, device)
        self._allocations.add(address)
        self._freed.discard(address)
        return address

    def free(self, address: int) -> bool:
        if address in self._freed:
            raise DeviceUseError(f"frees memory at {address:#x}, which was freed before")
        if address not in self._allocations:
            return False
        self._allocations.remove(address)
        self._freed.add(address)
        ze.zeMemFree(self._session.context, address)
        return True

    def copy(self, target: int, source: int, size: int) -> None:
        if size:
            commands = self._session.commands
            to, origin = (self._operand(address, size) for address in (target, source))
            self._session.execute(lambda: ze.zeCommandListAppendMemoryCopy(commands, to, origin, size))

    def _operand(self, address: int, size: int) -> int | Array:
        """Returns memory as an operand of a copy: its address where Level Zero allocated it, else an array."""
        if self._is_given(address, address + size):
            return address
        return np.ndarray(size, np.uint8, memoryview((ctypes.c_uint8 * size).from_address(address)))

    def extent(self, address: int) -> tuple[int, int] | None:
        owner = self._session.context.machine.memory.find(address)
        return (owner.address, owner.end) if owner is not None and owner.is_owned else None

    def _is_given(self, start: int, end: int) -> bool:
        """Returns whether bytes are in one allocation of Level Zero."""
        extent = self.extent(start)
        return extent is not None and end <= extent[1]

    def fill(self, target: int, pattern: bytes, size: int) -> None:
        if size:
            commands = self._session.commands
            self._session.execute(
                lambda: ze.zeCommandListAppendMemoryFill(commands, target, pattern, len(pattern), size)
            )

    def register(self, memory: Array) -> None:
        start, end = _extent(memory)
        self._registered[start] = max(end, self._registered.get(start, 0))

    def unregister(self, memory: Array) -> None:
        if self._registered.pop(_extent(memory)[0], None) is None:
            raise DeviceUseError("unregisters memory that is not registered")

    def kernel(self, module: str, name: str) -> Launcher | None:
        if module not in self._modules or name not in self._modules[module]:
            return None
        kernel = self._modules[module][name]

        def launch(grid: Dim3, block: Dim3, shared_bytes: int, values: Sequence[Value]) -> None:
            if 0 in grid:
                return
            if DYNAMIC_SHARED_MEMORY in kernel.parameter_names:
                values = [*values, max(shared_bytes, 1), shared_bytes]
            for number, value in enumerate(values):
                if isinstance(value, np.ndarray) and value.size and not self._is_usable(value):
                    raise DeviceUseError(
                        f"passes argument {number}, memory that only the host can use: kernel '{name}' needs memory of "
                        "gpu.alloc, or gpu.host_register before the launch"
                    )
            try:
                self._watch(kernel[grid, block](*values))
            except LaunchError as error:
                raise DeviceUseError(str(error)) from None

        return launch

    def _is_usable(self, array: Array) -> bool:
        start, end = _extent(array)
        registered = (first <= start and end <= last for first, last in self._registered.items())
        return self._is_given(start, end) or any(registered)


DYNAMIC_SHARED_MEMORY = "dynamic_shared_memory"
"""The name of the last argument of kernels that use the memory that a launch sizes."""


def _extent(array: Array) -> tuple[int, int]:
    """Returns the first address of an array, and the one after its last byte."""
    return np.lib.array_utils.byte_bounds(array)
