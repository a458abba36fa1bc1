"""The kernels of the suite: files of OpenCL C by family, with launches in lines above the kernels.

A file begins with what all of its kernels need: functions, types and constants. Then come the kernels, each below a
line of its own, with functions and a model that only it needs.

    // run: 1000 by 64; uniform(1000), zeros(1000), 1000; within 4

runs the last kernel before the next such line: work-items, whole groups of which are launched, and the size of groups;
arguments, by the functions of `inputs.py`; and how it is run and compared:

* `ulp 8`: the distance of floats, in units in the last place of each; 2 unless stated.
* `within 8`: their distance in units in the last place of the largest number in the array, for sums of terms of either
  sign: that of rounding a sum of n terms in another order is at most n units, and in practice less than its root.
* `option -cl-fast-relaxed-math`: an option of the compiler.
* `on arc`: needs images; `on pvc`: needs doubles.
* `model plain`: the CPU runs the kernel `plain`, by one work-item, in its place: PoCL lacks functions of groups,
  subgroups and halfs.
* `except spirv22`: a way of compilation whose result is known to be wrong before our part begins.

Integers are the same; so are arguments that kernels only read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from tests.bulk.suite.inputs import Inputs, Scratch
from tests.peer.opencl.cases import Argument, Array, SamplerWords, Texels

FOLDER = Path(__file__).with_name("kernels")
GPUS = ("pvc", "arc")
_ULP = 2.0
_HEAD = re.compile(r"(?m)^kernel\b[^;{]*?void\s+(\w+)\(")


@dataclass(frozen=True)
class Kernel:
    """A kernel, its text with all that it needs, and how it is launched and compared."""

    file: str
    name: str
    text: str
    items: tuple[int, ...]
    group: tuple[int, ...]
    values: str
    seed: int
    options: tuple[str, ...] = ()
    gpus: tuple[str, ...] = GPUS
    model: str | None = None
    without: tuple[str, ...] = ()
    ulp: float = _ULP
    within: float = 0

    def arguments(self) -> list[Argument]:
        """Returns the arguments, the same ones each time."""
        inputs = Inputs(self.seed)
        found = eval(f"[{self.values}]", {"__builtins__": {}}, dict(inputs.names()))
        return [_plain(value) for value in found]

    @property
    def target(self) -> str:
        """The first of its GPUs."""
        return self.gpus[0]

    @property
    def results(self) -> list[int]:
        """The positions of arrays and images."""
        return [i for i, value in enumerate(self.arguments()) if isinstance(value, np.ndarray | Texels)]

    def on_cpu(self) -> Kernel:
        """Returns what the CPU runs: this kernel or its model."""
        if self.model is None:
            return self
        *_, head = _HEAD.finditer(self.text)
        return replace(self, name=self.model, text=self.text[: head.start()], items=(1,), group=(1,))

    def difference(self, found: Sequence[Array], right: Sequence[Array]) -> str | None:
        """Returns how results differ, in the argument and the place that differ most; None if they are near enough."""
        for position, mine, theirs in zip(self.results, found, right, strict=True):
            for member, a, b in _members(mine.reshape(-1), theirs.reshape(-1)):
                distance = self._distances(a.reshape(-1), b.reshape(-1))
                if distance.size and not distance.max() <= 1:
                    worst, count = int(distance.argmax()), int((distance > 1).sum())
                    return (
                        f"argument {position}{member}: {count} of {distance.size} differ, most at {worst}: "
                        f"{a.reshape(-1)[worst]}, expected {b.reshape(-1)[worst]}"
                    )
        return None

    def _distances(self, mine: Array, theirs: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """Returns distances as parts of those that are allowed."""
        if mine.dtype.kind != "f":
            return np.where(mine == theirs, 0.0, np.inf)
        a, b = mine.astype(np.float64), theirs.astype(np.float64)
        finite = b[np.isfinite(b)]
        largest = np.abs(finite).max(initial=0).astype(mine.dtype)
        allowed = self.ulp * np.spacing(np.abs(theirs)).astype(np.float64)
        if self.within:
            allowed = np.maximum(allowed, self.within * float(np.spacing(largest)))
        with np.errstate(invalid="ignore"):
            distance = np.abs(a - b) / allowed
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        return np.where(same, 0.0, np.where(np.isnan(distance), np.inf, distance))


def _members(mine: Array, theirs: Array) -> Iterator[tuple[str, Array, Array]]:
    """Yields arrays with the same elements, by members if they are structures."""
    if mine.dtype.names is None:
        yield "", mine, theirs
        return
    for name in mine.dtype.names:
        for rest, a, b in _members(mine[name], theirs[name]):
            yield f".{name}{rest}", a, b


def _plain(value: object) -> Argument:
    """Returns an argument of which Python's numbers are `int` and `float` of OpenCL C."""
    match value:
        case Scratch():
            return int(value)
        case int():
            return np.int32(value)
        case float():
            return np.float32(value)
        case np.ndarray() | np.generic() | Texels() | SamplerWords():
            return value
    raise TypeError(f"{value!r} is no argument")


@cache
def kernels() -> list[Kernel]:
    """Returns all kernels."""
    return [kernel for file in sorted(FOLDER.glob("*.cl")) for kernel in kernels_of(file)]


def kernels_of(file: Path) -> Iterator[Kernel]:
    """Yields the kernels of a file."""
    prelude, *rest = re.split(r"(?m)^// run:(.*)\n", file.read_text())
    for line, text in zip(rest[::2], rest[1::2], strict=True):
        sizes, values, *words = (part.strip() for part in line.split(";"))
        *_, head = _HEAD.finditer(text)
        name = head[1]
        items, group = (tuple(map(int, part.split())) for part in sizes.split("by"))
        told = [word.split() for word in words]
        options = tuple(value for word, *rest in told if word == "option" for value in rest)
        stated = {word: value for word, value in told if word != "option"}
        yield Kernel(
            file.stem,
            name,
            prelude + text,
            tuple(-(-size // part) * part for size, part in zip(items, group, strict=True)),
            group,
            values,
            zlib.crc32(name.encode()),
            options,
            (stated["on"],) if "on" in stated else GPUS,
            stated.get("model"),
            (stated["except"],) if "except" in stated else (),
            float(stated.get("ulp", _ULP)),
            float(stated.get("within", 0)),
        )
