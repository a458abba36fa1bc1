"""Random kernels that load a tile, rearrange, combine and reduce it, and store what comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.unit.passes.kernels.fragments import Tile, sg_map
from xegpu.dialects.xegpu import LaneMap

_SIZES = (1, 2, 4, 8, 16, 32)
_MOST = 512
"""Elements of the largest tile."""

Shape = tuple[int, int]


@dataclass(frozen=True)
class Chain:
    """A kernel's tiles, with maps, and what happens between them."""

    source: Tile
    body: str
    result: Tile

    def unmapped(self) -> Chain:
        """The same without maps."""
        return Chain(
            Tile(self.source.shape, self.source.element), self.body, Tile(self.result.shape, self.result.element)
        )


@st.composite
def chains(draw: st.DrawFn, lanes: int = 16, longest: int = 4) -> Chain:
    """Kernels for subgroups of `lanes`."""
    element = draw(st.sampled_from(["i32", "f32", "i16", "i64", "i8"]))
    maps = [
        (rows, lanes // rows, *box)
        for rows in (2**bit for bit in range(lanes.bit_length()))
        for box in ((1, 1), (1, 2), (2, 1), (1, 4))
    ]
    l0, l1, d0, d1 = draw(st.sampled_from(maps))
    units = (l0 * d0, l1 * d1)
    shape = draw(
        st.sampled_from(
            [
                (rows * units[0], columns * units[1])
                for rows in (1, 2, 4)
                for columns in (1, 2)
                if (rows, columns) == (1, 1) or (rows * units[0] <= 32 and columns * units[1] <= 32)
            ]
        )
    )
    writer = _Writer(element, shape)
    for _ in range(draw(st.integers(1, longest))):
        draw(st.sampled_from(_STEPS))(writer, draw)
    fitting = [m for m in maps if LaneMap(m[:2], m[2:]).tiles(writer.shape)]
    target = draw(st.sampled_from(fitting)) if fitting else None
    body = "\n".join((*writer.lines, f"%w = {writer.add} %{writer.value}, %{writer.value} : {writer.type()}"))
    result = Tile(writer.shape, element, None if target is None else sg_map(target[:2], target[2:]))
    return Chain(Tile(shape, element, sg_map((l0, l1), (d0, d1))), body, result)


class _Writer:
    """The kernel so far: its last value, and that value's shape."""

    def __init__(self, element: str, shape: Shape):
        self.element, self.shape = element, shape
        self.value = "v"
        self.lines: list[str] = []
        self._count = 0

    @property
    def add(self) -> str:
        return "arith.addf" if self.element == "f32" else "arith.addi"

    @property
    def largest(self) -> str:
        return "maxnumf" if self.element == "f32" else "maxsi"

    def type(self, shape: Sequence[int] | None = None) -> str:
        return f"vector<{'x'.join(map(str, self.shape if shape is None else shape))}x{self.element}>"

    def name(self) -> str:
        self._count += 1
        return f"s{self._count}"

    def line(self, text: str) -> str:
        """Adds an operation with one result, and returns the result's name."""
        name = self.name()
        self.lines.append(f"%{name} = {text}")
        return name

    def becomes(self, text: str, shape: Shape | None = None) -> None:
        """The last value is now the result of an operation."""
        self.value, self.shape = self.line(text), shape or self.shape


Step = Callable[[_Writer, st.DrawFn], None]


def _combine(w: _Writer, draw: st.DrawFn) -> None:
    numbers = [str((i * 5 + draw(st.integers(0, 3))) % 7 - 3) for i in range(8)]
    rows = [
        "[" + ", ".join(numbers[(r + c) % 8] + (".0" if w.element == "f32" else "") for c in range(w.shape[1])) + "]"
        for r in range(w.shape[0])
    ]
    constant = w.line(f"arith.constant dense<[{', '.join(rows)}]> : {w.type()}")
    w.becomes(f"{w.add} %{w.value}, %{constant} : {w.type()}")


def _choose(w: _Writer, _: st.DrawFn) -> None:
    zero = w.line(f"arith.constant dense<{'0.0' if w.element == 'f32' else '0'}> : {w.type()}")
    compare = "arith.cmpf ogt" if w.element == "f32" else "arith.cmpi sgt"
    positive = w.line(f"{compare}, %{w.value}, %{zero} : {w.type()}")
    mask = w.type().replace(w.element, "i1")
    w.becomes(f"arith.select %{positive}, %{w.value}, %{zero} : {mask}, {w.type()}")


def _transpose(w: _Writer, _: st.DrawFn) -> None:
    shape = (w.shape[1], w.shape[0])
    w.becomes(f"vector.transpose %{w.value}, [1, 0] : {w.type()} to {w.type(shape)}", shape)


def _reshape(w: _Writer, draw: st.DrawFn) -> None:
    count = w.shape[0] * w.shape[1]
    shapes = [(size, count // size) for size in _SIZES if count % size == 0 and count // size <= 32]
    shape = draw(st.sampled_from(shapes or [w.shape]))
    w.becomes(f"vector.shape_cast %{w.value} : {w.type()} to {w.type(shape)}", shape)


def _slice(w: _Writer, draw: st.DrawFn) -> None:
    dimension = draw(st.integers(0, 1))
    if w.shape[dimension] < 2:
        return
    sizes, offsets = list(w.shape), [0, 0]
    sizes[dimension] //= 2
    offsets[dimension] = draw(st.integers(0, sizes[dimension]))
    w.becomes(
        f"vector.extract_strided_slice %{w.value} {{offsets = {offsets}, sizes = {sizes}, strides = [1, 1]}} : "
        f"{w.type()} to {w.type(sizes)}",
        (sizes[0], sizes[1]),
    )


def _replace(w: _Writer, draw: st.DrawFn) -> None:
    row = w.line(
        f"vector.extract %{w.value}[{draw(st.integers(0, w.shape[0] - 1))}] : {w.type(w.shape[1:])} from {w.type()}"
    )
    at = draw(st.integers(0, w.shape[0] - 1))
    w.becomes(f"vector.insert %{row}, %{w.value} [{at}] : {w.type(w.shape[1:])} into {w.type()}")


def _reduce(w: _Writer, draw: st.DrawFn) -> None:
    dimension, kind = draw(st.integers(0, 1)), draw(st.sampled_from(["add", w.largest]))
    kept = w.shape[1 - dimension]
    start = w.line(f"arith.constant dense<{'1.0' if w.element == 'f32' else '1'}> : {w.type([kept])}")
    part = w.line(
        f"vector.multi_reduction <{kind}>, %{w.value}, %{start} [{dimension}] : {w.type()} to {w.type([kept])}"
    )
    type = w.type([kept])
    if dimension == 1:
        part, type = w.line(f"vector.shape_cast %{part} : {type} to {w.type([kept, 1])}"), w.type([kept, 1])
    spread = w.line(f"vector.broadcast %{part} : {type} to {w.type()}")
    w.becomes(f"{w.add} %{w.value}, %{spread} : {w.type()}")


def _total(w: _Writer, _: st.DrawFn) -> None:
    count = w.shape[0] * w.shape[1]
    row = w.line(f"vector.shape_cast %{w.value} : {w.type()} to {w.type([count])}")
    total = w.line(f"vector.reduction <{w.largest}>, %{row} : {w.type([count])} into {w.element}")
    spread = w.line(f"vector.broadcast %{total} : {w.element} to {w.type()}")
    w.becomes(f"{w.add} %{w.value}, %{spread} : {w.type()}")


def _double(w: _Writer, _: st.DrawFn) -> None:
    if w.shape[0] * w.shape[1] * 2 > _MOST or w.shape[1] > 16:
        return
    shape = (w.shape[0], 2 * w.shape[1])
    w.becomes(f"vector.interleave %{w.value}, %{w.value} : {w.type()} -> {w.type(shape)}", shape)


def _loop(w: _Writer, _: st.DrawFn) -> None:
    low, one, high = (w.line(f"arith.constant {n} : index") for n in (0, 1, 3))
    start = w.line(f"arith.constant dense<{'0.0' if w.element == 'f32' else '0'}> : {w.type()}")
    carried, total, index = w.name(), w.name(), w.name()
    type = w.type()
    w.becomes(
        f"scf.for %{index} = %{low} to %{high} step %{one} iter_args(%{carried} = %{start}) -> ({type}) {{\n"
        f"%{total} = {w.add} %{carried}, %{w.value} : {type}\nscf.yield %{total} : {type}\n}}"
    )


_STEPS: Sequence[Step] = (_combine, _choose, _transpose, _reshape, _slice, _replace, _reduce, _total, _double, _loop)
