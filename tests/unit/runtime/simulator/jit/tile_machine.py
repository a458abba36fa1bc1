"""Tile registers of AMX for tests: runs the IR of a run of dpas on bytes, as Intel's instruction set reference says.

It knows the few lines of IR that such a run consists of, and fails at any other.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

_OFFSET = re.compile(r"(%\w+) = getelementptr i8, ptr (%\w+), i64 (-?\d+)")
_CALL = re.compile(r"call void @llvm\.x86\.(\w+)\((.*)\)")
_CONFIGURATION = re.compile(r'@"(tiles\.\d+)" = private constant \[16 x i32\] \[(.*)\]')
_BESIDE = re.compile(r"br |%\w+ = (load i32|icmp ne i32)|store i32|[\w.]+:|ret void")
SIGNS = {"s": np.int8, "u": np.uint8}


class TileMachine:
    """Runs functions of dpas on a register file; `loads` counts how often tiles were loaded."""

    def __init__(self, ir: str, file: bytes):
        self._ir = ir
        self.file = np.frombuffer(file, np.uint8).copy()
        self.loads = 0
        self._tiles: dict[int, NDArray[np.uint8]] = {}
        self._shapes: list[tuple[int, int]] = []

    def run(self, name: str) -> None:
        """Runs one function."""
        body = self._ir.split(f'define internal void @"{name}"(ptr %file)', 1)[1].split("\n}", 1)[0]
        places = {"%file": 0}
        for line in body.splitlines()[1:]:
            text = line.strip()
            if found := _OFFSET.fullmatch(text):
                places[found[1]] = places[found[2]] + int(found[3])
            elif found := _CALL.fullmatch(text):
                self._perform(found[1], [word.split()[-1] for word in found[2].split(", ")], places)
            elif not _BESIDE.match(text):
                raise ValueError(f"no line of a run of tiles: {text}")

    def _perform(self, name: str, words: list[str], places: dict[str, int]) -> None:
        if name == "ldtilecfg":
            found = next(found for found in _CONFIGURATION.finditer(self._ir) if found[1] in words[0])
            data = b"".join(int(word.split()[1]).to_bytes(4, "little", signed=True) for word in found[2].split(", "))
            self._shapes = [(data[48 + tile], data[16 + 2 * tile]) for tile in range(8)]
            return
        tile = int(words[0])
        rows, row_bytes = self._shapes[tile]
        if name == "tilezero":
            self._tiles[tile] = np.zeros((rows, row_bytes), np.uint8)
        elif name.startswith("tdpb"):
            self._tiles[tile] = self._product(name, tile, *(int(word) for word in words[1:]))
        else:
            start, stride = places[words[1]], int(words[2])
            at = start + stride * np.arange(rows)[:, None] + np.arange(row_bytes)
            if name == "tileloadd64":
                self._tiles[tile] = self.file[at]
                self.loads += 1
            else:
                assert name == "tilestored64"
                self.file[at] = self._tiles[tile]

    def _product(self, name: str, d: int, a: int, b: int) -> NDArray[np.uint8]:
        """Returns the tile of D += A x B for bytes; the rows of B hold four rows of the matrix."""
        left, right = (
            self._tiles[tile].view(SIGNS[sign]).astype(np.int64) for tile, sign in zip((a, b), name[4:6], strict=True)
        )
        assert (left.shape[1], self._tiles[d].shape) == (4 * len(right), (len(left), right.shape[1]))
        matrix = right.reshape(len(right), -1, 4).transpose(0, 2, 1).reshape(4 * len(right), -1)
        sums = self._tiles[d].view(np.uint32).astype(np.int64) + left @ matrix
        return (sums & 0xFFFFFFFF).astype(np.uint32).view(np.uint8)
