"""One launch over several workers: each runs some of its work-groups, and what they write is put together.

The result is that of one machine, bit for bit, because a launch is refused unless its groups cannot communicate: each
array is only read, only written, or only changed by atomics of one kind whose order does not matter, and no two groups
write different values to a byte. What a part of the groups has written is found by running it on two memories that
differ in every byte of these arrays: what nobody reads cannot change what is written, and bytes that are equal
afterwards are those that were written. Atomics work on memory of which each part has its own, which is put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

import zebin
from runtime.api import Device, Kernel, LaunchResult
from runtime.cluster.atomics import Accumulator, find_accumulators
from runtime.cluster.errors import SpreadError
from runtime.cluster.workers import Workers
from runtime.simulator.profile import Profile
from xegpu.isa import ArgumentKind
from xegpu.isa.cost import TrafficSpace, traffic
from xegpu.isa.model import Dim3

Array = NDArray[np.generic]
Value = Array | int | float

_PARTS_PER_WORKER = 4
"""Parts are smaller than they could be, so that less is done again when a worker ends."""
_FILLS = (0x00, 0xFF)
_VARIABLES = (".data.global", ".bss.global")
"""The sections of variables that kernels can write."""


@dataclass(frozen=True)
class _SpreadForm:
    """An array that is written, or changed by atomics."""

    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]
    nbytes: int
    accumulator: Accumulator | None

    def filled(self, fill: int) -> Array:
        """Returns an array of this form: with `fill` in each byte, or one that shows what atomics change."""
        accumulator = self.accumulator
        image = np.full(self.nbytes, fill, np.uint8) if accumulator is None else accumulator.fill(self.nbytes)
        return image.view(self.dtype).reshape(self.shape)


@dataclass(frozen=True)
class _SharedLaunch:
    """The facts that all parts of a launch have in common. Values of arrays that are written are left out."""

    binary: bytes
    kernel: str
    target: str
    engine: str
    grid: Dim3
    block: Dim3
    values: tuple[Value | None, ...]
    forms: tuple[_SpreadForm | None, ...]


@dataclass(frozen=True)
class _SpreadPart:
    """The outcome of some work-groups: for each array that is written, the bytes of its mask, and those written.

    Arrays that atomics change have no mask, and all of their bytes.
    """

    written: tuple[tuple[bytes, bytes], ...]
    instructions: int
    threads: int
    groups: int
    seconds: float


def spread(
    workers: Workers,
    device: Device,
    binary: bytes,
    kernel: str,
    grid: Sequence[int],
    values: Sequence[Value],
    block: Sequence[int] | None = None,
) -> LaunchResult:
    """Runs a kernel on the workers, as `device.load(binary)[kernel][grid, block](*values)` runs it on this one.

    Args:
        workers: The workers.
        device: A device whose target and engine those of the workers get.
        binary: The ZEBIN.
        kernel: The name of the kernel.
        grid: The number of work-groups.
        values: The arguments: arrays of numpy and numbers. Arrays that the kernel writes are written.
        block: The size of work-groups; by default the one that the kernel requires.

    Raises:
        SpreadError: The work-groups may communicate; the text says why.
        LaunchError: The grid or an argument does not fit the kernel.
        ClusterError: The workers cannot do it.
    """
    loaded = device.load(binary)[kernel]
    launch = loaded[tuple(grid)] if block is None else loaded[tuple(grid), tuple(block)]
    outputs = _require_separate(binary, launch.predict(*values), values, loaded.parameter_names)
    shared = _SharedLaunch(
        binary,
        kernel,
        device.name,
        device.engine,
        launch.grid,
        launch.block,
        tuple(None if number in outputs else value for number, value in enumerate(values)),
        tuple(
            _SpreadForm(value.shape, value.dtype, value.nbytes, outputs[number])
            if number in outputs and isinstance(value, np.ndarray)
            else None
            for number, value in enumerate(values)
        ),
    )
    groups = launch.grid[0] * launch.grid[1] * launch.grid[2]
    count = min(groups, _PARTS_PER_WORKER * workers.count)
    bounds = [groups * number // max(count, 1) for number in range(count + 1)]
    ranges = list(pairwise(bounds))
    found = dict(workers.map_with(shared, _run_part, ranges))
    parts = [found[number] for number in range(len(ranges))]
    for place, number in enumerate(sorted(outputs)):
        array = values[number]
        assert isinstance(array, np.ndarray), "what is written is an array"
        written = [part.written[place] for part in parts]
        accumulator = outputs[number]
        if accumulator is None:
            _merge(loaded.parameter_names[number], array, ranges, written)
        else:
            _accumulate(accumulator, array, [data for _, data in written])
    return LaunchResult(
        kernel,
        launch.grid,
        launch.block,
        sum(part.instructions for part in parts),
        sum(part.threads for part in parts),
        sum(part.groups for part in parts),
        sum(part.seconds for part in parts),
    )


def _require_separate(
    binary: bytes, profile: Profile, values: Sequence[Value], parameters: Sequence[str]
) -> dict[int, Accumulator | None]:
    """Returns the numbers of the arrays that are written, and how, if atomics change them.

    Raises `SpreadError` if groups may communicate.
    """
    executable = profile.executable
    facts = executable.description.facts

    def refuse(reason: str) -> NoReturn:
        raise SpreadError(f"the work-groups of kernel '{profile.kernel}' cannot be spread: {reason}")

    if facts.printf_strings:
        refuse("they print")
    for instruction in executable.program.instructions:
        moved = traffic(instruction)
        if moved is not None and moved.space is TrafficSpace.IMAGE:
            refuse(f"{instruction.mnemonic} accesses an image")
    if any(
        section.name.startswith(_VARIABLES) and section.size for section in zebin.read(binary, lenient=True).sections
    ):
        refuse("its module has variables in global memory")
    if executable.groups_take_turns:
        refuse("they wait for each other")
    if facts.indirect_accesses or any(argument.is_address for argument in facts.arguments):
        refuse("it finds pointers in memory")
    accumulators = find_accumulators(executable)
    by_name = {argument.name or f"#{index}": argument for index, argument in enumerate(facts.arguments)}
    outputs: dict[int, Accumulator | None] = {}
    for number, (name, value) in enumerate(zip(parameters, values, strict=True)):
        argument = by_name[name]
        if argument.kind is not ArgumentKind.POINTER:
            continue
        if not isinstance(value, np.ndarray):
            refuse(f"argument '{name}' is {type(value).__name__}, expected an array of numpy")
        if name in accumulators:
            outputs[number] = accumulators[name]
        elif argument.access == "writeonly":
            outputs[number] = None
        elif argument.access != "readonly":
            refuse(f"argument '{name}' is read and written")
    for number in outputs:
        for other, value in enumerate(values):
            array = values[number]
            if other != number and isinstance(value, np.ndarray) and np.may_share_memory(np.asarray(array), value):
                refuse(f"arguments '{parameters[number]}' and '{parameters[other]}' share memory")
    return outputs


@lru_cache(maxsize=4)
def _loaded(binary: bytes, kernel: str, target: str, engine: str) -> Kernel:
    """Returns a kernel on a device of this process, which is compiled once for all parts."""
    return Device(target, engine, threads=1).load(binary)[kernel]


def _run_part(shared: _SharedLaunch, groups: tuple[int, int]) -> _SpreadPart:
    kernel = _loaded(shared.binary, shared.kernel, shared.target, shared.engine)
    launch = kernel[shared.grid, shared.block].groups(*groups)
    images: list[list[NDArray[np.uint8]]] = []
    results = []
    for fill in _FILLS:
        values = [
            value if form is None else form.filled(fill)
            for value, form in zip(shared.values, shared.forms, strict=True)
        ]
        results.append(launch(*[value for value in values if value is not None]))
        images.append([_bytes(v) for v, form in zip(values, shared.forms, strict=True) if form is not None])
    written = []
    for form, first, second in zip(filter(None, shared.forms), *images, strict=True):
        if form.accumulator is None:
            mask = first == second
            written.append((np.packbits(mask).tobytes(), first[mask].tobytes()))
        else:
            written.append((b"", first.tobytes()))
    done = results[0]
    return _SpreadPart(tuple(written), done.instructions, done.threads, done.groups, done.seconds)


def _bytes(array: object) -> NDArray[np.uint8]:
    return np.asarray(array).reshape(-1).view(np.uint8)


def _merge(name: str, array: Array, ranges: Sequence[tuple[int, int]], parts: Sequence[tuple[bytes, bytes]]) -> None:
    """Puts the bytes that parts have written into an array. Raises `SpreadError` if two parts disagree."""
    whole = np.ascontiguousarray(array)
    image = _bytes(whole).copy()
    owner = np.full(image.size, -1, np.int32)
    for number, (packed, data) in enumerate(parts):
        mask = np.unpackbits(np.frombuffer(packed, np.uint8), count=image.size).view(np.bool_)
        written = np.zeros_like(image)
        written[mask] = np.frombuffer(data, np.uint8)
        wrong = np.flatnonzero(mask & (owner >= 0) & (written != image))
        if wrong.size:
            at = int(wrong[0])
            groups = " and ".join(f"{first} to {end - 1}" for first, end in (ranges[owner[at]], ranges[number]))
            raise SpreadError(
                f"argument '{name}': work-groups {groups} write different values to element "
                f"{at // array.itemsize}; the result depends on their order"
            )
        image[mask] = written[mask]
        owner[mask] = number
    np.copyto(array, image.view(array.dtype).reshape(array.shape))


def _accumulate(accumulator: Accumulator, array: Array, parts: Sequence[bytes]) -> None:
    """Changes an array as all parts have changed theirs."""
    image = _bytes(np.ascontiguousarray(array)).copy()
    for part in parts:
        accumulator.join(image, np.frombuffer(part, np.uint8))
    np.copyto(array, image.view(array.dtype).reshape(array.shape))
