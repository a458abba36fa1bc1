"""Runs of single kernels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from runtime import Device, DeviceImage, DeviceSampler, Kernel, LaunchError, LaunchResult
from tools.cli import CommandError
from tools.run.arguments import ArgumentList
from tools.run.command import RunOptions
from tools.run.values import Array, ImageValue, SamplerValue, Value


class KernelRun:
    """A launch that can be repeated; `launches` holds its result, and is empty before it has ended."""

    def __init__(self, device: Device, kernel: Kernel, options: RunOptions) -> None:
        self._device = device
        self._kernel = kernel
        self.arguments = ArgumentList(options, kernel.parameter_names, f"kernel '{kernel.name}'", kernel.signature)
        self.launches: list[LaunchResult] = []
        self.is_done = False
        self._grid, self._group = options.grid or (1,), options.group

    def __call__(self) -> LaunchResult:
        self.launches, self.is_done = [], False
        self.arguments.renew()
        try:
            launch = self._kernel[self._grid] if self._group is None else self._kernel[self._grid, self._group]
            values = [_passed(self._device, value) for value in self.arguments.values]
            result = launch(*values)
        except (LaunchError, ValueError) as error:
            raise CommandError(str(error)) from None
        for given, value in zip(self.arguments.values, values, strict=True):
            if isinstance(given, ImageValue) and isinstance(value, DeviceImage):
                np.copyto(given.texels, value.numpy())
        self.launches, self.is_done = [result], True
        return result

    def is_good(self) -> bool:
        """Returns True: kernels do not check their own results."""
        return True


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
