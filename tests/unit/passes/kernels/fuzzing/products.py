"""Draws products of matrices, for subgroups and for work-items that each have a fragment."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tests.unit.passes.kernels.fuzzing.operations import RESULTS, Operations
from tests.unit.passes.kernels.fuzzing.program import EXTENT, Operation, State, Statement
from tests.unit.passes.kernels.fuzzing.values import SMALL, Type, Variable, signed
from tests.unit.passes.kernels.harness import Array


class Products(Operations):
    """Draws products of the values in scope as well."""

    def kinds(self) -> list[Callable[[], list[Statement]]]:
        multiplies = self.multiplies and self.uniform
        return super().kinds() + ([self._product] * 5 if multiplies else [])

    def _product(self) -> list[Statement]:
        """Multiplies whole matrices or fragments, with whatever values there are of these types."""
        rows, n, k, factor = self.rows, self.target.platform.subgroup_size, self.depth, self.factor
        if self.fragments:
            a_type, b_type = Type(self.matrix, (rows, k // n)), Type(self.matrix, (k // factor, factor))
            c_type = Type(RESULTS[self.matrix], (rows, 1))
        else:
            a_type, b_type = Type(self.matrix, (rows, k)), Type(self.matrix, (k, n))
            c_type = Type(RESULTS[self.matrix], (rows, n))
        (a, first), (b, second) = self._factor_of(a_type, "a"), self._factor_of(b_type, "b")
        c, third = self.value(c_type, bound=2.0**20)
        bound = k * SMALL**2 + c.bound
        maps = ""
        if self.fragments:
            map_a, map_b = {1: "plain", 2: "a2", 4: "a4"}[k // n], {2: "two", 4: "four"}[factor]
            maps = f" {{sg_map_a = #{map_a}, sg_map_b = #{map_b}, sg_map_c = #plain}}"
        start, operands = (f", {c}", (a, b, c)) if self.rng.random() < 0.8 else ("", (a, b))
        types = ", ".join(str(v.type) for v in operands)
        source = f"{{r}} = xegpu.dpas {a}, {b}{start}{maps} : {types} -> {c_type}"
        if self.fragments and self.upstream:
            source = _product_of_lanes(operands, c_type)
        compute = self._multiplied_fragments if self.fragments else _multiplied
        made = self.computed(c_type, source, operands, compute, bound)
        return [*first, *second, *third, made]

    def _factor_of(self, type: Type, side: str) -> tuple[Variable, list[Statement]]:
        if self.fragments and self.rng.random() < 0.6:
            loaded = self._load_fragment(type, side)
            return loaded.result, [loaded]
        return self.value(type, bound=SMALL)

    def _load_fragment(self, type: Type, side: str) -> Operation:
        n, k, factor = self.lanes, self.depth, self.factor
        height, width = (self.rows, k) if side == "a" else (k, n)
        name = {"a": {1: "plain", 2: "a2", 4: "a4"}[k // n], "b": {2: "two", 4: "four"}[factor]}[side]
        clause = "" if self.upstream else f", #{name}"
        descriptor = f"!xegpu.tensor_desc<{height}x{width}x{type.element}{clause}>"
        buffer, memref = f"%in_{type.element}", f"memref<{EXTENT}x{EXTENT}x{type.element}>"
        result = self.fresh(type, False, SMALL)
        self.scope.append(result)
        packed = " <{packed}>" if side == "b" else ""
        created, offsets = self.placed("%zero, %zero")
        source = f"{result}_t = xegpu.create_nd_tdesc {buffer}{created} : {memref} -> {descriptor}\n"
        load = f"xegpu.load_nd {result}_t{offsets}{packed} : {descriptor} -> "
        if self.upstream:
            flat = type.shaped(type.count)
            source += f"{result}_v = {load}{flat}\n{result} = vector.shape_cast {result}_v : {flat} to {type}"
        else:
            source += f"{result} = {load}{type}"

        def compute(state: State, _: Sequence[Array]) -> Array:
            whole = state.buffers[buffer[1:]][:height, :width]
            if side == "a":
                each = whole.reshape(height, n, width // n).swapaxes(0, 1)
            else:
                each = whole.reshape(height // factor, factor, n).transpose(2, 0, 1)
            return np.concatenate([each] * (state.items // n))

        return Operation(result, source, (), compute)

    def _multiplied_fragments(self, a: Array, b: Array, c: Array | None = None) -> Array:
        groups = len(a) // self.lanes
        a = a.reshape(groups, self.lanes, *a.shape[1:]).swapaxes(1, 2).reshape(groups, self.rows, -1)
        b = b.reshape(groups, self.lanes, *b.shape[1:]).transpose(0, 2, 3, 1).reshape(groups, -1, self.lanes)
        product = _multiplied(a, b).swapaxes(1, 2).reshape(-1, self.rows, 1)
        return product if c is None else product + c


def _product_of_lanes(operands: Sequence[Variable], to: Type) -> str:
    """Returns a product of fragments as vectors of one dimension, which LLVM 22 wants them to be."""
    source, flat = "", [v.type.shaped(v.type.count) for v in operands]
    for number, (operand, type) in enumerate(zip(operands, flat, strict=True)):
        source += f"{{r}}_{number} = vector.shape_cast {operand} : {operand.type} to {type}\n"
    names, types = ", ".join(f"{{r}}_{n}" for n in range(len(flat))), ", ".join(map(str, flat))
    result = to.shaped(to.count)
    source += f"{{r}}_v = xegpu.dpas {names} : {types} -> {result}\n"
    return source + f"{{r}} = vector.shape_cast {{r}}_v : {result} to {to}"


def _multiplied(a: Array, b: Array, c: Array | None = None) -> Array:
    """Returns products of small integers, which are exact."""
    if a.dtype.kind == "u":
        product = (signed(a).astype(np.int64) @ signed(b).astype(np.int64)).astype(np.int32).view(np.uint32)
    else:
        product = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
    return product if c is None else product + c
