"""The fragments that lanes hold after distribution: as the pass claims, and as the simulator's registers show."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, VectorType
from xdsl.dialects.gpu import LaneIdOp
from xdsl.dialects.memref import StoreOp
from xdsl.ir import SSAValue

from passes.support.fragments import Assignment
from passes.support.op_builder import OpBuilder
from passes.xegpu.distribute_sg_map import XegpuDistributeSgMapPass
from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, run
from tests.unit.xegpu.dialects.support import context, parse
from xegpu.dialects.upstream.gpu.kernel import FuncOp
from xegpu.dialects.upstream.vector.slices import ExtractOp
from xegpu.targets import PVC, Target


def sg_map(layout: tuple[int, int], data: tuple[int, int] = (1, 1)) -> str:
    """The text of a map."""
    return f"#xegpu.sg_map<wi_layout = {list(layout)}, wi_data = {list(data)}>"


@dataclass(frozen=True)
class Tile:
    """A tile of a buffer of its own size, and the map of the descriptor that it is accessed through."""

    shape: tuple[int, ...]
    element: str
    map: str | None = None

    @property
    def memref(self) -> str:
        return f"memref<{self._sizes}x{self.element}>"

    @property
    def vector(self) -> str:
        return f"vector<{self._sizes}x{self.element}>"

    @property
    def descriptor(self) -> str:
        return f"!xegpu.tensor_desc<{self._sizes}x{self.element}{f', {self.map}' if self.map else ''}>"

    @property
    def _sizes(self) -> str:
        return "x".join(map(str, self.shape))

    def described(self, name: str, buffer: str) -> str:
        """The operation that describes all of a buffer."""
        zeros = ", ".join("0" for _ in self.shape)
        return f"%{name} = xegpu.create_nd_tdesc %{buffer}[{zeros}] : {self.memref} -> {self.descriptor}"


def tile_kernel(source: Tile, body: str, result: Tile, mode: str = "") -> str:
    """Loads `%v` through one map, computes `%w` in `body`, and stores it through another map."""
    return kernel_text(
        f"%m: {source.memref}, %o: {result.memref}",
        f"{source.described('tm', 'm')}\n{result.described('to', 'o')}\n"
        f"%v = xegpu.load_nd %tm : {source.descriptor} -> {source.vector}\n{body}\n"
        f"xegpu.store_nd %w, %to : {result.vector}, {result.descriptor}",
        mode,
    )


def blocked_kernel(source: Tile, body: str, result: Tile) -> str:
    """The same with tiles of XeTile, which `xetile-blocking` cuts into blocks."""

    def tile(described: Tile) -> str:
        return described.vector.replace("vector<", "!xetile.tile<")

    return kernel_text(
        f"%m: {source.memref}, %o: {result.memref}",
        f"%tm = xetile.init_tile %m[0, 0] : {source.memref} -> {tile(source)}\n"
        f"%to = xetile.init_tile %o[0, 0] : {result.memref} -> {tile(result)}\n"
        f"%v = xetile.load_tile %tm : {tile(source)} -> {source.vector}\n{body}\n"
        f"xetile.store_tile %w, %to : {result.vector}, {tile(result)}",
    )


def held(text: str, name: str, whole: Array, *arguments: Array, target: Target = PVC) -> tuple[Array, Array]:
    """Returns the fragments of the value called `name` that follow from the pass's claim, and those that lanes have.

    `whole` is the value; the kernel takes `arguments` and gets another one, where each lane stores its fragment.
    """
    module = parse(text)
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    (ownership,) = (o for v, o in Assignment(function, target).owned.items() if v.name_hint == name)
    XegpuDistributeSgMapPass(target.name).apply(context(), module)
    fragment = _value(function, name, ownership.shape)
    _store(function, fragment)
    expected = whole.ravel()[ownership.elements]
    result = run(
        compile_one(str(module), target), *arguments, np.zeros_like(expected), target=target, engines=("interpreter",)
    )[-1]
    return expected, result


def _value(function: FuncOp, name: str, shape: tuple[int, ...]) -> SSAValue:
    found = [
        value
        for op in function.walk()
        for value in op.results
        if value.name_hint == name and isinstance(value.type, VectorType) and tuple(value.type.get_shape()) == shape
    ]
    return found[-1]


def _store(function: FuncOp, fragment: SSAValue) -> None:
    """Lets each lane store its fragment to the last argument, as `[lane, place]`."""
    end = function.body.blocks[-1].last_op
    assert end is not None
    build, type = OpBuilder(end), fragment.type
    assert isinstance(type, VectorType)
    out, lane = function.body.blocks[0].args[-1], build.add(LaneIdOp.create(result_types=[IndexType()]))
    for place, position in enumerate(np.ndindex(*type.get_shape())):
        element = build.add(ExtractOp(fragment, list(position)))
        number = build.add(ConstantOp(IntegerAttr(place, IndexType())))
        build.insert(StoreOp.get(element, out, [lane, number]))


def with_output(text: str, lanes: int, places: int, element: str) -> str:
    """The kernel with one more argument, for `held`."""
    return text.replace(") kernel", f", %held: memref<{lanes}x{places}x{element}>) kernel")


def numbers(shape: tuple[int, ...], element: str) -> Array:
    """Small whole numbers, no two neighbours alike: every operation on them is exact."""
    values = (np.arange(prod(shape)) * 7 + np.arange(prod(shape)) // 16) % 23 - 11
    if element.startswith("ui"):
        values = np.abs(values)
    return values.reshape(shape).astype(DTYPES[element])
