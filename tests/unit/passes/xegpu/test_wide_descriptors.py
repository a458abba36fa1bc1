"""Descriptors of more addresses than a message has, and of numbers of them that none has."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, run


class Case(NamedTuple):
    """Addresses, consecutive elements at each, and their type."""

    count: int
    chunk: int
    element: str

    @property
    def size(self) -> int:
        return self.count * self.chunk

    @property
    def dims(self) -> str:
        return f"{self.count}x{self.chunk}x" if self.chunk > 1 else f"{self.count}x"

    @property
    def vector(self) -> str:
        return f"vector<{self.dims}{self.element}>"

    def descriptor(self, layout: str = "") -> str:
        chunks = f"chunk_size = {self.chunk}" if self.chunk > 1 else ""
        return f"!xegpu.tensor_desc<{self.dims}{self.element}, #xegpu.scatter_tdesc_attr<{chunks}>{layout}>"

    def memref(self) -> str:
        return f"memref<{self.size}x{self.element}>"


CASES = [
    Case(24, 1, "f32"),
    Case(64, 1, "f32"),
    Case(48, 2, "f32"),
    Case(16, 16, "f32"),
    Case(32, 4, "i64"),
    Case(100, 1, "i8"),
    Case(64, 4, "f16"),
]


def _places(case: Case) -> str:
    """Descriptors of both buffers, moved there and back, and a mask of all of their addresses but the last."""
    descriptors = "\n".join(
        f"""
        %t{name} = xegpu.create_tdesc %{name}, %o
            : {case.memref()}, vector<{case.count}xindex> -> {case.descriptor()}
        %u{name} = xegpu.update_offset %t{name}, %one : {case.descriptor()}, vector<{case.count}xindex>
        %d{name} = xegpu.update_offset %u{name}, %back : {case.descriptor()}, vector<{case.count}xindex>"""
        for name in "xy"
    )
    return f"""
    %s = vector.step : vector<{case.count}xindex>
    %c = arith.constant dense<{case.chunk}> : vector<{case.count}xindex>
    %o = arith.muli %s, %c : vector<{case.count}xindex>
    %one = arith.constant dense<1> : vector<{case.count}xindex>
    %back = arith.constant dense<-1> : vector<{case.count}xindex>
    %last = arith.constant dense<{case.count - 1}> : vector<{case.count}xindex>
    %k = arith.cmpi ult, %s, %last : vector<{case.count}xindex>
    {descriptors}
    """


def _launch(case: Case, body: str, x: Array, y: Array, subgroups: int = 1) -> Array:
    size = 16 * subgroups
    arguments = f"%x: {case.memref()}, %y: {case.memref()}"
    attributes = f"known_block_size = array<i32: {size}, 1, 1>, intel_reqd_sub_group_size = 16 : i32"
    return run(compile_one(kernel_text(arguments, body, attributes)), x, y, local=(size, 1, 1))[-1]


def _numbers(case: Case, seed: int) -> Array:
    return np.random.default_rng(seed).integers(0, 50, case.size).astype(DTYPES[case.element])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_loads_and_stores(case: Case) -> None:
    body = f"""{_places(case)}
    xegpu.prefetch %dx : {case.descriptor()}
    %v = xegpu.load %dx, %k : {case.descriptor()}, vector<{case.count}xi1> -> {case.vector}
    xegpu.store %v, %dy, %k : {case.vector}, {case.descriptor()}, vector<{case.count}xi1>
    """
    x = _numbers(case, 1)
    want = np.where(np.arange(case.size) < (case.count - 1) * case.chunk, x, 0)
    np.testing.assert_array_equal(_launch(case, body, x, np.zeros_like(x)), want)


@pytest.mark.parametrize("case", [Case(24, 1, "f32"), Case(100, 1, "i32"), Case(40, 2, "i64")], ids=str)
def test_atomics(case: Case) -> None:
    kind = "addf" if case.element[0] == "f" else "addi"
    body = f"""{_places(case)}
    %all = arith.constant dense<true> : vector<{case.count}xi1>
    %v = xegpu.load %dx, %all : {case.descriptor()}, vector<{case.count}xi1> -> {case.vector}
    %old = xegpu.atomic_rmw {kind} %dy, %k, %v
        : {case.descriptor()}, vector<{case.count}xi1>, {case.vector} -> {case.vector}
    xegpu.store %old, %dx, %k : {case.vector}, {case.descriptor()}, vector<{case.count}xi1>
    """
    x, y = _numbers(case, 1), _numbers(case, 2)
    want = np.where(np.arange(case.size) < (case.count - 1) * case.chunk, x + y, y)
    np.testing.assert_array_equal(_launch(case, body, x, y), want)


@pytest.mark.parametrize("where", ["operation", "type"])
@pytest.mark.parametrize("count", [64, 256])
def test_subgroups_share_them(where: str, count: int) -> None:
    """The layout stands at the atomic alone, or in the type of the descriptor; each address is updated once."""
    case = Case(count, 1, "f32")
    layout = f"#xegpu.layout<sg_layout = [4], sg_data = [{count // 4}]>"
    own, type_ = (f" {{layout = {layout}}}", "") if where == "operation" else ("", f", {layout}")
    body = f"""
    %t = xegpu.create_nd_tdesc %x : {case.memref()} -> !xegpu.tensor_desc<{count}xf32>
    %v = xegpu.load_nd %t[0] <{{layout = {layout}}}> : !xegpu.tensor_desc<{count}xf32> -> {case.vector}
    %o = vector.step : vector<{count}xindex>
    %k = arith.constant dense<true> : vector<{count}xi1>
    %d = xegpu.create_tdesc %y, %o : {case.memref()}, vector<{count}xindex> -> {case.descriptor(type_)}
    %old = xegpu.atomic_rmw addf %d, %k, %v{own}
        : {case.descriptor(type_)}, vector<{count}xi1>, {case.vector} -> {case.vector}
    """
    x, y = _numbers(case, 3), _numbers(case, 4)
    np.testing.assert_array_equal(_launch(case, body, x, y, subgroups=4), x + y)
