"""Kernels that are called like functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from runtime.host_memory import HostArray, OverlapError
from runtime.parameters import Mismatch, Value, parameters_of
from runtime.session import Session
from runtime.simulator.profile import Profile
from runtime.ze.arguments import Arguments, ArgumentValue
from runtime.ze.kernel import Kernel as KernelHandle
from runtime.ze.kernel_image import Size3
from runtime.ze.launch import Launch, prepare_launch

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


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int | np.integer) and least <= int(value) <= _MOST


class Kernel:
    """A kernel of a module: `kernel[grid](...)` launches it, `kernel[grid, block](...)` with a size of work-groups.

    `grid` counts work-groups, and `block` what is in each: subgroups for a kernel in subgroup mode, else work-items.
    Both are an integer or a tuple of up to three. As `kernel[4, 2]` is the same as `kernel[(4, 2)]`, two integers are a
    grid of two dimensions; write `kernel[4, (2,)]` for a block. Without a block, the kernel's required size is taken,
    or one subgroup.

    Arrays are used in place, or copied and copied back where they are not aligned to 64 bytes. The call returns when
    the kernel is done, and may be made from several threads.
    """

    def __init__(self, session: Session, handle: KernelHandle, owner: object) -> None:
        """`owner` is kept alive with the kernel: the module, which frees what it loaded at its end."""
        self.name = handle.image.name
        self._owner = owner
        self._session = session
        self._handle = handle
        self._parameters = parameters_of(handle.image)

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

    def __getitem__(self, key: Extent | tuple[Extent, Extent]) -> Callable[..., LaunchResult]:
        """The kernel with a grid and a block, waiting for its arguments."""
        if isinstance(key, tuple) and len(key) == 2 and any(isinstance(part, tuple) for part in key):
            grid, block = key
            return partial(self._launch, self._size("grid", grid, 0), self._size("block", block, 1))
        image = self._handle.image
        return partial(self._launch, self._size("grid", key, 0), image.required_size or (image.simd_size, 1, 1))

    def _size(self, what: str, extent: object, least: int) -> Size3:
        counts = extent if isinstance(extent, tuple) else (extent,)
        if not 1 <= len(counts) <= 3 or not all(_is_count(count, least) for count in counts):
            raise LaunchError(
                f"kernel '{self.name}': {what} {extent!r}, expected one to three integers from {least} up"
            )
        x, y, z = (*map(int, counts), 1, 1)[:3]
        return x, y, z

    def _launch(self, grid: Size3, block: Size3, *values: Value) -> LaunchResult:
        """Bind `values`, run the kernel, and tell what it did.

        Raises `LaunchError` for values that do not fit, and `ZeError`: invalid group size dimension, or device lost
        with the report of a fault. After a fault the device can be used again.
        """
        self._handle.require_group_size(block)
        session = self._session
        flat, lent = self._bind(values)
        try:
            with session.host_memory.lend(list(lent.values())) as addresses:
                for index, address in zip(lent, addresses, strict=True):
                    flat[index] = address
                arguments = Arguments(self._handle.image)
                arguments.set_all(flat)
                launch = prepare_launch(session.commands, self._handle, arguments, block, grid, counts=session.profiles)
                session.execute(partial(session.commands.append, launch))
        except OverlapError as error:
            raise LaunchError(f"kernel '{self.name}': {error}") from None
        return self._result(grid, block, launch)

    def _bind(self, values: tuple[Value, ...]) -> tuple[list[ArgumentValue], dict[int, HostArray]]:
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

    def _result(self, grid: Size3, block: Size3, launch: Launch) -> LaunchResult:
        done = launch.statistics
        assert done is not None, "a synchronous list returns when the launch is done"
        totals = done.instructions, done.threads, done.groups, done.seconds
        return LaunchResult(self.name, grid, block, *totals, launch.profile)
