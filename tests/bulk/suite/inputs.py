"""Arguments of the suite's kernels: what stands behind `run:` in their files names these functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tests.peer.opencl.cases import Argument, Array, SamplerWords, Texels

_TYPES = {
    "char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "uint": np.uint32, "long": np.int64,
    "ulong": np.uint64, "half": np.float16, "double": np.float64,
}  # fmt: skip


class Scratch(int):
    """Bytes of local memory."""


class Inputs:
    """Draws arguments; those of one seed are always the same."""

    def __init__(self, seed: int):
        self._draw = np.random.default_rng(seed)

    def names(self) -> Mapping[str, object]:
        """Returns what an expression may name: the functions of this class, and types that convert numbers."""
        functions = {name: getattr(self, name) for name in vars(Inputs) if not name.startswith("_") and name != "names"}
        return functions | _TYPES

    def uniform(self, count: int, low: float = 0, high: float = 1, type: str = "f4") -> Array:
        """Returns floats between two numbers."""
        return self._draw.uniform(low, high, count).astype(type)

    def normal(self, count: int, scale: float = 1, type: str = "f4") -> Array:
        """Returns floats around zero."""
        return (self._draw.standard_normal(count) * scale).astype(type)

    def ints(self, count: int, low: int = 0, high: int = 1000, type: str = "i4") -> Array:
        """Returns integers from `low` to below `high`."""
        return self._draw.integers(low, high, count, np.dtype(type))

    def bits(self, count: int, type: str = "u4") -> Array:
        """Returns integers of random bits."""
        return np.frombuffer(self._draw.bytes(count * np.dtype(type).itemsize), type).copy()

    def zeros(self, count: int, type: str = "f4") -> Array:
        """Returns zeros, the place of results."""
        return np.zeros(count, type)

    def full(self, count: int, value: float, type: str = "f4") -> Array:
        """Returns equal numbers."""
        return np.full(count, value, type)

    def ramp(self, count: int, type: str = "i4") -> Array:
        """Returns 0, 1, 2 and so on."""
        return np.arange(count).astype(type)

    def shuffled(self, count: int, type: str = "i4") -> Array:
        """Returns the numbers below `count` in random order."""
        return self._draw.permutation(count).astype(type)

    def ordered(self, count: int, high: int = 1000, type: str = "i4") -> Array:
        """Returns ascending integers, some of which are equal."""
        return np.sort(self.ints(count, 0, high, type))

    def listed(self, *values: float, type: str = "i4") -> Array:
        """Returns numbers that are written out."""
        return np.array(values, type)

    def dominant(self, size: int, type: str = "f4") -> Array:
        """Returns a square matrix whose diagonal outweighs the rest of each row, so that elimination is stable."""
        matrix = self._draw.uniform(-1, 1, (size, size)) + size * np.eye(size)
        return matrix.reshape(-1).astype(type)

    def definite(self, size: int, type: str = "f4") -> Array:
        """Returns a symmetric matrix with positive eigenvalues."""
        half = self._draw.uniform(-1, 1, (size, size))
        return (half @ half.T + size * np.eye(size)).reshape(-1).astype(type)

    def csr(self, rows: int, columns: int, most: int = 8, type: str = "f4") -> tuple[Array, Array, Array]:
        """Returns a sparse matrix by rows: where they begin, columns, and values; some rows are empty."""
        counts = self._draw.integers(0, most + 1, rows)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        chosen = [np.sort(self._draw.choice(columns, count, replace=False)) for count in counts]
        return starts, np.concatenate(chosen).astype(np.int32), self.normal(int(starts[-1]), 1, type)

    def graph(self, nodes: int, most: int = 6) -> tuple[Array, Array]:
        """Returns a directed graph by nodes: where their edges begin, and to which nodes they go."""
        starts, ends, _ = self.csr(nodes, nodes, most)
        return starts, ends

    def ell(self, rows: int, columns: int, width: int, type: str = "f4") -> tuple[Array, Array]:
        """Returns a sparse matrix in columns of entries: their columns, -1 where there is none, and values."""
        places = self._draw.integers(0, columns, (width, rows)).astype(np.int32)
        places[self._draw.random((width, rows)) < 0.3] = -1
        return places.reshape(-1), self.normal(width * rows, 1, type)

    def text(self, count: int, letters: str = "ACGT") -> Array:
        """Returns random letters."""
        return self._draw.choice(np.frombuffer(letters.encode(), np.uint8), count)

    def record(self, form: str, *values: float | Sequence[float]) -> np.void:
        """Returns a structure by value; `form` has the types of its members, padding is that of C."""
        return np.array([values], np.dtype(form, align=True))[0]

    def records(self, count: int, form: str) -> Array:
        """Returns an array of structures with members between 0 and 1, or 0 and 100 for integers."""
        found = np.zeros(count, np.dtype(form, align=True))
        for name in found.dtype.names or ():
            member = found[name]
            numbers = self._draw.random(member.shape)
            member[...] = (numbers * (1 if member.dtype.kind == "f" else 100)).astype(member.dtype)
        return found

    def scratch(self, count: int, type: str = "f4") -> Scratch:
        """Returns local memory for so many numbers."""
        return Scratch(count * np.dtype(type).itemsize)

    def image(self, format: str, height: int, width: int, type: str = "2d") -> Texels:
        """Returns an image of four channels."""
        if format.endswith("float"):
            kind = {"32float": "f4", "16float": "f2"}[format.removeprefix("rgba")]
            return Texels(type, format, self._draw.random((height, width, 4)).astype(kind))
        kind = "u1" if "8" in format else "u2" if "16" in format else "u4"
        signed = format.endswith(("sint", "snorm"))
        values = self.bits(height * width * 4, kind.replace("u", "i") if signed else kind)
        return Texels(type, format, values.reshape(height, width, 4))

    def sampler(self, addressing: str = "clamp_edge", filter: str = "nearest", normalized: bool = False) -> Argument:
        """Returns a sampler."""
        return SamplerWords(addressing, filter, normalized)
