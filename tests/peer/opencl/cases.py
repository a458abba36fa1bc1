"""Kernels for comparisons with the CPU: cases in files of OpenCL C, and arguments by the types of their parameters.

A file begins with what all of its cases need. A line `// case: ...` starts a case: a kernel, and functions of its own.
`T N = char 2, short 3` makes a case for each row, in whose text `$T` and `$N` stand for its words; `group 8 4` is the
size of work-groups; `ulp 64` the distance that floats may have; `only llvm ocloc` names the producers that can;
`on arc` the device; `format rgba8unorm` that of images; `sampler repeat linear normalized` what samplers are;
`within 1` how far apart integers may be, and `near 1e-6` floats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from runtime.api import TEXEL_FORMATS

FOLDER = Path(__file__).with_name("kernels")
ITEMS = 64
PRODUCERS = ("llvm", "clang23", "clang22", "clang15", "ocloc", "ocloc_today")
_TODAY = {"clang22": ("clang23", "clang22"), "ocloc": ("ocloc", "ocloc_today")}
"""The producers that an older one stands for in what a case can be made by."""
_COMPONENTS = 16384
"""The components of each array."""
_ULP = 64
_TYPES = {"char": "i1", "short": "i2", "int": "i4", "long": "i8", "half": "f2", "float": "f4", "double": "f8"}
_PARAMETER = re.compile(r"(volatile )?(global |constant |local )?(const )?(\w+?)(\d*) ?\*?(\w+)")
_RECORD_WORDS = 7

_IMAGE = re.compile(r"(read_only|write_only|read_write) image(\w+)_t \w+")
_SIZES = {
    "1d": (37,),
    "1d_array": (3, 21),
    "1d_buffer": (50,),
    "2d": (7, 13),
    "2d_array": (3, 7, 13),
    "2d_depth": (7, 13),
    "2d_array_depth": (2, 7, 5),
    "3d": (3, 5, 9),
}
"""Sizes of images by what stands in the names of their types, the width last."""

Array = NDArray[np.generic]


@dataclass(frozen=True)
class Texels:
    """An image: what stands in the name of its type, the format, and what it holds before the launch."""

    type: str
    format: str
    values: Array


@dataclass(frozen=True)
class SamplerWords:
    """A sampler: addressing mode, filter, and whether coordinates are normalized."""

    addressing: str
    filter: str
    normalized: bool


Argument = Array | np.generic | int | Texels | SamplerWords


class Launch(Protocol):
    """A kernel with its arguments: what the CPU and our devices need to run it."""

    @property
    def file(self) -> str:
        """The file of the kernel, without its suffix."""

    @property
    def name(self) -> str:
        """The name of the kernel."""

    @property
    def text(self) -> str:
        """The source."""

    @property
    def options(self) -> Sequence[str]:
        """The options of the compiler."""

    @property
    def items(self) -> tuple[int, ...]:
        """The work-items in each dimension."""

    @property
    def group(self) -> tuple[int, ...]:
        """The size of work-groups."""

    @property
    def results(self) -> list[int]:
        """The positions of the arguments to compare."""

    def arguments(self) -> list[Argument]:
        """Returns the arguments, the same ones each time."""


@dataclass(frozen=True)
class Case:
    """A kernel, its text with all that it needs, and how it is launched and compared."""

    file: str
    name: str
    text: str
    group: tuple[int, ...] = (16,)
    ulp: float = _ULP
    only: tuple[str, ...] = PRODUCERS
    target: str = "pvc"
    format: str = "rgba8unorm"
    sampler: tuple[str, ...] = ("clamp_edge", "nearest")
    within: int = 0
    near: float = 0
    options: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[int, ...]:
        """The work-items of a launch in each dimension; 64 in all."""
        rest = ITEMS // int(np.prod(self.group))
        return (self.group[0] * rest, *self.group[1:])

    @property
    def parameters(self) -> list[str]:
        """The parameters of the kernel as the text declares them."""
        found = re.search(rf"kernel\s+void\s+{self.name}\(([^)]*)\)", self.text)
        assert found is not None
        return [" ".join(parameter.split()) for parameter in found[1].split(",")]

    def arguments(self) -> list[Argument]:
        """Returns arrays and images of random numbers, numbers, samplers, and numbers of bytes for local memory."""
        draw = np.random.default_rng(len(self.name))
        return [self._argument(parameter, draw) for parameter in self.parameters]

    def _argument(self, parameter: str, draw: np.random.Generator) -> Argument:
        if parameter.startswith("sampler_t"):
            addressing, filter_mode, *normalized = self.sampler
            return SamplerWords(addressing, filter_mode, bool(normalized))
        if image := _IMAGE.fullmatch(parameter):
            return _texels(image[2], self.format, draw)
        return _argument(parameter, draw, int(np.prod(self.group)))

    @property
    def results(self) -> list[int]:
        """The positions of the arguments that the kernel writes."""
        return [i for i, text in enumerate(self.parameters) if re.match(_WRITTEN, text)]

    def difference(self, found: Sequence[Array], right: Sequence[Array]) -> str | None:
        """Returns how results differ, in the argument and the place that differ most; None if they are near enough."""
        for position, mine, theirs in zip(self.results, found, right, strict=True):
            distance = self._distances(mine, theirs)
            if distance.max() > 0:
                worst = np.unravel_index(int(distance.argmax()), distance.shape)
                count = np.count_nonzero(distance > 0)
                values = f"{mine[worst]}, expected {theirs[worst]}"
                return f"argument {position}: {count} of {distance.size} differ, most at {worst}: {values}"
        return None

    def _distances(self, mine: Array, theirs: Array) -> Array:
        """Returns by how much numbers are farther apart than they may be."""
        if mine.dtype.kind != "f":
            return np.maximum(np.abs(mine.astype(object) - theirs.astype(object)) - self.within, 0)
        with np.errstate(invalid="ignore"):  # infinities have no difference
            is_near = np.abs(mine - theirs) <= self.near
        same = (mine == theirs) | (np.isnan(mine) & np.isnan(theirs)) | is_near
        return np.where(same, 0, np.maximum(np.abs(_ordered(mine) - _ordered(theirs)) - self.ulp, 0))


def _ordered(values: Array) -> Array:
    """Returns integers that count the numbers of a float type in their order."""
    bits = values.view(f"i{values.dtype.itemsize}").astype(object)
    return np.where(bits < 0, -(1 << 8 * values.dtype.itemsize - 1) - bits, bits)


_WRITTEN = r"(volatile )?global (?!const)|(write_only|read_write) image"


def _texels(type: str, format: str, draw: np.random.Generator) -> Texels:
    """Returns an image of random bits, or of random numbers if it consists of floats."""
    form = TEXEL_FORMATS[format]
    shape = _SIZES[type] if form.channels == 1 else (*_SIZES[type], form.channels)
    if form.dtype.kind == "f":
        return Texels(type, format, draw.standard_normal(shape).astype(form.dtype))
    return Texels(
        type, format, np.frombuffer(draw.bytes(int(np.prod(shape)) * form.dtype.itemsize), form.dtype).reshape(shape)
    )


def _argument(parameter: str, draw: np.random.Generator, group: int) -> Array | np.generic | int:
    found = _PARAMETER.fullmatch(parameter)
    assert found is not None, parameter
    space, word, count = (found[2] or "").strip(), found[4].removeprefix("atomic_"), int(found[5] or 1)
    if word == "Record":
        return np.frombuffer(draw.bytes(32 * 4 * (_RECORD_WORDS + 1)), np.uint32)
    bare = word.startswith("u")
    dtype = np.dtype(_TYPES[word.removeprefix("u")])
    if bare:
        dtype = np.dtype(f"u{dtype.itemsize}")
    if space == "local":
        return 16 * group * dtype.itemsize
    if not space:
        return dtype.type(3) if dtype.kind != "f" else dtype.type(1.5)
    if dtype.kind == "f":
        return (draw.standard_normal(_COMPONENTS * count) * 3).astype(dtype)
    return np.frombuffer(draw.bytes(_COMPONENTS * count * dtype.itemsize), dtype)


@cache
def cases() -> list[Case]:
    """Returns all cases."""
    return [case for file in sorted(FOLDER.glob("*.cl")) for case in _of(file)]


def _of(file: Path) -> Iterator[Case]:
    prelude, *rest = re.split(r"(?m)^// case:(.*)\n", file.read_text())
    for line, text in zip(rest[::2], rest[1::2], strict=True):
        names, rows = [""], [[""]]
        parts = []
        for part in filter(None, (each.strip() for each in line.split(";"))):
            before, equal, after = part.partition(" = ")
            if equal:
                names, rows = before.split(), [row.split() for row in after.split(",")]
            else:
                parts.append(part)
        for row in rows:
            words = dict(zip(names, row, strict=True))
            whole = Template(text).safe_substitute(words)
            options = {word: values for word, *values in (Template(p).substitute(words).split() for p in parts)}
            name = re.search(r"kernel\s+void\s+(\w+)", whole)
            assert name is not None, text
            yield Case(
                file.stem,
                name[1],
                prelude + whole,
                tuple(map(int, options.get("group", ["16"]))),
                float(options.get("ulp", [_ULP])[0]),
                tuple(each for word in options.get("only", PRODUCERS) for each in _TODAY.get(word, (word,))),
                options.get("on", ["pvc"])[0],
                options.get("format", [Case.format])[0],
                tuple(options.get("sampler", Case.sampler)),
                int(options.get("within", [0])[0]),
                float(options.get("near", [0])[0]),
            )
