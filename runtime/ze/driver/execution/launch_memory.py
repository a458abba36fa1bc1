"""The memory that a launch has for itself: private memory, output, and what code asks of the launch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from math import prod
from typing import TYPE_CHECKING

from runtime import simulator
from runtime.ze.driver.execution.implicit import implicit_arguments
from runtime.ze.driver.modules.kernel import with_addresses
from runtime.ze.driver.modules.native_printf import AssertionBuffer, NativePrintfBuffer
from runtime.ze.driver.modules.printf import PrintfBuffer
from runtime.ze.driver.system.processor import CommandFault
from runtime.ze.driver.system.properties import PRINTF_BUFFER_BYTES

if TYPE_CHECKING:
    from runtime.simulator import Dispatch
    from runtime.ze.driver.modules.kernel import Kernel

_ALIGNMENT = 64
_ASSERTION_BYTES = 1 << 16
"""The size of the buffer for assertions, as Intel's driver has it."""


@contextmanager
def launch_memory(kernel: Kernel, dispatch: Dispatch) -> Iterator[Dispatch]:
    """Yields the launch with the addresses of its memory, which exists meanwhile. Raises `CommandFault`.

    What the kernel has printed is written at the end, also of a launch that faults.
    """
    slots = kernel.launch_memory
    addresses: dict[str, int] = {}
    with ExitStack() as kept:
        for word, (label, make) in LAUNCH_MEMORY.items():
            if word not in slots:
                continue
            try:
                addresses[word] = kept.enter_context(make(kernel, dispatch, addresses))
            except (simulator.LaunchRefused, MemoryError) as error:
                raise CommandFault(f"kernel '{kernel.description.name}' needs {label}: {error}") from error
        places = {offset: addresses[word] for word, offsets in slots.items() for offset in offsets}
        yield with_addresses(dispatch, places)


@contextmanager
def _allocated(kernel: Kernel, size: int, label: str) -> Iterator[simulator.Allocation]:
    """Yields memory of zeros."""
    memory = kernel.module.device.simulator.memory
    allocation = memory.allocate(size, _ALIGNMENT, label=label)
    try:
        yield allocation
    finally:
        memory.free(allocation)


@contextmanager
def _private_memory(kernel: Kernel, dispatch: Dispatch, _: Mapping[str, int]) -> Iterator[int]:
    threads = kernel.module.device.simulator.threads_at_once(kernel.description, dispatch)
    allocation = kernel.private_surface.take(kernel.description.private_memory * threads)
    try:
        yield allocation.address
    finally:
        kernel.private_surface.give_back(allocation)


@contextmanager
def _printf_buffer(kernel: Kernel, _: Dispatch, __: Mapping[str, int]) -> Iterator[int]:
    allocation = kernel.printf_surface.take(PRINTF_BUFFER_BYTES)
    buffer: PrintfBuffer | NativePrintfBuffer
    if kernel.description.is_native:
        buffer = NativePrintfBuffer(kernel.module.device.simulator.memory, allocation)
    else:
        buffer = PrintfBuffer(allocation, kernel.facts.printf_strings)
    try:
        yield allocation.address
    except simulator.DeviceFault as fault:
        buffer.explain(fault)
        raise
    finally:
        buffer.flush()
        kernel.printf_surface.give_back(allocation)


@contextmanager
def _sync_buffer(kernel: Kernel, dispatch: Dispatch, _: Mapping[str, int]) -> Iterator[int]:
    """Yields the address of a byte for each work-group, by which all groups wait for each other."""
    with _allocated(kernel, max(prod(dispatch.group_count), 1), "barrier of all work-groups") as allocation:
        allocation.view()[:] = bytes(allocation.size)
        yield allocation.address


@contextmanager
def _assert_buffer(kernel: Kernel, _: Dispatch, __: Mapping[str, int]) -> Iterator[int]:
    """Yields the address of a buffer for assertions. The launch is a fault if one has failed: `CommandFault`."""
    with _allocated(kernel, _ASSERTION_BYTES, "assertions") as allocation:
        buffer = AssertionBuffer(kernel.module.device.simulator.memory, allocation)
        yield allocation.address
        if (message := buffer.message()) is not None:
            raise CommandFault(f"kernel '{kernel.description.name}': {message}")


@contextmanager
def _implicit_arguments(kernel: Kernel, dispatch: Dispatch, addresses: Mapping[str, int]) -> Iterator[int]:
    contents = implicit_arguments(kernel.description, dispatch)
    with _allocated(kernel, contents.size, "implicit arguments") as allocation:
        allocation.view()[:] = contents.at(allocation.address, addresses)
        yield allocation.address


Maker = Callable[["Kernel", "Dispatch", Mapping[str, int]], AbstractContextManager[int]]

LAUNCH_MEMORY: Mapping[str, tuple[str, Maker]] = {
    "private_base_stateless": ("private memory", _private_memory),
    "printf_buffer": ("a buffer for what it prints", _printf_buffer),
    "assert_buffer": ("a buffer for assertions", _assert_buffer),
    "sync_buffer": ("a barrier of all work-groups", _sync_buffer),
    "implicit_arg_buffer": ("implicit arguments", _implicit_arguments),
}
"""Memory by the type of the payload that has its address, and what makes it; the last has the other addresses in it."""
