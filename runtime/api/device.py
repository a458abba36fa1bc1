"""Simulated GPUs for Python programs."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, SupportsIndex, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

import zebin
from runtime import ze
from runtime.api.arrays.buffer import Buffer, MemoryKind
from runtime.api.arrays.dlpack import SupportsDLPack
from runtime.api.arrays.image import TEXEL_FORMATS, DeviceImage, DeviceSampler
from runtime.api.event import Event
from runtime.api.module import Module
from runtime.api.sessions.session import Session, open_session
from runtime.api.stream import Stream
from runtime.debuggee import is_debuggable
from runtime.simulator import OBSERVABLE, ProgressMaker
from runtime.simulator.checks import choose_checks, choose_engine
from runtime.ze import simulated_driver
from runtime.ze.driver import Driver
from xegpu import targets
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # loading binaries needs no compiler, which takes longer to import than a launch
    import runtime.mux as mux

if TYPE_CHECKING:
    from runtime.simulator.interpreter import Observer


class Device:
    """A simulated GPU, separate from every other one.

        device = Device("pvc")
        kernel = device.load("gemm.zebin")["gemm"]
        kernel[(32, 16)](a, b, c)

    Environment variables set the limits that are not given (`runtime.simulator.supervision.limits`).

    Args:
        name: The target, one of `xegpu.targets.TARGETS`.
        engine: `jit`, the default, or the slower reference `interpreter`, which is the default for checks.
        threads: The number of host threads; by default one for each core.
        checks: Names of checks (`runtime.simulator.checks.Check`; `all` for all of them), in a list or separated by
            commas. Launches in which they find something run to their end, and then fail with a report of all
            findings.
        observers: Observers of the interpreter: a `runtime.debugger.Debugger` or `Tracer`.
        profile: True if every launch counts its instructions, in either engine, and its result has a `profile`.
        time_limit: Seconds after which a launch ends with a fault.
        memory_limit: Bytes that buffers may take together.
        progress: Shows the progress of long launches; by default a bar if standard error is a terminal.

    Raises:
        ValueError: A name is unknown, the JIT is to be observed, or a limit is impossible.
    """

    def __init__(
        self,
        name: str = targets.DEFAULT_TARGET,
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
        self.engine = OBSERVABLE if is_debuggable() else choose_engine(engine, selected)
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
        """Limits of work-groups, and subgroup sizes."""
        return ze.zeDeviceGetComputeProperties(self._session.device)

    def close(self) -> None:
        """Frees everything that was created on the device, and ends its streams; commands that have not begun are
        dropped.
        """
        self._session.close()

    def synchronize(self) -> None:
        """Waits for all streams. Raises `ZeError` for a fault, after which the device can be used again."""
        self._session.execute(lambda: ze.zeDeviceSynchronize(self._session.device))

    def load(
        self,
        source: bytes | bytearray | memoryview | str | os.PathLike[str],
        *,
        member: str | None = None,
        kernel: str | None = None,
    ) -> Module:
        """Returns the module in a ZEBIN, given as its bytes or its path.

        Of a fat binary, or a program or library with device code, the ZEBIN for this GPU is loaded, or one for
        another GPU whose code it runs. Without one, its SPIR-V is compiled.

        Args:
            source: The bytes or path.
            member: The name of one ZEBIN of several, as `zebin-dump --list` shows it.
            kernel: A kernel of it, which tells several ZEBINs for one GPU apart.

        Raises:
            OSError: The file cannot be read.
            CompileError: SPIR-V in the file cannot be compiled.
            ZeError: `INVALID_NATIVE_BINARY` for a binary that is broken or made for another device, and where one of
                several must be chosen.
        """
        data = Path(source).read_bytes() if isinstance(source, str | os.PathLike) else bytes(source)
        if zebin.is_container(data):
            device = zebin.TargetDevice.of_target(self.target)
            try:
                image = zebin.image_in(data, device, member=member, kernel=kernel, or_spirv=True)
            except zebin.ZebinError as error:
                raise ze.ZeError(ze.ze_result_t.ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, str(error)) from None
            data = bytes(image.data)
            if image.kind == zebin.SPIRV_MODULE:
                data = mux.compile_source(data, self.target.name, image.name, "spirv")
        return Module(self._session, data)

    def compile(
        self,
        source: str | bytes | bytearray | memoryview,
        filename: str = "<string>",
        *,
        language: str | None = None,
        options: Sequence[str] = (),
        compiler: str = "xegpu",
    ) -> Module:
        """Returns the module compiled from a text, or from the bytes of SPIR-V; `filename` is for error messages.

        Args:
            source: The text or bytes.
            filename: The name of a text. Without a `language`, `.cl` means OpenCL C, `.ll` LLVM IR, `.spvasm` SPIR-V as
                text, and anything else MLIR.
            language: `mlir`, `llvm`, `opencl` or `spirv`.
            options: Options of the compiler of OpenCL C, such as `-DN=4` and `-cl-std=CL2.0`.
            compiler: `xegpu`, or `igc` for native code of OpenCL C or SPIR-V by Intel's compiler (`ocloc`).

        Raises:
            CompileError: The source is wrong, or cannot be compiled; there is no compiler for its language.
            ValueError: The language or compiler is unknown; the language is none of bytes, or has no options.
        """
        given = source if isinstance(source, str) else bytes(source)
        return self.load(mux.compile_source(given, self.target.name, filename, language, options, compiler))

    def empty(
        self,
        shape: SupportsIndex | Sequence[SupportsIndex],
        dtype: DTypeLike = np.float32,
        *,
        memory: MemoryKind | str = "device",
    ) -> Buffer:
        """Returns an array in `device`, `host` or `shared` memory, whose elements nothing has written.

        They are zero; the check `uninitialized` reports kernels that use them.

        Raises:
            ZeError: `OUT_OF_DEVICE_MEMORY`, `OUT_OF_HOST_MEMORY`, `UNSUPPORTED_SIZE`.
            ValueError: No buffer has such elements or such a shape.
        """
        if isinstance(shape, Sequence | np.ndarray) and not isinstance(shape, str | bytes):
            extents = tuple(map(operator.index, shape))
        else:
            extents = (operator.index(cast(SupportsIndex, shape)),)
        return Buffer(self._session, extents, np.dtype(dtype), MemoryKind(memory))

    def array(
        self, values: ArrayLike, dtype: DTypeLike | None = None, *, memory: MemoryKind | str = "device"
    ) -> Buffer:
        """Returns an array with the contents of `values`, as `empty` creates it."""
        array = np.asarray(values, dtype)
        buffer = Buffer(self._session, array.shape, array.dtype, MemoryKind(memory))
        buffer.write(array)
        return buffer

    def empty_image(
        self, sizes: SupportsIndex | Sequence[SupportsIndex], format: str, type: str | None = None
    ) -> DeviceImage:
        """Returns an image whose texels are zero.

        Args:
            sizes: Layers or slices, rows and texels, as far as images of the type have them.
            format: The order, bits and kind of channels: `rgba8unorm`, `r32float`, `bgra8unorm`, `rgb10a2uint`.
            type: `1d`, `1d_array`, `2d`, `2d_array`, `3d` or `buffer`; by default as many dimensions as sizes.

        Raises:
            ZeError: `UNSUPPORTED_FEATURE` on a device without images, `UNSUPPORTED_SIZE`, `OUT_OF_DEVICE_MEMORY`.
            ValueError: The format or the type is unknown, or the type has another number of sizes.
        """
        given = sizes if isinstance(sizes, Sequence) else (sizes,)
        extents = tuple(map(operator.index, given))
        return DeviceImage(self._session, extents, format, f"{len(extents)}d" if type is None else type)

    def image(self, values: ArrayLike, format: str, type: str | None = None) -> DeviceImage:
        """Returns an image with the texels in an array, as `empty_image` creates it.

        The array has an axis for each size, and one more for channels if the format has several. Its elements are the
        bits of channels: `uint8` for `rgba8unorm`. Channels of different sizes share a number.

        Raises:
            ValueError: The array has another shape or other elements.
        """
        array = np.asarray(values)
        channels = TEXEL_FORMATS[format].channels if format in TEXEL_FORMATS else 1
        image = self.empty_image(array.shape if channels == 1 else array.shape[:-1], format, type)
        image.write(array)
        return image

    def sampler(
        self, addressing: str = "clamp_edge", filter: str = "nearest", *, normalized: bool = False
    ) -> DeviceSampler:
        """Returns a sampler.

        Args:
            addressing: The texel outside of an image: `none`, `clamp_edge`, `clamp_border`, `repeat` or `mirror`.
            filter: `nearest` or `linear`.
            normalized: True if coordinates from 0 to 1 cover the image; `repeat` and `mirror` are for these.

        Raises:
            ZeError: `UNSUPPORTED_FEATURE` on a device without samplers.
            ValueError: A word is unknown.
        """
        return DeviceSampler(self._session, addressing, filter, normalized=normalized)

    def from_dlpack(self, values: SupportsDLPack, *, memory: MemoryKind | str = "device") -> Buffer:
        """Returns an array with the contents of another library's array. Kernels take such arrays themselves, too."""
        return self.array(np.from_dlpack(values), memory=memory)

    def stream(self) -> Stream:
        """Returns a new stream, whose commands are executed in order while the host continues."""
        return Stream(self._session)

    def event(self, *, timed: bool = False) -> Event:
        """Returns a new event, not signaled."""
        return Event(self._session, timed)


def devices() -> list[Device]:
    """Returns the devices of the process's Level Zero driver, as the environment (`ZE_AFFINITY_MASK`, ...) selects
    them.

    Each call returns new `Device` objects for the same devices. The objects of one device share its memory, and its
    kernels take the buffers of all of them.

    Raises:
        ZeError: `UNINITIALIZED` if there is no driver.
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
