"""Places and sizes of a launch, and facts about the device."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from passes.frontends.mux import BUILTINS, BuiltinKind
from tests.unit.passes.frontends.mux.harness import LANES, Array, KernelText, both_engines, launched

GROUPS, LOCAL = (2, 3, 2), (5, 4, 2)
SIZE = tuple(group * local for group, local in zip(GROUPS, LOCAL, strict=True))
Z, Y, X = np.indices(SIZE[::-1]).reshape(3, -1)
IDS = (X, Y, Z)
NUMBER = X % LOCAL[0] + LOCAL[0] * (Y % LOCAL[1] + LOCAL[1] * (Z % LOCAL[2]))
ITEMS = int(np.prod(LOCAL))
FULL, LEFT = divmod(ITEMS, LANES)

BY_DIMENSION: dict[str, tuple[Callable[[int], Array | int], int]] = {
    "get_global_id": (lambda d: IDS[d], 0),
    "get_global_size": (lambda d: SIZE[d], 1),
    "get_global_offset": (lambda d: 0, 0),
    "get_local_id": (lambda d: IDS[d] % LOCAL[d], 0),
    "get_local_size": (lambda d: LOCAL[d], 1),
    "get_enqueued_local_size": (lambda d: LOCAL[d], 1),
    "get_group_id": (lambda d: IDS[d] // LOCAL[d], 0),
    "get_num_groups": (lambda d: GROUPS[d], 1),
}
"""The values of builtins for a dimension, and for one that does not exist."""
WHOLE: dict[str, Array | int] = {
    "get_global_linear_id": X + SIZE[0] * (Y + SIZE[1] * Z),
    "get_local_linear_id": NUMBER,
    "get_work_dim": 3,
    "get_sub_group_id": NUMBER // LANES,
    "get_num_sub_groups": FULL + bool(LEFT),
    "get_max_sub_group_size": LANES,
    "get_sub_group_size": np.where(NUMBER // LANES < FULL, LANES, LEFT),
    "get_sub_group_local_id": NUMBER % LANES,
    "isftz": 0,
    "usefast": 0,
    "isembeddedprofile": 0,
}


def test_every_query_is_tested() -> None:
    kinds = (BuiltinKind.QUERY, BuiltinKind.DEVICE)
    names = {row.base for row in BUILTINS.values() if row.kind in kinds}
    assert names == set(BY_DIMENSION) | set(WHOLE)


@both_engines
@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("computed", [False, True])
@pytest.mark.parametrize("dimension", range(4))
def test_queries_of_dimensions(dimension: int, computed: bool, engine: str) -> None:
    """Dimensions are constants or numbers that the kernel computes, also beyond the third."""
    kernel = KernelText()
    asked = str(dimension)
    if computed:
        size = kernel.op("trunc i64 %size0 to i32")
        asked = kernel.op(f"add i32 {size}, {dimension - SIZE[0]}")
    wanted = []
    for name, (value, beyond) in BY_DIMENSION.items():
        kernel.store("i64", kernel.call(BUILTINS[f"__mux_{name}"], f"i32 {asked}"))
        wanted.append((name, value(dimension) if dimension < 3 else beyond))
    compared(kernel, engine, wanted)


@both_engines
def test_queries(engine: str) -> None:
    kernel = KernelText()
    for name in WHOLE:
        row = BUILTINS[f"__mux_{name}"]
        result = kernel.call(row)
        kernel.store("i64", result if row.result == "i64" else kernel.op(f"zext {row.result} {result} to i64"))
    compared(kernel, engine, list(WHOLE.items()))


def compared(kernel: KernelText, engine: str, wanted: list[tuple[str, Array | int]]) -> None:
    """Runs a kernel and compares its rows."""
    out = np.full((len(wanted), len(X)), -1, np.int64)
    launched(kernel.text(), engine, GROUPS, LOCAL, np.zeros(1, np.int8), out)
    for (name, value), found in zip(wanted, out, strict=True):
        np.testing.assert_array_equal(found, np.broadcast_to(value, found.shape), err_msg=name)


@pytest.mark.parametrize("lanes", [16, 32])
def test_sub_groups_have_the_size_that_metadata_require(lanes: int) -> None:
    kernel = KernelText()
    for name in ("get_max_sub_group_size", "get_sub_group_id", "get_sub_group_local_id"):
        kernel.store("i32", kernel.call(BUILTINS[f"__mux_{name}"]))
    text = kernel.text(metadata="!intel_reqd_sub_group_size !0") + f"!0 = !{{i32 {lanes}}}\n"
    out = np.zeros((3, 64), np.int32)
    launched(text, "jit", (1,), (64,), np.zeros(1, np.int8), out)
    numbers = np.arange(64)
    np.testing.assert_array_equal(out, [np.full(64, lanes), numbers // lanes, numbers % lanes])
