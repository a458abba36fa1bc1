"""Builtin functions have one home: a body in LLVM IR, or a function that imports calls of them."""

from __future__ import annotations

import re
from itertools import product

import pytest

from passes.frontends.builtins import BUILTINS, Lowering
from passes.frontends.builtins.bodies import WRITERS
from passes.frontends.llvm import import_kernels
from passes.frontends.llvm.importer.calls import BUILTINS as IMPORTED, PATTERNS
from xegpu.diagnostics import CompileError

WITH_BODY = {row.name for row in BUILTINS.values() if row.lowering is Lowering.BODY}


def is_imported(name: str) -> bool:
    return name in IMPORTED or any(pattern.fullmatch(name) for pattern in PATTERNS)


def test_what_has_a_body_is_not_imported_as_well() -> None:
    """Symbols may have a number of components and a rounding mode behind the name of the row."""
    endings = ["".join(parts) for parts in product(("", "2", "3", "4", "8", "16"), ("", "_rte", "_rtz"))]
    aliases = {name.replace("atomic_", "atom_") for name in WITH_BODY}
    assert [name + end for name in sorted(WITH_BODY | aliases) for end in endings if is_imported(name + end)] == []


def test_rows_with_bodies_are_those_that_something_writes() -> None:
    assert set(WRITERS) == WITH_BODY


@pytest.mark.parametrize("name", ["exp", "isnan", "convert_int4_sat_rte", "__spirv_ControlBarrier"])
def test_the_tables_are_full(name: str) -> None:
    """An empty table would have no function twice."""
    assert is_imported(name)


BLOCK = "_Z29intel_sub_group_block_read_uiPU3AS1Kj"


@pytest.mark.parametrize(
    ("symbol", "result", "types", "message"),
    [
        ("_Z5ldexpff", "float", ("float", "float"), "computes with f32 as with integers"),
        ("_Z5ilogbf", "float", ("float",), "computes with f32 as with integers"),
        ("_Z11convert_intPi", "i32", ("ptr addrspace(1)",), "computes with !llvm.ptr<1> as with integers"),
        ("_Z9nextaftereff", "float", ("float", "float", "float"), "with 3 arguments, which 'nextafter' does not take"),
        ("_Z33__spirv_BuiltInGlobalInvocationIdi", "i64", (), "with 0 arguments, which '__spirv_BuiltInGlobal"),
        ("_Z36intel_sub_group_media_block_write_uc", "i32", ("float",), "with 1 arguments: expected"),
        (BLOCK, "ptr addrspace(1)", ("ptr addrspace(1)",), "elements of type !llvm.ptr<1>: expected numbers"),
    ],
)
def test_calls_with_other_types_are_refused(symbol: str, result: str, types: tuple[str, ...], message: str) -> None:
    """A module may declare a builtin function with any types."""
    values = {"float": "%f", "ptr addrspace(1)": "%p"}
    text = f"""target triple = "spir64-unknown-unknown"
declare {result} @{symbol}({", ".join(types)})
define spir_kernel void @k(ptr addrspace(1) %p, float %f) {{
  %r = call {result} @{symbol}({", ".join(f"{type} {values[type]}" for type in types)})
  store {result} %r, ptr addrspace(1) %p
  ret void
}}
"""
    with pytest.raises(CompileError, match=re.escape(message)):
        import_kernels(text)


def test_an_intrinsic_has_its_own_number_of_arguments() -> None:
    """`llvm.abs` takes what becomes of the least number, the function `abs` does not."""
    text = """target triple = "spir64-unknown-unknown"
declare i32 @llvm.abs.i32(i32, i1)
define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) {
  %r = call i32 @llvm.abs.i32(i32 %x, i1 false)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
"""
    assert "math.absi" in {op.name for op in import_kernels(text).walk()}
