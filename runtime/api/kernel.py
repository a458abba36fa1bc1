"""Kernels that are called like functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import overload

import numpy as np

from runtime.api.event import Event
from runtime.api.host_memory import HostArray, OverlapError
from runtime.api.parameters import Mismatch, Value, parameters_of
from runtime.api.session import Session
from runtime.api.stream import Stream
from runtime.simulator.profile import Profile
from runtime.ze.driver import ArgumentValue, CommandList, KernelArguments, Launch, Size3, prepare_launch
from runtime.ze.driver import Kernel as KernelHandle

Extent = int | tuple[int, ...]
"""One to three counts, x first."""

_MOST = (1 << 32) - 1


class LaunchError(TypeError):
    """A call of a kernel whose grid or arguments do not fit it."""


@dataclass(frozen=True)
class LaunchResult:
    """What a launch did: `instructions` executed over all hardware `threads`, in wall-clock `seconds`.

    `profile` says more, on a device that makes profiles.
    """

    kernel: str
    grid: Size3
    block: Size3
    instructions: int
    threads: int
    groups: int
    seconds: float
    profile: Profile | None = field(default=None, repr=False)


class PendingLaunch:
    """A launch that a stream will do, does or has done."""

    def __init__(self, stream: Stream, kernel: str, grid: Size3, block: Size3, launch: Launch) -> None:
        self._stream = stream
        self._kernel = kernel
        self._grid = grid
        self._block = block
        self._launch = launch

    def __repr__(self) -> str:
        return f"<PendingLaunch of {self._kernel}: {'done' if self.is_done else 'not done'}>"

    @property
    def is_done(self) -> bool:
        """Whether the kernel has come to its end."""
        return self._launch.statistics is not None

    def wait(self, timeout: float | None = None) -> LaunchResult:
        """Wait for the launch and tell what it did.

        Raises `TimeoutError` after `timeout` seconds, and `ZeError` for a fault, of this launch or of work before it.
        """
        if not self._stream.wait_for(lambda: self.is_done, timeout):
            raise TimeoutError(f"kernel '{self._kernel}' is not done after {timeout} seconds")
        return _result(self._kernel, self._grid, self._block, self._launch)


def _result(kernel: str, grid: Size3, block: Size3, launch: Launch) -> LaunchResult:
    done = launch.statistics
    assert done is not None, "the launch is done"
    return LaunchResult(kernel, grid, block, done.instructions, done.threads, done.groups, done.seconds, launch.profile)


class ConfiguredKernel:
    """A kernel with a grid and a block, waiting for its arguments."""

    __slots__ = ("_block", "_grid", "_kernel")

    def __init__(self, kernel: Kernel, grid: Size3, block: Size3) -> None:
        self._kernel = kernel
        self._grid = grid
        self._block = block

    @overload
    def __call__(
        self, *values: Value, stream: None = None, after: Sequence[Event] = (), signal: Event | None = None
    ) -> LaunchResult: ...

    @overload
    def __call__(
        self, *values: Value, stream: Stream, after: Sequence[Event] = (), signal: Event | None = None
    ) -> PendingLaunch: ...

    def __call__(
        self, *values: Value, stream: Stream | None = None, after: Sequence[Event] = (), signal: Event | None = None
    ) -> LaunchResult | PendingLaunch:
        """Launch the kernel: wait for it, or without waiting on a `stream`.

        It begins when the events `after` are signaled, and signals `signal` when it is done. Raises `LaunchError` for
        values that do not fit, and `ZeError`: invalid group size dimension, or device lost with the report of a fault.
        After a fault the device can be used again.
        """
        self._kernel.check_options(stream, after, signal)
        if stream is None:
            return self._kernel.launch(self._grid, self._block, values, after, signal)
        return self._kernel.launch_on(stream, self._grid, self._block, values, after, signal)


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int | np.integer) and least <= int(value) <= _MOST


class Kernel:
    """A kernel of a module: `kernel[grid](...)` launches it, `kernel[grid, block](...)` with a size of work-groups.

    `grid` counts work-groups, and `block` what is in each: subgroups for a kernel in subgroup mode, else work-items.
    Both are an integer or a tuple of up to three. As `kernel[4, 2]` is the same as `kernel[(4, 2)]`, two integers are a
    grid of two dimensions; write `kernel[4, (2,)]` for a block. Without a block, the size is taken that the
    kernel requires or suggests, or one subgroup.

    Arrays, of numpy or of anyone who speaks DLPack, are used in place, or copied and copied back where they are not
    aligned to 64 bytes. The call returns when the kernel is done, and may be made from several threads.

    `kernel[grid](..., stream=stream)` returns at once; it takes buffers, but no arrays of the host.
    """

    def __init__(self, session: Session, handle: KernelHandle, owner: object) -> None:
        """`owner` is kept alive with the kernel: the module, which frees what it loaded at its end."""
        self.name = handle.loaded.name
        self._owner = owner
        self._session = session
        self._handle = handle
        self._parameters = parameters_of(handle.loaded)

    def __repr__(self) -> str:
        return f"<Kernel {self.name}({', '.join(self.parameter_names)})>"

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of the values that a call takes, `#0` and so on for those without a name."""
        return tuple(parameter.name for parameter in self._parameters)

    @property
    def signature(self) -> str:
        """The kernel with its parameters and their types, as far as the binary tells them."""
        return f"{self.name}({', '.join(map(str, self._parameters))})"

    def __getitem__(self, key: Extent | tuple[Extent, Extent]) -> ConfiguredKernel:
        """The kernel with a grid and a block, waiting for its arguments."""
        if isinstance(key, tuple) and len(key) == 2 and any(isinstance(part, tuple) for part in key):
            grid, block = key
            return ConfiguredKernel(self, self._size("grid", grid, 0), self._size("block", block, 1))
        loaded = self._handle.loaded
        block = loaded.required_size or loaded.size_hint or (loaded.simd_size, 1, 1)
        return ConfiguredKernel(self, self._size("grid", key, 0), block)

    def _size(self, what: str, extent: object, least: int) -> Size3:
        counts = extent if isinstance(extent, tuple) else (extent,)
        if not 1 <= len(counts) <= 3 or not all(_is_count(count, least) for count in counts):
            raise LaunchError(
                f"kernel '{self.name}': {what} {extent!r}, expected one to three integers from {least} up"
            )
        x, y, z = (*map(int, counts), 1, 1)[:3]
        return x, y, z

    def check_options(self, stream: object, after: object, signal: object) -> None:
        """Raise `LaunchError` for what is no stream, and no events."""
        if not isinstance(stream, Stream | None):
            raise LaunchError(f"kernel '{self.name}': {stream!r} in place of a stream")
        if not isinstance(after, Sequence) or not all(isinstance(event, Event) for event in after):
            raise LaunchError(f"kernel '{self.name}': after {after!r}, expected a list of events")
        if not isinstance(signal, Event | None):
            raise LaunchError(f"kernel '{self.name}': {signal!r} in place of an event to signal")

    def launch(
        self, grid: Size3, block: Size3, values: Sequence[Value], after: Sequence[Event], signal: Event | None
    ) -> LaunchResult:
        """Bind `values`, run the kernel, and tell what it did."""
        self._handle.require_group_size(block)
        session = self._session
        flat, lent = self._bind(values)
        try:
            with session.host_memory.lend(list(lent.values())) as addresses:
                for index, address in zip(lent, addresses, strict=True):
                    flat[index] = address
                launch = self._prepare(session.commands, flat, grid, block, signal)
                waits = [event.handle for event in after]
                completion = None if signal is None else signal.handle
                session.execute(partial(session.commands.append, launch, completion, waits))
        except OverlapError as error:
            raise LaunchError(f"kernel '{self.name}': {error}") from None
        return _result(self.name, grid, block, launch)

    def launch_on(
        self,
        stream: Stream,
        grid: Size3,
        block: Size3,
        values: Sequence[Value],
        after: Sequence[Event],
        signal: Event | None,
    ) -> PendingLaunch:
        """Bind `values` and give the launch to a stream."""
        if stream.session is not self._session:
            raise LaunchError(f"kernel '{self.name}': {stream!r} is of another device")
        self._handle.require_group_size(block)
        flat, lent = self._bind(values)
        if lent:
            name = next(iter(lent.values())).name
            raise LaunchError(
                f"kernel '{self.name}', argument '{name}': a launch on a stream takes no arrays of the host; give a "
                'buffer, which may be in shared memory: Device.array(values, memory="shared")'
            )
        launch = self._prepare(stream.commands, flat, grid, block, signal)
        stream.launch(launch, after, signal, (self, values))
        return PendingLaunch(stream, self.name, grid, block, launch)

    def _prepare(
        self, commands: CommandList, flat: list[ArgumentValue], grid: Size3, block: Size3, signal: Event | None
    ) -> Launch:
        arguments = KernelArguments(self._handle.loaded)
        arguments.set_all(flat)
        counts = self._session.profiles or (signal is not None and signal.handle.timed)
        return prepare_launch(commands, self._handle, arguments, block, grid, counts=counts)

    def _bind(self, values: Sequence[Value]) -> tuple[list[ArgumentValue], dict[int, HostArray]]:
        """Kernel arguments, and the caller's arrays by the index of the argument that is their address."""
        if len(values) != len(self._parameters):
            names = ", ".join(parameter.name for parameter in self._parameters)
            raise LaunchError(
                f"kernel '{self.name}' takes {len(self._parameters)} argument(s) ({names}), {len(values)} given"
            )
        flat: list[ArgumentValue] = []
        lent: dict[int, HostArray] = {}
        for number, (parameter, value) in enumerate(zip(self._parameters, values, strict=True)):
            try:
                bound = parameter.bind(value, self._session)
            except Mismatch as error:
                raise LaunchError(f"kernel '{self.name}', argument {number} ('{parameter.name}'): {error}") from None
            if bound.lent is not None:
                lent[len(flat)] = bound.lent
            flat.extend(bound.arguments)
        return flat, lent
