"""Kernels with one loop, of many kinds, for tests of what passes make of loops."""

from __future__ import annotations

from dataclasses import dataclass

LENGTH = 16
"""Elements of a row; the kernels take `in`: f32 of ROWS x LENGTH, `out`: the same, and three bounds."""
ROWS = 64


@dataclass(frozen=True)
class LoopKernel:
    """A loop over rows of `in` that folds them, in an order that the result shows.

    Bounds are constants, or kernel arguments if `dynamic`. Rows are loaded by what `access` names: a descriptor that
    the loop carries, one that it makes, a vector load, or a gather. `stores` writes each turn's sum, to `in` (which
    later turns load) or to `out`; `barrier` waits; `condition` computes only in some turns; `late` uses what the loop
    carries behind it; `counter` is the type that the loop counts with.
    """

    lower: int = 0
    upper: int = 7
    step: int = 1
    dynamic: bool = False
    access: str = "carried"
    stores: str = "none"
    barrier: bool = False
    condition: bool = False
    late: bool = False
    counter: str = "index"

    def text(self) -> str:
        """The module, with one kernel `k(in, out, lower, upper)`."""
        return "gpu.module @m {\n" + "\n".join(self._lines()) + "\n}\n"

    def _lines(self) -> list[str]:
        memref, row = f"memref<{ROWS}x{LENGTH}xf32>", f"vector<1x{LENGTH}xf32>"
        desc, count = f"!xegpu.tensor_desc<1x{LENGTH}xf32>", self.counter
        lines = [
            f"gpu.func @k(%in: {memref}, %out: {memref}, %from: {count}, %to: {count}) kernel",
            "    attributes {VectorComputeFunctionINTEL} {",
            "  %c0 = arith.constant 0 : index",
            "  %c2 = arith.constant 2 : index",
            f"  %zero = arith.constant dense<1.0> : {row}",
            f"  %scale = arith.constant dense<1.25> : {row}",
            f"  %step = arith.constant {self.step} : {count}",
            f"  %lower = arith.constant {self.lower} : {count}",
            f"  %upper = arith.constant {self.upper} : {count}",
        ]
        bounds = "%from to %to" if self.dynamic else "%lower to %upper"
        start = self._index(lines, "first", "%from" if self.dynamic else "%lower")
        lines.append(f"  %t = xegpu.create_nd_tdesc %in[{start}, 0] : {memref} -> {desc}")
        lines.append(f"  %r:3 = scf.for %k = {bounds} step %step iter_args(%a = %zero, %d = %t, %n = %c0)")
        lines.append(
            f"      -> ({row}, {desc}, index) : {count} {{"
            if count != "index"
            else f"      -> ({row}, {desc}, index) {{"
        )
        at = self._index(lines, "at", "%k")
        lines += self._load(at, memref, desc, row)
        lines.append(f"    %p = arith.mulf %a, %scale : {row}")
        if self.condition:
            lines += [
                f"    %even = arith.remui {at}, %c2 : index",
                "    %is_even = arith.cmpi eq, %even, %c0 : index",
                f"    %s = scf.if %is_even -> ({row}) {{",
                f"      %y = arith.addf %p, %v : {row}",
                f"      scf.yield %y : {row}",
                f"    }} else {{ scf.yield %v : {row} }}",
            ]
        else:
            lines.append(f"    %s = arith.addf %p, %v : {row}")
        if self.barrier:
            lines.append("    gpu.barrier")
        if self.stores != "none":
            lines.append(f"    %o = xegpu.create_nd_tdesc %{self.stores}[{at}, 0] : {memref} -> {desc}")
            lines.append(f"    xegpu.store_nd %s, %o : {row}, {desc}")
        lines += [
            f"    %e = xegpu.update_nd_offset %d, [{self.step}, 0] : {desc}",
            f"    %m = arith.addi %n, {at} : index",
            f"    scf.yield %s, %e, %m : {row}, {desc}, index",
            "  }",
            f"  %o = xegpu.create_nd_tdesc %out[{ROWS - 1}, 0] : {memref} -> {desc}",
            f"  xegpu.store_nd %r#0, %o : {row}, {desc}",
        ]
        if self.late:
            lines += [
                f"  %w = xegpu.load_nd %r#1 : {desc} -> {row}",
                "  %sum = arith.index_cast %r#2 : index to i32",
                "  %number = arith.sitofp %sum : i32 to f32",
                f"  %many = vector.broadcast %number : f32 to {row}",
                f"  %x = arith.addf %w, %many : {row}",
                f"  %q = xegpu.create_nd_tdesc %out[{ROWS - 2}, 0] : {memref} -> {desc}",
                f"  xegpu.store_nd %x, %q : {row}, {desc}",
            ]
        return [*lines, "  gpu.return", "}"]

    def _index(self, lines: list[str], name: str, value: str) -> str:
        """The value as an index."""
        if self.counter == "index":
            return value
        lines.append(f"    %{name} = arith.index_cast {value} : {self.counter} to index")
        return f"%{name}"

    def _load(self, at: str, memref: str, desc: str, row: str) -> list[str]:
        match self.access:
            case "carried":
                return [f"    %v = xegpu.load_nd %d : {desc} -> {row}"]
            case "made":
                return [
                    f"    %h = xegpu.create_nd_tdesc %in[{at}, 0] : {memref} -> {desc}",
                    f"    %v = xegpu.load_nd %h : {desc} -> {row}",
                ]
            case "vector":
                return [f"    %v = vector.load %in[{at}, %c0] : {memref}, {row}"]
            case _:
                flat = f"memref<{ROWS * LENGTH}xf32>"
                return [
                    f"    %f = memref.collapse_shape %in [[0, 1]] : {memref} into {flat}",
                    f"    %w0 = arith.constant {LENGTH} : index",
                    f"    %b0 = arith.muli {at}, %w0 : index",
                    f"    %l = vector.step : vector<{LENGTH}xindex>",
                    f"    %b = vector.broadcast %b0 : index to vector<{LENGTH}xindex>",
                    f"    %i = arith.addi %l, %b : vector<{LENGTH}xindex>",
                    f"    %ones = arith.constant dense<true> : vector<{LENGTH}xi1>",
                    f"    %pass = arith.constant dense<0.0> : vector<{LENGTH}xf32>",
                    f"    %g = vector.gather %f[%c0] [%i], %ones, %pass : {flat}, vector<{LENGTH}xindex>, "
                    f"vector<{LENGTH}xi1>, vector<{LENGTH}xf32> into vector<{LENGTH}xf32>",
                    f"    %v = vector.shape_cast %g : vector<{LENGTH}xf32> to {row}",
                ]
