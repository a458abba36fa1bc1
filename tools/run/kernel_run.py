"""Runs of single kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from runtime import Device, DeviceImage, DeviceSampler, Kernel, LaunchError, LaunchResult, MissingSizeError
from runtime.api import ConfiguredKernel
from runtime.debuggee import is_debuggable
from tools.cli import CommandError
from tools.run.arguments import ArgumentList
from tools.run.command import RunOptions
from tools.run.unwritten import MOST_SECONDS, mark, still_zero, unwritten_counts
from tools.run.values import Array, ImageValue, SamplerValue, Value

_OPTIONS = {"grid": "add --grid X[,Y[,Z]]", "block": "add --group X[,Y[,Z]]"}
"""Says what a command line lacks that states no size."""


def configured(kernel: Kernel, grid: object, group: object, missing: Mapping[str, str] = _OPTIONS) -> ConfiguredKernel:
    """Returns a kernel with the sizes of its launch, those that it states in place of None.

    Raises:
        CommandError: A size does not fit the kernel, or nobody states it: `missing` says what to do about that.
    """
    try:
        return kernel.configured(grid, group)
    except MissingSizeError as error:
        raise CommandError(f"{error.reason}: {missing[error.size]}") from None
    except LaunchError as error:
        raise CommandError(str(error)) from None


class KernelRun:
    """A launch that can be repeated; `launches` holds its result, and is empty before it has ended.

    `missing` says what to do about a grid or a block that neither the options nor the kernel state.
    """

    def __init__(
        self, device: Device, kernel: Kernel, options: RunOptions, missing: Mapping[str, str] = _OPTIONS
    ) -> None:
        self._device = device
        self.arguments = ArgumentList(options, kernel.parameter_names, f"kernel '{kernel.name}'", kernel.signature)
        self._launch = configured(kernel, options.grid, options.group, missing)
        self._write_only = kernel.write_only
        self._is_watched = kernel.prints or _is_watched(options)
        self.launches: list[LaunchResult] = []
        self.is_done = False

    def __call__(self) -> LaunchResult:
        self.launches, self.is_done = [], False
        self.arguments.renew()
        try:
            values = [_passed(self._device, value) for value in self.arguments.values]
            result = self._launch(*values)
        except (LaunchError, ValueError) as error:
            raise CommandError(str(error)) from None
        for given, value in zip(self.arguments.values, values, strict=True):
            if isinstance(given, ImageValue) and isinstance(value, DeviceImage):
                np.copyto(given.texels, value.numpy())
        self.launches, self.is_done = [result], True
        return result

    def unwritten(self) -> Iterator[str]:
        """Yields a line for each `zeros:` array that the kernel only writes, and has not written in full.

        A zero may have been written: a short launch that leaves zeros is repeated on other contents, unless somebody
        watches.
        """
        outputs = {index: self.arguments.values[index] for index in self.arguments.blank if self._write_only[index]}
        arrays = {index: value for index, value in outputs.items() if isinstance(value, np.ndarray)}
        if self._is_watched or not self.launches or self.launches[0].seconds > MOST_SECONDS:
            return
        zero = still_zero(arrays)
        if not zero:
            return
        again = self.arguments.fresh()
        marked = {index: value for index, value in enumerate(again) if index in zero and isinstance(value, np.ndarray)}
        for array in marked.values():
            mark(array)
        self._launch(*(_passed(self._device, value) for value in again))
        for index, count in unwritten_counts(zero, marked):
            name = self.arguments.named_values[index][0]
            yield f"{count} of {zero[index].size} elements of '{name}' were never written"

    def is_good(self) -> bool:
        """Returns True: kernels do not check their own results."""
        return True


def _is_watched(options: RunOptions) -> bool:
    """Returns whether a second launch would be seen, or would take much longer than the kernel."""
    watching = (options.debug, options.breakpoints, options.trace, options.profile, options.metrics, options.check)
    return is_debuggable() or any(each not in (None, False, []) for each in watching)


def _passed(device: Device, value: Value) -> Array | int | float | DeviceImage | DeviceSampler:
    """Converts a value to a kernel argument; raises `ValueError` for an image or sampler that does not exist."""
    if isinstance(value, ImageValue):
        return device.image(value.texels, value.format, value.type)
    if isinstance(value, SamplerValue):
        return device.sampler(value.addressing, value.filter, normalized=value.normalized)
    return value


def choose_kernel(kernels: Mapping[str, Kernel], wanted: str | None, name: str) -> Kernel:
    """Returns the requested kernel, or the only one of the file `name`. Raises `CommandError`."""
    known = ", ".join(map(repr, kernels)) or "none"
    if wanted is not None and wanted not in kernels:
        raise CommandError(f"contains no kernel {wanted!r}: expected one of {known}", name)
    if wanted is None and len(kernels) != 1:
        raise CommandError(f"contains {len(kernels)} kernels ({known}): select one with -k", name)
    return kernels[wanted] if wanted is not None else next(iter(kernels.values()))
