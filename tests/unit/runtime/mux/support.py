"""Modules for tests: made from sources, and run."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device
from runtime.mux import BuildLog, Context, Module, MuxError, Result, Target, get_info

CALLER = "int helper(int); kernel void call(global int *x) { x[get_global_id(0)] = helper(x[get_global_id(0)]); }"
"""A kernel that calls a function of another module."""

needs_clang = pytest.mark.skipif(find_compiler() is None, reason="clang is not installed")


@cache
def target(gpu: str = "pvc") -> Target:
    found = get_info(gpu).create_target(Context())
    found.init_with_builtins()
    return found


@cache
def device(gpu: str = "pvc", engine: str = "jit") -> Device:
    return Device(gpu, engine)


def empty(gpu: str = "pvc", log: BuildLog | None = None) -> Module:
    module = target(gpu).create_module(log)
    assert module is not None
    return module


def opencl(source: str, options: str = "", gpu: str = "pvc") -> Module:
    module = empty(gpu)
    module.parse_options(options)
    module.compile_opencl_c("FULL_PROFILE", source)
    return module


def refused(action: object, *arguments: object, match: str | None = None) -> Result:
    """Returns the result of a call that fails."""
    assert callable(action)
    with pytest.raises(MuxError, match=match) as caught:
        action(*arguments)
    return caught.value.result


def run(binary: bytes, kernel: str, count: int = 16, group: int = 8) -> list[int]:
    """Returns the numbers that a kernel leaves of 0, 1, 2, ..."""
    x = np.arange(count, dtype=np.int32)
    device().load(binary)[kernel][(count // group, 1, 1), (group, 1, 1)](x)
    return x.tolist()
