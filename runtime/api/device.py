"""Simulated GPUs for Python programs."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from runtime import ze
from runtime.api.buffer import Buffer, MemoryKind
from runtime.api.event import Event
from runtime.api.module import Module
from runtime.api.parameters import SupportsDLPack
from runtime.api.session import Session, open_session
from runtime.api.stream import Stream
from runtime.simulator import ProgressMaker
from runtime.simulator.checks import choose_checks, choose_engine
from runtime.ze import simulated_driver
from runtime.ze.driver import Driver
from xegpu import targets

if TYPE_CHECKING:
    from runtime.simulator.interpreter import Observer


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
    `runtime.simulator.supervision.limits` names the environment variables for limits that are not given; that of
    checks is `XEGPU_CHECKS`. Raises `ValueError` for unknown names, observers of the JIT, and limits that can't be.
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
        target = targets.get(name)
        selected = choose_checks(checks)
        self.engine = choose_engine(engine, selected)
        driver = simulated_driver(
            (target,),
            self.engine,
            threads,
            observers,
            checks=[check.text for check in selected],
            time_limit=time_limit,
            memory_limit=memory_limit,
            progress=progress,
        )
        self._open(driver, ze.zeDeviceGet(driver)[0], profile)

    def _open(self, driver: Driver, handle: ze.ze_device_handle_t, profile: bool) -> None:
        self.target = handle.target
        self._session = open_session(handle, driver, profiles=profile)

    def __repr__(self) -> str:
        state = "" if self._session.is_open else ", closed"
        return f"<Device {self.target.name}: {self.target.title}, {self.engine}{state}>"

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The name of the target."""
        return self.target.name

    @property
    def session(self) -> Session:
        """The Level Zero objects behind the device."""
        return self._session

    @property
    def properties(self) -> ze.ze_device_properties_t:
        """Identity, clocks and topology."""
        return ze.zeDeviceGetProperties(self._session.device)

    @property
    def compute_properties(self) -> ze.ze_device_compute_properties_t:
        """Limits of work-groups and sub-group sizes."""
        return ze.zeDeviceGetComputeProperties(self._session.device)

    def close(self) -> None:
        """Free all that was made on the device, and end its streams: what they have not begun is dropped."""
        self._session.close()

    def synchronize(self) -> None:
        """Wait for all streams. Raises `ZeError` for a fault, after which the device can be used again."""
        self._session.execute(lambda: ze.zeDeviceSynchronize(self._session.device))

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

    def empty(
        self, shape: int | tuple[int, ...], dtype: DTypeLike = np.float32, *, memory: MemoryKind | str = "device"
    ) -> Buffer:
        """An array with undefined contents, in `device`, `host` or `shared` memory.

        Raises `ZeError` (out of device memory, out of host memory, unsupported size), and `ValueError` for elements
        and shapes that no buffer has.
        """
        extents = (operator.index(shape),) if not isinstance(shape, tuple) else tuple(map(operator.index, shape))
        return Buffer(self._session, extents, np.dtype(dtype), MemoryKind(memory))

    def array(
        self, values: ArrayLike, dtype: DTypeLike | None = None, *, memory: MemoryKind | str = "device"
    ) -> Buffer:
        """An array with the contents of `values`, as `empty` makes it."""
        array = np.asarray(values, dtype)
        buffer = Buffer(self._session, array.shape, array.dtype, MemoryKind(memory))
        buffer.write(array)
        return buffer

    def from_dlpack(self, values: SupportsDLPack, *, memory: MemoryKind | str = "device") -> Buffer:
        """An array with the contents of another library's, as `array`. Kernels take such arrays as they are, too."""
        return self.array(np.from_dlpack(values), memory=memory)

    def stream(self) -> Stream:
        """A stream: commands that are executed in order while the host goes on."""
        return Stream(self._session)

    def event(self, *, timed: bool = False) -> Event:
        """An event that is not signaled."""
        return Event(self._session, timed)


def devices() -> list[Device]:
    """The devices of the process's Level Zero driver, as the environment (`ZE_AFFINITY_MASK`, ...) shows them.

    Each call gives `Device` objects of their own for the same devices, whose memory they share. Raises `ZeError`
    (uninitialized) when there is no driver.
    """
    ze.zeInit()
    engine, found = choose_engine(None, choose_checks(None)), []
    for driver in ze.zeDriverGet():
        for handle in ze.zeDeviceGet(driver):
            device = Device.__new__(Device)
            device.engine = engine
            device._open(driver, handle, profile=False)
            found.append(device)
    return found
