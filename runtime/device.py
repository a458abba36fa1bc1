"""Simulated GPUs for Python programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from runtime.buffer import Buffer
from runtime.module import Module
from runtime.session import open_session
from runtime.simulator import ProgressMaker
from runtime.simulator.checks import choose_checks, choose_engine
from runtime.ze.driver import simulated_driver
from xegpu import targets

if TYPE_CHECKING:
    from runtime.simulator.interpreter.observer import Observer


class Device:
    """A simulated GPU, separate from every other one.

        device = Device("pvc")
        kernel = device.load("gemm.zebin")["gemm"]
        kernel[(32, 16)](a, b, c)

    `name` is a target (`pvc` or `arc`), `engine` how kernels are executed: `jit`, which is the default, or the slow but
    plain `interpreter`, which is the default for checks. `threads` is the number of host threads, by default
    one a core.

    `checks` are names of checks, in a list or with commas between (`runtime.simulator.checks.Check` has them, `all` are
    all of them): launches in which they find something run to their end, and then fail with a report of all that was
    found. `observers` watch the interpreter: a `runtime.debugger.Debugger` or `Tracer`. With `profile` every launch
    counts its instructions, in either engine, and its result has a `profile`.

    A launch that takes longer than `time_limit` seconds is ended with a fault; buffers take up to `memory_limit` bytes
    together. `progress` shows how far long launches are, by default a bar if standard error is a terminal.
    `runtime.simulator.limits` names the environment variables for limits that are not given; that of checks is
    `XEGPU_CHECKS`. Raises `ValueError` for unknown names, observers of the JIT, and limits that can't be.
    """

    def __init__(
        self,
        name: str = "pvc",
        engine: str | None = None,
        threads: int | None = None,
        *,
        checks: str | Iterable[str] | None = None,
        observers: Sequence[Observer] = (),
        profile: bool = False,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        progress: ProgressMaker | None = None,
    ) -> None:
        self.target = targets.get(name)
        selected = choose_checks(checks)
        self.engine = choose_engine(engine, selected)
        self._session = open_session(
            simulated_driver(
                (self.target,),
                self.engine,
                threads,
                observers,
                checks=[check.text for check in selected],
                time_limit=time_limit,
                memory_limit=memory_limit,
                progress=progress,
            ),
            profiles=profile,
        )

    def __repr__(self) -> str:
        return f"<Device {self.target.name}: {self.target.title}, {self.engine}>"

    @property
    def name(self) -> str:
        """The name of the target."""
        return self.target.name

    def load(self, source: bytes | bytearray | memoryview | str | os.PathLike[str]) -> Module:
        """The module in a ZEBIN, given as its bytes or its path.

        Raises `OSError` for a file that can't be read, and `ZeError` (invalid native binary) for one that is broken or
        made for another device.
        """
        data = Path(source).read_bytes() if isinstance(source, str | os.PathLike) else bytes(source)
        return Module(self._session, data)

    def compile(self, text: str, filename: str = "<string>") -> Module:
        """The module compiled from MLIR text; `filename` is for error messages."""
        # Loading binaries needs no compiler, and importing one takes longer than many launches.
        from runtime.mux import compile_module

        return self.load(compile_module(text, self.target.name, filename))

    def empty(self, shape: int | tuple[int, ...], dtype: DTypeLike = np.float32) -> Buffer:
        """An array in device memory with undefined contents. Raises `ZeError` (out of device memory)."""
        extents = (shape,) if isinstance(shape, int) else tuple(shape)
        return Buffer(self._session, extents, np.dtype(dtype))

    def array(self, values: ArrayLike, dtype: DTypeLike | None = None) -> Buffer:
        """An array in device memory with the contents of `values`."""
        array = np.asarray(values, dtype)
        buffer = Buffer(self._session, array.shape, array.dtype)
        buffer.write(array)
        return buffer
