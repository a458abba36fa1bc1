"""The GPUs that kernels can be compiled for and run on, and how one of them is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from xegpu.targets.arc import ARC
from xegpu.targets.platform import Platform
from xegpu.targets.pvc import PVC
from xegpu.targets.target import Target

_targets: dict[str, Target] = {target.name: target for target in (PVC, ARC)}

TARGETS: Mapping[str, Target] = MappingProxyType(_targets)
"""The GPUs by name, in the order in which they are listed and looked for. Those of `registered` come and go."""

DEFAULT_TARGET = PVC.name
"""The GPU that command lines and `runtime.Device` take if none is named. Passes have no default."""


@contextmanager
def registered(target: Target) -> Iterator[Target]:
    """Adds a GPU while the block is executed, for experiments and tests; for good it is listed above.

    Raises `ValueError` if there is one of this name.
    """
    if target.name in _targets:
        raise ValueError(f"there is a target '{target.name}' already")
    _targets[target.name] = target
    try:
        yield target
    finally:
        del _targets[target.name]


def get(name: str) -> Target:
    """Returns the target called `name`; raises `ValueError` listing the known ones."""
    try:
        return _targets[name]
    except KeyError:
        raise ValueError(f"unknown target '{name}', expected one of: {', '.join(_targets)}") from None


def platforms() -> tuple[Platform, ...]:
    """Returns the generations of the GPUs."""
    return tuple(dict.fromkeys(target.platform for target in _targets.values()))


def of_chip(chip: str) -> Target | None:
    """Returns the GPU that stands for a chip of `#xevm.target`; None if there is none."""
    return next((target for target in _targets.values() if chip in target.chips), None)


def chips() -> tuple[str, ...]:
    """Returns the names of chips that GPUs stand for."""
    return tuple(chip for target in _targets.values() for chip in target.chips)


def of_notes(product_config: int, product_family: int, gfx_core: int) -> Target | None:
    """Returns the GPU that the notes of a binary name, in which numbers may be 0; None if it is none of ours.

    A product configuration alone decides.
    """
    if product_config:
        return next((target for target in _targets.values() if target.executes(product_config)), None)
    named = (product_family, gfx_core)
    for target in _targets.values():
        own = (target.product_family, target.platform.gfx_core)
        if any(named) and all(theirs in (0, ours) for theirs, ours in zip(named, own, strict=True)):
            return target
    return None


def of_core(gfx_core: int) -> Platform | None:
    """Returns the generation with a graphics core; None if it is none of ours."""
    return next((platform for platform in platforms() if platform.gfx_core == gfx_core), None)


def register_sizes() -> tuple[int, ...]:
    """Returns the sizes of registers that GPUs have, which ascend."""
    return tuple(sorted({platform.grf_bytes for platform in platforms()}))


def of_register_size(grf_bytes: int) -> Target:
    """Returns the first GPU whose registers have one of `register_sizes`.

    That is for code without its binary, which tells nothing else. Generations share sizes, so that code of later GPUs
    is taken for that of the first one; whoever knows more passes it on instead of asking here.
    """
    return next(target for target in _targets.values() if target.platform.grf_bytes == grf_bytes)
