"""Random kernels of subgroup-level XeTile, of tiles and vectors of any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from tests.unit.passes.kernels.harness import DTYPES, Array

ROWS = (1, 2, 3, 8, 12, 16, 20, 32, 40)
COLUMNS = (1, 2, 4, 8, 16, 24, 32, 48, 64)
SCATTERED = "#xetile.tile_attr<scattered = true>"


@dataclass(frozen=True)
class Vector:
    """A value of the kernel."""

    name: str
    shape: tuple[int, ...]
    element: str

    @property
    def type(self) -> str:
        return f"vector<{'x'.join(map(str, self.shape))}x{self.element}>"


@dataclass
class TileProgram:
    """A kernel in the making: its text, and the vectors that operations may take."""

    draw: st.DrawFn
    lines: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    memories: list[Array] = field(default_factory=list)
    vectors: list[Vector] = field(default_factory=list)
    count: int = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def pick(self, accepts: Callable[[Vector], bool] = lambda _: True) -> Vector | None:
        """One of the vectors so far."""
        fitting = [vector for vector in self.vectors if accepts(vector)]
        return self.draw(st.sampled_from(fitting)) if fitting else None

    def number(self, *choices: int) -> int:
        return self.draw(st.sampled_from(choices))

    def add(self, shape: tuple[int, ...], element: str, text: str) -> Vector:
        """An operation with one result."""
        vector = Vector(self.name(), shape, element)
        self.lines.append(f"{vector.name} = {text}")
        self.vectors.append(vector)
        return vector

    def memory(self, shape: tuple[int, ...], element: str, layout: str = "") -> str:
        """An argument; small whole numbers stand there."""
        name = f"%m{len(self.arguments)}"
        self.arguments.append(f"{name}: memref<{'x'.join(map(str, shape))}x{element}{layout}>")
        rng = np.random.default_rng(len(self.arguments))
        numbers = rng.integers(-3, 4, shape)
        self.memories.append(numbers.astype(np.int64 if element.startswith("i") else np.float64))
        return name

    def text(self) -> str:
        """The kernel, which stores each vector that there is."""
        for vector in list(self.vectors):
            self.store(vector)
        body = "\n    ".join(self.lines)
        return (
            f"gpu.module @m {{\n  gpu.func @k({', '.join(self.arguments)}) kernel {{\n"
            "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
            "    %c3 = arith.constant 3 : index\n    %c5 = arith.constant 5 : index\n"
            f"    {body}\n    gpu.return\n  }}\n}}\n"
        )

    # Memory

    def tile(self, shape: tuple[int, ...], element: str, *, column_major: bool = False) -> tuple[str, str, str]:
        """Value and type of a block that may reach out of its memory, and the memory's name."""
        memory_shape = tuple(max(1, size - self.number(0, 3)) if size > 4 else size + 2 for size in shape)
        layout, order = "", ""
        if column_major:
            layout, order = f", strided<[1, {memory_shape[0]}]>", ", #xetile.tile_attr<order = [0, 1]>"
        memory = self.memory(memory_shape, element, layout)
        name, type = self.name(), f"!xetile.tile<{shape[0]}x{shape[1]}x{element}{order}>"
        start = self.draw(st.sampled_from(["[0, 0]", "[%c1, 0]", "[1, %c3]", "[%c0, %c1]"]))
        source = f"memref<{'x'.join(map(str, memory_shape))}x{element}{layout}>"
        self.lines.append(f"{name} = xetile.init_tile {memory}{start} : {source} -> {type}")
        return name, type, memory

    def store(self, vector: Vector) -> None:
        if len(vector.shape) == 1:
            vector = self.add((1, *vector.shape), vector.element, _recast(vector, (1, *vector.shape)))
        tile, type, _ = self.tile(vector.shape, vector.element, column_major=self.number(0, 0, 0, 1) == 1)
        self.lines.append(f"xetile.store_tile {vector.name}, {tile} : {vector.type}, {type}")

    def load(self) -> None:
        shape = (self.number(*ROWS), self.number(*COLUMNS))
        element = self.draw(st.sampled_from(["f16", "f32", "i32"]))
        tile, type, _ = self.tile(shape, element, column_major=self.number(0, 0, 1) == 1)
        value = f"vector<{shape[0]}x{shape[1]}x{element}>"
        self.lines.append(f"xetile.prefetch_tile {tile} : {type}")
        self.add(shape, element, f"xetile.load_tile {tile} : {type} -> {value}")

    def gather(self) -> None:
        """Elements of their own addresses, some of them masked, and the same ones moved on."""
        shape = (self.number(1, 2, 4, 8), self.number(1, 8, 16, 32))
        size = shape[0] * shape[1]
        places = np.random.default_rng(size).permutation(size).reshape(shape)
        memory, indices, mask, tile, moved = self.memory((2 * size,), "f32"), *(self.name() for _ in range(4))
        dims = f"{shape[0]}x{shape[1]}"
        type = f"!xetile.tile<{dims}xf32, {SCATTERED}>"
        self.lines += [
            f"{indices} = arith.constant dense<{places.tolist()}> : vector<{dims}xindex>",
            f"{mask} = vector.create_mask %c3, %c5 : vector<{dims}xi1>",
            f"{tile} = xetile.init_tile {memory}, {indices} : memref<{2 * size}xf32>, vector<{dims}xindex> -> {type}",
            f"{moved} = xetile.update_tile_offset {tile}, {indices} : {type}, vector<{dims}xindex>",
        ]
        result = self.add(shape, "f32", f"xetile.load {tile}, {mask} : {type}, vector<{dims}xi1> -> vector<{dims}xf32>")
        self.lines.append(f"xetile.store {result.name}, {moved}, {mask} : {result.type}, {type}, vector<{dims}xi1>")

    # Vectors

    def constant(self) -> None:
        like = self.pick()
        if like is not None:
            zero = "1" if like.element == "i32" else "1.0"
            self.add(like.shape, like.element, f"arith.constant dense<{zero}> : {like.type}")

    def dense(self) -> None:
        shape = (self.number(2, 8, 12), self.number(4, 16, 24))
        rows = (np.arange(shape[0] * shape[1]).reshape(shape) % 7).tolist()
        self.add(shape, "i32", f"arith.constant dense<{rows}> : vector<{shape[0]}x{shape[1]}xi32>")

    def elementwise(self) -> None:
        if (a := self.pick()) is not None and (b := self.pick(_like(a))) is not None:
            kind = "i" if a.element == "i32" else "f"
            op = self.draw(st.sampled_from([f"add{kind}", f"mul{kind}", {"i": "maxsi", "f": "maximumf"}[kind]]))
            self.add(a.shape, a.element, f"arith.{op} {a.name}, {b.name} : {a.type}")

    def cast(self) -> None:
        if (a := self.pick(lambda v: v.element in ("f16", "f32"))) is not None:
            element, op = ("f32", "extf") if a.element == "f16" else ("f16", "truncf")
            to = Vector("", a.shape, element).type
            self.add(a.shape, element, f"arith.{op} {a.name} : {a.type} to {to}")

    def choice(self) -> None:
        if (a := self.pick()) is not None and (b := self.pick(_like(a))) is not None:
            mask = self.name()
            bounds = ", ".join(["%c3", "%c5"][: len(a.shape)])
            type = Vector("", a.shape, "i1").type
            self.lines.append(f"{mask} = vector.create_mask {bounds} : {type}")
            self.add(a.shape, a.element, f"arith.select {mask}, {a.name}, {b.name} : {type}, {a.type}")

    def transpose(self) -> None:
        if (a := self.pick(_is_matrix)) is not None:
            shape = a.shape[::-1]
            op, arrow = self.draw(st.sampled_from([("xetile", "->"), ("vector", "to")]))
            type = Vector("", shape, a.element).type
            self.add(shape, a.element, f"{op}.transpose {a.name}, [1, 0] : {a.type} {arrow} {type}")

    def reduction(self) -> None:
        if (a := self.pick(_is_summable)) is not None:
            dims = self.draw(st.sampled_from([(0,), (1,), (0, 1)]))
            shape = tuple(1 if dim in dims else size for dim, size in enumerate(a.shape))
            kinds = ["add", "minsi"] if a.element == "i32" else ["add", "maximumf"]
            kind, type = self.draw(st.sampled_from(kinds)), Vector("", shape, a.element).type
            self.add(shape, a.element, f"xetile.reduction <{kind}>, {a.name} {list(dims)} : {a.type} -> {type}")

    def multi_reduction(self) -> None:
        if (a := self.pick(_is_summable)) is not None:
            dim, start = self.number(0, 1), self.name()
            left = Vector("", (a.shape[1 - dim],), a.element)
            one = "1" if a.element == "i32" else "1.0"
            self.lines.append(f"{start} = arith.constant dense<{one}> : {left.type}")
            text = f"vector.multi_reduction <add>, {a.name}, {start} [{dim}] : {a.type} to {left.type}"
            self.add(left.shape, a.element, text)

    def recast(self) -> None:
        """Dimensions of size 1 come and go."""
        if (a := self.pick()) is not None:
            size = max(a.shape)
            if len(a.shape) == 1 or min(a.shape) == 1:
                shape = self.draw(
                    st.sampled_from([shape for shape in ((size,), (1, size), (size, 1)) if shape != a.shape])
                )
            else:
                shape = (a.shape[0] * a.shape[1],)
            self.add(shape, a.element, _recast(a, shape))

    def slice(self) -> None:
        if (a := self.pick(_is_matrix)) is not None:
            start = [self.number(0, size // 3) for size in a.shape]
            shape = tuple(size - first for size, first in zip(a.shape, start, strict=True))
            box = f"{{offsets = {start}, sizes = {list(shape)}, strides = [1, 1]}}"
            to = Vector("", shape, a.element).type
            self.add(shape, a.element, f"vector.extract_strided_slice {a.name} {box} : {a.type} to {to}")

    def replace(self) -> None:
        """A part of one vector takes the place of a part of another one."""
        if (a := self.pick(_is_matrix)) is not None and (
            b := self.pick(lambda v: _is_matrix(v) and v.element == a.element and _fits(a, v))
        ) is not None:
            start = [self.number(0, whole - part) for part, whole in zip(a.shape, b.shape, strict=True)]
            text = f"{a.name}, {b.name} {{offsets = {start}, strides = [1, 1]}} : {a.type} into {b.type}"
            self.add(b.shape, b.element, f"vector.insert_strided_slice {text}")

    def broadcast(self) -> None:
        if (a := self.pick(lambda v: _is_matrix(v) and 1 in v.shape)) is not None:
            dim = a.shape.index(1)
            size = self.number(*ROWS) if dim == 0 else self.number(*COLUMNS)
            shape = (size, a.shape[1]) if dim == 0 else (a.shape[0], size)
            type = Vector("", shape, a.element).type
            self.add(shape, a.element, f"xetile.broadcast {a.name} [{dim}] : {a.type} -> {type}")

    def vector_broadcast(self) -> None:
        if (a := self.pick(lambda v: len(v.shape) == 1)) is not None:
            shape = (self.number(*ROWS), *a.shape)
            self.add(shape, a.element, f"vector.broadcast {a.name} : {a.type} to {Vector('', shape, a.element).type}")

    def product(self) -> None:
        """With a second operand of its own; the first is what there is, if it fits."""
        a = self.pick(lambda v: _is_matrix(v) and v.element == "f16" and v.shape[1] % 16 == 0)
        if a is None:
            return
        columns = self.number(16, 32, 48)
        tile, type, _ = self.tile((a.shape[1], columns), "f16")
        b = self.add(
            (a.shape[1], columns), "f16", f"xetile.load_tile {tile} : {type} -> vector<{a.shape[1]}x{columns}xf16>"
        )
        shape = (a.shape[0], columns)
        c = self.pick(lambda v: v.shape == shape and v.element == "f32")
        types, values = f"{a.type}, {b.type}", f"{a.name}, {b.name}"
        if c is not None:
            types, values = f"{types}, {c.type}", f"{values}, {c.name}"
        self.add(shape, "f32", f"xetile.tile_mma {values} : {types} -> {Vector('', shape, 'f32').type}")

    # Control flow

    def loop(self) -> None:
        """Carries a tile and a vector that is added to what the tile holds."""
        if (a := self.pick(_is_matrix)) is not None:
            tile, type, _ = self.tile(a.shape, a.element)
            loaded, total, moved, current, sum, last = (self.name() for _ in range(6))
            add = "addi" if a.element == "i32" else "addf"
            text = (
                f"scf.for %i{self.count} = %c0 to %c3 step %c1 iter_args({current} = {tile}, {sum} = {a.name}) "
                f"-> ({type}, {a.type}) {{\n"
                f"      {loaded} = xetile.load_tile {current} : {type} -> {a.type}\n"
                f"      {total} = arith.{add} {loaded}, {sum} : {a.type}\n"
                f"      {moved} = xetile.update_tile_offset {current}, [%c1, %c3] : {type}\n"
                f"      scf.yield {moved}, {total} : {type}, {a.type}\n    }}"
            )
            vector = Vector(self.name(), a.shape, a.element)
            self.lines.append(f"{last}, {vector.name} = {text}")
            self.vectors.append(vector)

    def branch(self) -> None:
        if (a := self.pick()) is not None and (b := self.pick(_like(a))) is not None:
            condition, number = self.name(), self.draw(st.sampled_from(["%c1", "%c3"]))
            self.lines.append(f"{condition} = arith.cmpi slt, {number}, %c3 : index")
            text = (
                f"scf.if {condition} -> ({a.type}) {{\n      scf.yield {a.name} : {a.type}\n    }} else {{\n"
                f"      scf.yield {b.name} : {a.type}\n    }}"
            )
            self.add(a.shape, a.element, text)

    def while_loop(self) -> None:
        if (a := self.pick()) is not None:
            before, count, after, next, condition, sum = (self.name() for _ in range(6))
            add = "addi" if a.element == "i32" else "addf"
            vector, number = Vector(self.name(), a.shape, a.element), self.name()
            self.lines.append(
                f"{number}, {vector.name} = scf.while ({count} = %c0, {before} = {a.name}) : (index, {a.type}) -> "
                f"(index, {a.type}) {{\n"
                f"      {condition} = arith.cmpi slt, {count}, %c3 : index\n"
                f"      scf.condition({condition}) {count}, {before} : index, {a.type}\n    }} do {{\n"
                f"    ^bb0({next}: index, {after}: {a.type}):\n"
                f"      {sum} = arith.{add} {after}, {a.name} : {a.type}\n"
                f"      {next}n = arith.addi {next}, %c1 : index\n"
                f"      scf.yield {next}n, {sum} : index, {a.type}\n    }}"
            )
            self.vectors.append(vector)


def _is_matrix(vector: Vector) -> bool:
    return len(vector.shape) == 2


def _is_summable(vector: Vector) -> bool:
    """Returns whether sums are exact, in any order."""
    return _is_matrix(vector) and vector.element != "f16"


def _fits(part: Vector, whole: Vector) -> bool:
    return all(a <= b for a, b in zip(part.shape, whole.shape, strict=True))


def _like(vector: Vector) -> Callable[[Vector], bool]:
    return lambda other: other.type == vector.type


def _recast(vector: Vector, shape: tuple[int, ...]) -> str:
    return f"vector.shape_cast {vector.name} : {vector.type} to {Vector('', shape, vector.element).type}"


STEPS = (
    TileProgram.load,
    TileProgram.gather,
    TileProgram.constant,
    TileProgram.dense,
    TileProgram.elementwise,
    TileProgram.cast,
    TileProgram.choice,
    TileProgram.transpose,
    TileProgram.reduction,
    TileProgram.multi_reduction,
    TileProgram.recast,
    TileProgram.slice,
    TileProgram.replace,
    TileProgram.broadcast,
    TileProgram.vector_broadcast,
    TileProgram.product,
    TileProgram.loop,
    TileProgram.branch,
    TileProgram.while_loop,
)


@dataclass(frozen=True)
class TileKernel:
    """A kernel, and what its memory holds before it runs."""

    text: str
    memories: list[Array]
    types: list[str]
    """Of the arguments, which are memrefs; some are column-major."""

    def on_machine(self) -> list[Array]:
        """The memory in the types of the machine, in the order in which it lies there."""
        return [
            np.ascontiguousarray(_lying(memory, type).astype(DTYPES[_element(type)]))
            for memory, type in zip(self.memories, self.types, strict=True)
        ]

    def from_machine(self, memories: Sequence[Array]) -> list[Array]:
        """The memory as the kernel sees it."""
        return [_lying(memory, type) for memory, type in zip(memories, self.types, strict=True)]


def _element(memref: str) -> str:
    return memref.partition(",")[0].strip("<>").rpartition("x")[2]


def _lying(memory: Array, memref: str) -> Array:
    return memory.T if "strided" in memref else memory


@st.composite
def tile_kernels(draw: st.DrawFn, steps: int = 8) -> TileKernel:
    """Kernels that start with a load."""
    program = TileProgram(draw)
    program.load()
    for step in draw(st.lists(st.sampled_from(STEPS), max_size=steps)):
        step(program)
    text = program.text()
    return TileKernel(text, program.memories, [argument.partition(": ")[2] for argument in program.arguments])
