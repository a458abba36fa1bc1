"""Barriers, fences and atomic accesses of the intermediate representation."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.llvm import import_kernels
from passes.frontends.mux import BUILTINS, MuxIrError, define_builtins
from tests.unit.passes.frontends.mux.harness import (
    DTYPES,
    LANES,
    KernelText,
    both_engines,
    launched,
    values_of,
)

ITEMS = 40
ORDERINGS = {0x0: None, 0x2: "acquire", 0x4: "release", 0x8: "acq_rel", 0x10: "seq_cst"}
CROSS_DEVICE, DEVICE, WORK_GROUP, SUB_GROUP, WORK_ITEM = range(5)
SUB_GROUP_MEMORY, WORK_GROUP_MEMORY, CROSS_WORK_GROUP_MEMORY = 0x80, 0x100, 0x200


@both_engines
def test_barriers_let_work_items_see_what_others_wrote(engine: str) -> None:
    """Values go through local memory to the mirrored work-item of the work-group, then of the sub-group."""
    kernel = KernelText()
    value = kernel.load("i32")
    local = kernel.op("trunc i64 %number to i32")
    for number, (group, size) in enumerate((("work", ITEMS), ("sub", LANES))):
        own = kernel.op(f"urem i32 {local}, {ITEMS}")
        lane = kernel.op(f"urem i32 {own}, {size}")
        start = kernel.op(f"sub i32 {own}, {lane}")
        mirrored = kernel.op(f"xor i32 {lane}, 1")
        other = kernel.op(f"add i32 {start}, {mirrored}")
        place = kernel.op(f"getelementptr i32, ptr addrspace(3) @memory, i32 {own}")
        kernel.lines.append(f"  store i32 {value}, ptr addrspace(3) {place}")
        arguments = [f"i32 {each}" for each in (number, WORK_GROUP, 0x10 | WORK_GROUP_MEMORY)]
        kernel.call(BUILTINS[f"__mux_{group}_group_barrier"], *arguments)
        place = kernel.op(f"getelementptr i32, ptr addrspace(3) @memory, i32 {other}")
        kernel.store("i32", kernel.op(f"load i32, ptr addrspace(3) {place}"))
        kernel.call(BUILTINS["__mux_work_group_barrier"], "i32 7", f"i32 {DEVICE}", "i32 784")
    values = values_of("i32", 2 * ITEMS)
    out = np.zeros((2, 2 * ITEMS), np.int32)
    head = f"@memory = internal addrspace(3) global [{ITEMS} x i32] undef"
    launched(kernel.text(head), engine, (2,), (ITEMS,), values, out)
    numbers = np.arange(2 * ITEMS)
    np.testing.assert_array_equal(out, np.broadcast_to(values[numbers ^ 1], out.shape))


@pytest.mark.parametrize("scope", [CROSS_DEVICE, DEVICE, WORK_GROUP, SUB_GROUP, WORK_ITEM])
@pytest.mark.parametrize("order", ORDERINGS)
def test_memory_barriers_are_fences(scope: int, order: int) -> None:
    """There is none without an order, and none for one work-item."""
    kernel = KernelText()
    kernel.call(BUILTINS["__mux_mem_barrier"], f"i32 {scope}", f"i32 {order | CROSS_WORK_GROUP_MEMORY}")
    text = str(import_kernels(kernel.text()))
    name = ORDERINGS[order] if scope != WORK_ITEM else None
    assert text.count("llvm.fence") == (name is not None)
    assert name is None or f"llvm.fence {name}" in text or "llvm.fence syncscope" in text


def test_semantics_that_are_computed() -> None:
    kernel = KernelText()
    semantics = kernel.load("i32")
    kernel.call(BUILTINS["__mux_mem_barrier"], f"i32 {DEVICE}", f"i32 {semantics}")
    kernel.store("i32", semantics)
    values = np.array([0x208, 0x202, 0x204, 0x210, 0x200], np.int32)
    out = np.zeros((1, 5), np.int32)
    launched(kernel.text(), "jit", (1,), (5,), values, out)
    np.testing.assert_array_equal(out[0], values)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("@__mux_mem_barrier(i32 5, i32 528)", "calls a barrier with scope 5: expected 0 to 4"),
        ("@__mux_work_group_barrier(i32 0, i32 -1, i32 528)", "calls a barrier with scope -1"),
        (
            "@__mux_sub_group_barrier(i32 0, i32 3, i32 524)",
            "calls a barrier with semantics 0x20c",
        ),
        ("@__mux_mem_barrier(i32 1, i32 noundef 1)", "calls a barrier with semantics 0x1"),
        ("@__mux_mem_barrier(i32 1, i32 4096)", "calls a barrier with semantics 0x1000: beside the ordering"),
        ("@__mux_mem_barrier(i32 1, i32 -1)", "calls a barrier with semantics -0x1: beside the ordering"),
    ],
)
def test_wrong_arguments_of_barriers(call: str, message: str) -> None:
    name = call[1:].partition("(")[0]
    text = f"{BUILTINS[name].declaration}\ndefine spir_kernel void @k() {{\n  call void {call}\n  ret void\n}}\n"
    with pytest.raises(MuxIrError) as refused:
        define_builtins(text)
    assert str(refused.value).startswith(f"line 3: {message}")


UPDATES = {
    "add": np.add.reduce,
    "sub": lambda values: -np.add.reduce(values),
    "and": np.bitwise_and.reduce,
    "or": np.bitwise_or.reduce,
    "xor": np.bitwise_xor.reduce,
    "min": np.min,
    "max": np.max,
    "umin": lambda values: values[np.argmin(values.view(f"u{values.itemsize}"))],
    "umax": lambda values: values[np.argmax(values.view(f"u{values.itemsize}"))],
}
START = {"and": -1, "min": "max", "max": "min", "umin": -1}


@both_engines
@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("space", [1, 3])
@pytest.mark.parametrize("type", ["i32", "i64"])
def test_atomic_updates(type: str, space: int, engine: str) -> None:
    """Each work-item updates one place for each operation; `xchg` returns each value but the last one once."""
    dtype = np.dtype(DTYPES[type])
    starts = [start_of(name, dtype) for name in (*UPDATES, "xchg")]
    kernel = KernelText()
    value = kernel.load(type)
    memory = "@memory" if space == 3 else kernel.op(f"getelementptr {type}, ptr addrspace(1) %in, i64 {ITEMS}")
    pointer = f"ptr addrspace({space})"
    for number, start in enumerate(starts):
        place = kernel.op(f"getelementptr {type}, {pointer} {memory}, i64 {number}")
        kernel.lines.append(f"  store atomic {type} {start}, {pointer} {place} monotonic, align {dtype.itemsize}")
    barrier = ("i32 0", f"i32 {WORK_GROUP}", f"i32 {0x10 | WORK_GROUP_MEMORY | CROSS_WORK_GROUP_MEMORY}")
    kernel.call(BUILTINS["__mux_work_group_barrier"], *barrier)
    for number, name in enumerate((*UPDATES, "xchg")):
        place = kernel.op(f"getelementptr {type}, {pointer} {memory}, i64 {number}")
        old = kernel.op(f"atomicrmw {name} {pointer} {place}, {type} {value} monotonic")
        if name == "xchg":
            kernel.store(type, old)
    kernel.call(BUILTINS["__mux_work_group_barrier"], *barrier)
    for number in range(len(starts)):
        place = kernel.op(f"getelementptr {type}, {pointer} {memory}, i64 {number}")
        loaded = kernel.op(f"load atomic {type}, {pointer} {place} monotonic, align {dtype.itemsize}")
        kernel.store(type, loaded)
    values = np.concatenate([values_of(type, ITEMS), np.zeros(len(starts), dtype)])
    given = values[:ITEMS].copy()
    out = np.zeros((1 + len(starts), ITEMS), dtype)
    head = f"@memory = internal addrspace(3) global [{len(starts)} x {type}] undef, align 8" if space == 3 else ""
    launched(kernel.text(head), engine, (1,), (ITEMS,), values, out)
    old, *found = out
    for (name, combined), row in zip(UPDATES.items(), found, strict=False):
        assert set(row.tolist()) == {combined(given).item()}, name
    exchanged = found[-1][0]
    assert sorted([*old.tolist(), exchanged.item()]) == sorted([0, *given.tolist()])


def start_of(name: str, dtype: np.dtype[np.generic]) -> int:
    start = START.get(name, 0)
    return int(getattr(np.iinfo(dtype), start)) if isinstance(start, str) else start


@both_engines
@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("weak", ["", "weak "])
@pytest.mark.parametrize("type", ["i32", "i64"])
def test_compare_and_exchange(type: str, weak: str, engine: str) -> None:
    """Work-items whose number is in the place put their successor there; a loop lets each have its turn."""
    kernel = KernelText()
    mine = kernel.op("trunc i64 %number to i32") if type == "i32" else "%number"
    following = kernel.op(f"add {type} {mine}, 1")
    kernel.lines += [
        "  br label %again",
        "again:",
        f"  %pair = cmpxchg {weak}ptr addrspace(1) %in, {type} {mine}, {type} {following} monotonic monotonic",
        f"  %done = extractvalue {{ {type}, i1 }} %pair, 1",
        "  br i1 %done, label %end, label %again",
        "end:",
    ]
    kernel.store(type, mine)
    place, out = np.zeros(LANES, DTYPES[type]), np.zeros((1, LANES), DTYPES[type])
    launched(kernel.text(), engine, (1,), (LANES,), place, out)
    assert place[0] == LANES


@pytest.mark.parametrize("order", ["acquire", "release", "acq_rel"])
def test_fences(order: str) -> None:
    kernel = KernelText()
    kernel.lines.append(f"  fence {order}")
    assert f"llvm.fence {order}" in str(import_kernels(kernel.text()))
