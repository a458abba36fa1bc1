"""Kernels for comparisons with the CPU: cases in files of OpenCL C, and arguments by the types of their parameters.

A file begins with what all of its cases need. A line `// case: ...` starts a case: a kernel, and functions of its own.
`T N = char 2, short 3` makes a case for each row, in whose text `$T` and `$N` stand for its words; `group 8 4` is the
size of work-groups; `ulp 64` the distance that floats may have; `only llvm ocloc` names the producers that can;
`on arc` the device.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).with_name("kernels")
ITEMS = 64
PRODUCERS = ("llvm", "clang22", "clang15", "ocloc")
_COMPONENTS = 16384
"""The components of each array."""
_ULP = 64
_TYPES = {"char": "i1", "short": "i2", "int": "i4", "long": "i8", "half": "f2", "float": "f4", "double": "f8"}
_PARAMETER = re.compile(r"(volatile )?(global |constant |local )?(const )?(\w+?)(\d*) ?\*?(\w+)")
_RECORD_WORDS = 7

Array = NDArray[np.generic]


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

    def arguments(self) -> list[Array | np.generic | int]:
        """Returns arrays of random numbers, numbers, and numbers of bytes for local memory."""
        draw = np.random.default_rng(len(self.name))
        return [_argument(parameter, draw, int(np.prod(self.group))) for parameter in self.parameters]

    @property
    def results(self) -> list[int]:
        """The positions of the arguments that the kernel writes."""
        return [i for i, text in enumerate(self.parameters) if re.match(r"(volatile )?global (?!const)", text)]


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
        names, rows, options = [""], [[""]], {}
        for part in filter(None, (each.strip() for each in line.split(";"))):
            before, equal, after = part.partition(" = ")
            if equal:
                names, rows = before.split(), [row.split() for row in after.split(",")]
            else:
                word, *values = part.split()
                options[word] = values
        for row in rows:
            whole = Template(text).safe_substitute(dict(zip(names, row, strict=True)))
            name = re.search(r"kernel\s+void\s+(\w+)", whole)
            assert name is not None, text
            yield Case(
                file.stem,
                name[1],
                prelude + whole,
                tuple(map(int, options.get("group", ["16"]))),
                float(options.get("ulp", [_ULP])[0]),
                tuple(options.get("only", PRODUCERS)),
                options.get("on", ["pvc"])[0],
            )
