"""Copies between global and local memory: lines, planes and boxes, aligned and odd, with every kind of event."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.mux import BUILTINS, MuxIrError, define_builtins
from passes.frontends.mux.table import EVENT
from tests.unit.passes.frontends.mux.harness import both_engines, launched

ITEMS = 24
SPACE = 4096
EVENTS = {EVENT: "zeroinitializer", "ptr": "null", "i32": "0", "%event": "zeroinitializer"}
"""The event that is none, by the types that modules choose for events."""
SHAPES = {
    "1D": {
        "words": (256,),
        "odd": (37,),
        "nothing": (0,),
    },
    "2D": {
        "words": (32, 48, 64, 5),
        "odd": (7, 9, 13, 11),
        "narrow": (1, 2, 1, 30),
    },
    "3D": {
        "words": (16, 20, 24, 3, 80, 100, 4),
        "odd": (5, 6, 7, 3, 19, 23, 4),
    },
}
"""The sizes of copies: width, distances of lines in the target and the source, height; the same of planes, depth."""


def copied(target: bytes, source: bytes, shape: tuple[int, ...]) -> bytes:
    """Returns the target after a copy."""
    width, to_line, from_line, height, to_plane, from_plane, depth = (*shape, *(0, 0, 1, 0, 0, 1)[len(shape) - 1 :])
    found = bytearray(target)
    for plane in range(depth):
        for line in range(height):
            to, start = plane * to_plane + line * to_line, plane * from_plane + line * from_line
            found[to : to + width] = source[start : start + width]
    return bytes(found)


def module(dimension: str, event: str, read: tuple[int, ...], write: tuple[int, ...], offset: int) -> str:
    """Returns a kernel that copies to local memory and from there back to global memory."""

    def call(word: str, to: str, source: str, shape: tuple[int, ...]) -> str:
        sizes = ", ".join(f"i64 {size}" for size in shape)
        return f"call {event} @__mux_dma_{word}_{dimension}({to}, {source}, {sizes}, {event} {EVENTS[event]})"

    names = [f"__mux_dma_{word}_{dimension}" for word in ("read", "write")]
    declared = [BUILTINS[name].declaration.replace(EVENT, event) for name in names]
    fill, memory = f"[{SPACE} x i8]", f"@memory, i64 {offset}"
    local = f"ptr addrspace(3) getelementptr (i8, ptr addrspace(3) {memory})"
    return "\n".join(
        [
            "%event = type { i32, i64 }",
            f"@memory = internal addrspace(3) global {fill} undef, align 8",
            *declared,
            BUILTINS["__mux_dma_wait"].declaration,
            BUILTINS["__mux_get_local_linear_id"].declaration,
            "define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {",
            f"  %events = alloca {event}",
            f"  %read = {call('read', local, 'ptr addrspace(1) %in', read)}",
            f"  store {event} %read, ptr %events",
            "  call void @__mux_dma_wait(i32 1, ptr %events)",
            f"  %write = {call('write', 'ptr addrspace(1) %out', local, write)}",
            f"  store {event} %write, ptr %events",
            "  call void @__mux_dma_wait(i32 1, ptr %events)",
            "  ret void",
            "}",
            'attributes #0 = { "mux-kernel"="entry-point" }',
            "",
        ]
    )


def swapped(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the sizes of the copy in the other direction."""
    if len(shape) == 1:
        return shape
    width, to_line, from_line, height, *planes = shape
    return (width, from_line, to_line, height, *(planes[1::-1] + planes[2:]))


@both_engines
@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(("dimension", "name"), [(d, name) for d, shapes in SHAPES.items() for name in shapes])
def test_copies(dimension: str, name: str, event: str, engine: str) -> None:
    shape = SHAPES[dimension][name]
    back = swapped(shape)
    source = np.random.default_rng(3).integers(0, 256, SPACE, dtype=np.uint8)
    out = np.full(SPACE, 7, np.uint8)
    launched(module(dimension, event, shape, back, 4), engine, (1,), (ITEMS,), source, out)
    local = copied(bytes(SPACE), source.tobytes(), shape)
    assert out.tobytes() == copied(bytes([7]) * SPACE, local, back)


def test_places_that_are_not_aligned() -> None:
    source, out = np.arange(SPACE, dtype=np.uint8), np.zeros(SPACE, np.uint8)
    launched(module("1D", "ptr", (64,), (64,), 3), "jit", (1,), (ITEMS,), source, out)
    np.testing.assert_array_equal(out[:64], source[:64])
    assert not out[64:].any()


def test_events_have_one_type_in_a_module() -> None:
    text = "\n".join(
        [
            "declare i32 @__mux_dma_read_1D(ptr addrspace(3), ptr addrspace(1), i64, i32)",
            "declare ptr @__mux_dma_write_1D(ptr addrspace(1), ptr addrspace(3), i64, ptr)",
        ]
    )
    with pytest.raises(MuxIrError, match=r"line [12]: declares '__mux_dma_\w+' with events of type \w+, others have"):
        define_builtins(text)


@pytest.mark.parametrize(
    "declaration",
    [
        "declare ptr @__mux_dma_read_1D(ptr addrspace(3), ptr addrspace(1), i32, ptr)",
        "declare ptr @__mux_dma_read_1D(ptr, ptr addrspace(1), i64, ptr)",
        "declare void @__mux_dma_read_1D(ptr addrspace(3), ptr addrspace(1), i64, ptr)",
        "declare ptr @__mux_dma_read_2D(ptr addrspace(3), ptr addrspace(1), i64, ptr)",
        "declare void @__mux_dma_wait(i64, ptr)",
    ],
)
def test_wrong_signatures(declaration: str) -> None:
    with pytest.raises(MuxIrError, match=r"line 1: declares '__mux_dma_\w+' as .*: expected"):
        define_builtins(declaration)
