"""Kernels that are called like functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import overload

import numpy as np

from runtime.api.arrays.buffer import Buffer
from runtime.api.event import Event
from runtime.api.launch_sizes import LaunchError, block_of, grid_of
from runtime.api.parameters import Mismatch, Value, parameters_of
from runtime.api.sessions.host_memory import HostArray, Loan, OverlapError
from runtime.api.sessions.session import Session
from runtime.api.stream import Stream
from runtime.simulator.profile import Profile
from runtime.ze.driver import (
    ArgumentValue,
    CommandList,
    Kernel as KernelHandle,
    KernelArguments,
    Launch,
    Submission,
    prepare_launch,
)
from xegpu.isa.model import Dim3
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # for notebooks and estimates, which launches do not wait for
    import runtime.api.displays as displays
    import runtime.api.prediction as prediction

Extent = int | tuple[int, ...] | list[int]
"""One to three counts, x first."""


@dataclass(frozen=True)
class LaunchResult:
    """The result of a launch: `instructions` executed by all hardware `threads`, in `seconds` of wall-clock time.

    `profile` has details, on a device that makes profiles.
    """

    kernel: str
    grid: Dim3
    block: Dim3
    instructions: int
    threads: int
    groups: int
    seconds: float
    profile: Profile | None = field(default=None, repr=False)

    def _repr_html_(self) -> str:
        """Returns the display of the result in notebooks, which is that of its profile if it has one."""
        return displays.result_html(self)


class PendingLaunch:
    """A launch on a stream, which may be pending, running or done."""

    def __init__(
        self, stream: Stream, kernel: str, grid: Dim3, block: Dim3, launch: Launch, submission: Submission
    ) -> None:
        self._stream = stream
        self._kernel = kernel
        self._grid = grid
        self._block = block
        self._launch = launch
        self._submission = submission

    def __repr__(self) -> str:
        return f"<PendingLaunch of {self._kernel}: {'done' if self.is_done else 'not done'}>"

    @property
    def is_done(self) -> bool:
        """True if the kernel has ended."""
        return self._submission.is_done

    def wait(self, timeout: float | None = None) -> LaunchResult:
        """Waits for the launch and returns its result.

        Raises:
            TimeoutError: The launch is not done after `timeout` seconds.
            ZeError: This launch or work before it faulted.
        """
        if not self._stream.wait_for(self._submission, timeout):
            raise TimeoutError(f"kernel '{self._kernel}' is not done after {timeout} seconds")
        return _result(self._kernel, self._grid, self._block, self._launch)


def _result(kernel: str, grid: Dim3, block: Dim3, launch: Launch) -> LaunchResult:
    done = launch.statistics
    assert done is not None, "the launch is done"
    return LaunchResult(kernel, grid, block, done.instructions, done.threads, done.groups, done.seconds, launch.profile)


class ConfiguredKernel:
    """A kernel with a grid and a block, which is called with its arguments."""

    __slots__ = ("_kernel", "_part", "block", "grid")

    def __init__(self, kernel: Kernel, grid: Dim3, block: Dim3, part: tuple[int, int] | None = None) -> None:
        self._kernel = kernel
        self._part = part
        self.grid = grid
        self.block = block

    def groups(self, first: int, end: int) -> ConfiguredKernel:
        """Returns the launch of some of the work-groups: from number `first` on to the one before number `end`.

        Numbers count with x changing fastest. The kernel sees the whole grid.

        Raises:
            LaunchError: There are no such work-groups.
        """
        if not 0 <= first <= end <= math.prod(self.grid):
            raise LaunchError(
                f"kernel '{self._kernel.name}': work-groups {first} to {end}, of a grid of {math.prod(self.grid)}"
            )
        return ConfiguredKernel(self._kernel, self.grid, self.block, (first, end))

    @overload
    def __call__(
        self,
        *values: Value,
        stream: None = None,
        after: Sequence[Event] = (),
        signal: Event | None = None,
        **named: Value,
    ) -> LaunchResult: ...

    @overload
    def __call__(
        self,
        *values: Value,
        stream: Stream,
        after: Sequence[Event] = (),
        signal: Event | None = None,
        **named: Value,
    ) -> PendingLaunch: ...

    def __call__(
        self,
        *values: Value,
        stream: Stream | None = None,
        after: Sequence[Event] = (),
        signal: Event | None = None,
        **named: Value,
    ) -> LaunchResult | PendingLaunch:
        """Launches the kernel and waits for it; with `stream`, returns at once.

        Args:
            values: The arguments of the kernel, in order.
            named: Further arguments, by the names of their parameters.
            stream: The stream to launch on.
            after: Events that must be signaled before the launch begins.
            signal: The event that is signaled when it is done.

        Raises:
            LaunchError: A value does not fit its parameter.
            ZeError: `INVALID_GROUP_SIZE_DIMENSION`, or `DEVICE_LOST` with the report of a fault, after which the
                device can be used again.
        """
        return self.launch(values, named, stream, after, signal)

    def predict(self, *values: Value, **named: Value) -> Profile:
        """Returns the profile that the cost model expects of a launch with these arguments, without running it.

        Loops count as often as the binary says, or once where it does not say, and both sides of branches count.

        Raises:
            LaunchError: A value does not fit its parameter.
        """
        return self._kernel.predict(self.grid, self.block, self._kernel.in_order(values, named))

    def launch(
        self,
        values: tuple[Value, ...],
        named: Mapping[str, Value],
        stream: Stream | None,
        after: Sequence[Event],
        signal: Event | None,
    ) -> LaunchResult | PendingLaunch:
        """Does what a call does."""
        self._kernel.check_options(stream, after, signal)
        values = self._kernel.in_order(values, named)
        if stream is None:
            return self._kernel.launch(self.grid, self.block, values, after, signal, self._part)
        if self._part is not None:
            raise LaunchError(f"kernel '{self._kernel.name}': some of the work-groups, on a stream")
        return self._kernel.launch_on(stream, self.grid, self.block, values, after, signal)


class Kernel:
    """A kernel of a module: `kernel[grid](...)` launches it, `kernel[grid, block](...)` with a size of work-groups.

    `grid` counts work-groups, and `block` what is in each: subgroups for a kernel in subgroup mode, else work-items.
    Both are an integer or a tuple (or list) of up to three. As `kernel[4, 2]` is the same as `kernel[(4, 2)]`, two
    integers are a grid of two dimensions, as in Triton: `kernel[1, 64]` launches 64 groups, not one of 64 work-items as
    in Numba. Write `kernel[1, (64,)]` for that, or say what is meant: `kernel(..., grid=1, block=64)`.

    `kernel(...)` without a grid launches the one that the kernel was made for (`gpu.known_grid_size`); any other grid
    of such a kernel is an error, and so is none of another kernel. The default block is the one that the kernel
    requires or suggests. A kernel that has none and numbers its work-items has to be told, so that `kernel[1, 64]` is
    an error there; all others have groups of one subgroup.

    Arguments may be given by the names of their parameters: `kernel[grid](a, b, out=c)`.

    Arrays, of numpy or of any library with DLPack, are used in place. They are copied and copied back if they are not
    aligned to the elements that the kernel accesses, if they have other strides than it expects, or if a kernel with
    2-D blocks takes two that overlap and are no multiple of 64 bytes apart. The call returns when the kernel is done,
    and may be made from several threads.

    `kernel[grid](..., stream=stream)` returns at once; it takes buffers, but no arrays of the host.
    """

    def __init__(self, session: Session, handle: KernelHandle, owner: object) -> None:
        """Wraps the kernel of a session; `owner`, the module, is kept alive with it."""
        self.name = handle.description.name
        self._owner = owner
        self._session = session
        self._handle = handle
        self._parameters = parameters_of(handle.description, handle.executable.pointer_alignment)

    def __repr__(self) -> str:
        return f"<Kernel {self.name}({', '.join(self.parameter_names)})>"

    def _repr_html_(self) -> str:
        """Returns the display of the kernel in notebooks: resources, arguments and code."""
        return displays.kernel_html(self._handle.executable, self.signature)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of the values that a call takes; `#0` and so on for those without a name."""
        return tuple(parameter.name for parameter in self._parameters)

    @property
    def signature(self) -> str:
        """The kernel with its parameters and their types, as far as the binary has them."""
        return f"{self.name}({', '.join(map(str, self._parameters))})"

    @property
    def write_only(self) -> tuple[bool, ...]:
        """Tells of each parameter whether the kernel writes its memory and never reads it."""
        return tuple(parameter.argument.access == "writeonly" for parameter in self._parameters)

    @property
    def prints(self) -> bool:
        """True if the kernel prints."""
        return bool(self._handle.facts.printf_strings)

    def __getitem__(self, key: Extent | tuple[Extent, Extent]) -> ConfiguredKernel:
        """Returns the kernel with a grid and a block."""
        if isinstance(key, tuple) and len(key) == 2 and any(isinstance(part, tuple | list) for part in key):
            return self.configured(*key)
        return self.configured(key, None)

    @overload
    def __call__(
        self,
        *values: Value,
        grid: Extent | None = None,
        block: Extent | None = None,
        stream: None = None,
        after: Sequence[Event] = (),
        signal: Event | None = None,
        **named: Value,
    ) -> LaunchResult: ...

    @overload
    def __call__(
        self,
        *values: Value,
        grid: Extent | None = None,
        block: Extent | None = None,
        stream: Stream,
        after: Sequence[Event] = (),
        signal: Event | None = None,
        **named: Value,
    ) -> PendingLaunch: ...

    def __call__(
        self,
        *values: Value,
        grid: Extent | None = None,
        block: Extent | None = None,
        stream: Stream | None = None,
        after: Sequence[Event] = (),
        signal: Event | None = None,
        **named: Value,
    ) -> LaunchResult | PendingLaunch:
        """Does what `kernel[grid, block](...)` does; what is left out is what the kernel states."""
        return self.configured(grid, block).launch(values, named, stream, after, signal)

    def configured(self, grid: object = None, block: object = None) -> ConfiguredKernel:
        """Returns the kernel with a grid and a block, those that it states in place of None.

        Raises:
            LaunchError: A size is none, is another one than the kernel was made for, or is missing.
        """
        facts = self._handle.facts
        counts = grid_of(self.name, facts, grid)
        return ConfiguredKernel(self, counts, block_of(self.name, facts, counts, block))

    def in_order(self, values: tuple[Value, ...], named: Mapping[str, Value]) -> tuple[Value, ...]:
        """Returns the arguments of a call in the order of the parameters.

        Raises:
            LaunchError: A name is unknown or of a parameter that already has a value, or one is missing.
        """
        if not named:
            return values
        names = self.parameter_names
        rest = names[len(values) :]
        for name in named:
            if name not in rest:
                why = "is given twice" if name in names else f"is no parameter, expected {', '.join(names)}"
                raise LaunchError(f"kernel '{self.name}': argument '{name}' {why}")
        missing = [name for name in rest if name not in named]
        if missing:
            raise LaunchError(f"kernel '{self.name}': no argument for {', '.join(missing)}")
        return (*values, *(named[name] for name in rest))

    def check_options(self, stream: object, after: object, signal: object) -> None:
        """Raises `LaunchError` if the options are not a stream and events."""
        if not isinstance(stream, Stream | None):
            raise LaunchError(f"kernel '{self.name}': {stream!r} is not a stream")
        if not isinstance(after, Sequence) or not all(isinstance(event, Event) for event in after):
            raise LaunchError(f"kernel '{self.name}': after {after!r}, expected a list of events")
        if not isinstance(signal, Event | None):
            raise LaunchError(f"kernel '{self.name}': {signal!r} is not an event to signal")

    def predict(self, grid: Dim3, block: Dim3, values: Sequence[Value]) -> Profile:
        """Returns the profile that the cost model expects of a launch."""
        self._handle.require_group_size(block)
        flat, _ = self._bind(values)
        allocated = sum(value.nbytes for value in values if isinstance(value, np.ndarray | Buffer))
        return prediction.predict(self._handle, grid, block, flat, allocated)

    def launch(
        self,
        grid: Dim3,
        block: Dim3,
        values: Sequence[Value],
        after: Sequence[Event],
        signal: Event | None,
        part: tuple[int, int] | None,
    ) -> LaunchResult:
        """Binds `values`, runs the kernel or a part of its work-groups, and returns the result."""
        self._handle.require_group_size(block)
        session = self._session
        flat, lent = self._bind(values)
        completion = None if signal is None else signal.handle
        # The launch waits here for the events, when it holds neither arrays nor a position in the queue of other
        # threads, which may be those that signal them.
        for event in after:
            event.wait()
        loan = Loan()
        try:
            for index, address in zip(lent, session.host_memory.lend(loan, list(lent.values())), strict=True):
                flat[index] = address
            launch = self._prepare(session.commands, flat, grid, block, signal, part)
            session.execute(partial(session.commands.append, launch, completion))
            loan.copy_back()
        except OverlapError as error:
            raise LaunchError(f"kernel '{self.name}': {error}") from None
        finally:
            loan.ended = True
            session.host_memory.take_back(loan)
        return _result(self.name, grid, block, launch)

    def launch_on(
        self,
        stream: Stream,
        grid: Dim3,
        block: Dim3,
        values: Sequence[Value],
        after: Sequence[Event],
        signal: Event | None,
    ) -> PendingLaunch:
        """Binds `values` and launches the kernel on a stream."""
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
        submission = stream.launch(launch, after, signal, (self, values))
        return PendingLaunch(stream, self.name, grid, block, launch, submission)

    def _prepare(
        self,
        commands: CommandList,
        flat: list[ArgumentValue],
        grid: Dim3,
        block: Dim3,
        signal: Event | None,
        part: tuple[int, int] | None = None,
    ) -> Launch:
        arguments = KernelArguments(self._handle.description)
        arguments.set_all(flat)
        counts = self._session.profiles or (signal is not None and signal.handle.timed)
        return prepare_launch(commands, self._handle, arguments, block, grid, counts=counts, part=part)

    def _bind(self, values: Sequence[Value]) -> tuple[list[ArgumentValue], dict[int, HostArray]]:
        """Returns kernel arguments, and the caller's arrays by the index of the argument that is their address."""
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
