"""Regions at offsets that are computed at run time, masks as words, tf32 and the clock, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.frontends.spirv.vector_compute import KernelText, vector

GENERATOR = np.random.default_rng(23)


@pytest.mark.parametrize("target", ["pvc", "arc"])
@pytest.mark.parametrize("offset", [0, 9])
def test_regions_that_are_written(target: str, offset: int) -> None:
    """Rows with and without gaps, columns with steps, rows over each other, offsets of each element, with masks."""
    old, new = (GENERATOR.integers(0, 9999, 64).astype(np.int32) for _ in range(2))
    forms = [(8, 0, 8, 1), (16, 12, 4, 1), (12, 10, 4, 2), (8, 0, 8, 3), (16, 2, 4, 1), (1, 0, 1, 1), (4, 0, 1, 0)]
    kernel = KernelText("a", "b", "n", "o")
    before, written = kernel.load("<64 x i32>", "a"), kernel.load("<64 x i32>", "b")
    first = kernel.value("i32", f"extractelement {kernel.load('<1 x i32>', 'n')}, i32 0")
    shifted = kernel.value("i32", f"shl {first}, 2").split(" ")[1]
    byte = kernel.value("i16", f"trunc i32 {shifted} to i16")
    wanted = []
    for index, (count, vstride, width, stride) in enumerate(forms):
        part = kernel.value(
            f"<{count} x i32>", f"shufflevector {written}, <64 x i32> undef, {vector('i32', range(count))}"
        )
        row, column = np.divmod(np.arange(count), width)
        places = offset + row * vstride + column * stride
        where = byte
        if stride == 0:  # each row has an offset of its own
            one = kernel.value("<4 x i16>", f"insertelement <4 x i16> undef, {byte}, i32 0")
            every = kernel.value("<4 x i16>", f"shufflevector {one}, <4 x i16> undef, <4 x i32> zeroinitializer")
            where = kernel.value("<4 x i16>", f"add {every}, <i16 0, i16 40, i16 4, i16 100>")
            places = offset + np.array([0, 10, 1, 25])
        on = GENERATOR.random(count) < 0.6 if index % 2 else np.ones(count, bool)
        region = f"i32 {vstride}", f"i32 {width}", f"i32 {stride}", where, "i32 undef"
        mask = vector("i1", on) if index % 2 else "i1 true"
        kernel.store(kernel.call("<64 x i32>", "wrregioni", before, part, *region, mask), "o", 256 * index)
        result = old.copy()
        for place, number, is_on in zip(places, new, on, strict=False):
            if is_on:
                result[place] = number
        wanted.append(result)
    out = np.zeros((len(forms), 64), np.int32)
    *_, out = kernel.run(old, new, np.array([offset], np.int32), out, target=target)
    np.testing.assert_array_equal(out, wanted)


def test_masks_are_words() -> None:
    a = GENERATOR.integers(0, 9, 32).astype(np.int32)
    kernel = KernelText("a", "o")
    row = kernel.load("<32 x i32>", "a")
    small = kernel.value("<32 x i1>", f"icmp ult {row}, {vector('i32', [4] * 32).split('> ', 1)[1]}")
    word = kernel.value("i32", f"bitcast {small} to i32")
    turned = kernel.value("i32", f"xor {word}, 255")
    mask = kernel.value("<32 x i1>", f"bitcast {turned} to <32 x i1>")
    halves = kernel.value("<2 x i16>", f"bitcast {small} to <2 x i16>")
    kernel.store(kernel.value("<32 x i32>", f"select {mask}, {row}, <32 x i32> zeroinitializer"), "o")
    kernel.store(kernel.value("<1 x i32>", f"insertelement <1 x i32> undef, {word}, i32 0"), "o", 128)
    kernel.store(kernel.value("<1 x i32>", f"bitcast {halves} to <1 x i32>"), "o", 132)
    _, out = kernel.run(a, np.zeros(34, np.int32))
    is_small = a < 4
    np.testing.assert_array_equal(out[:32], np.where(is_small ^ (np.arange(32) < 8), a, 0))
    number = int(sum(1 << int(n) for n in np.flatnonzero(is_small)))
    np.testing.assert_array_equal(out[32:].view(np.uint32), [number, number])


def test_tf32_and_the_clock() -> None:
    a = GENERATOR.standard_normal(16).astype(np.float32)
    kernel = KernelText("a", "o")
    kernel.store(kernel.call("<16 x i32>", "tf32.cvt", kernel.load("<16 x float>", "a")), "o")
    first, second = (kernel.call("<4 x i32>", "timestamp") for _ in range(2))
    elapsed = kernel.value("<4 x i32>", f"sub {second}, {first.split('> ')[1]}")
    one = kernel.value("i32", f"extractelement {elapsed}, i32 0")
    later = kernel.value("i1", f"icmp ult {one}, 100000000")
    word = kernel.value("i32", f"zext {later} to i32")
    kernel.store(kernel.value("<1 x i32>", f"insertelement <1 x i32> undef, {word}, i32 0"), "o", 64)
    _, out = kernel.run(a, np.zeros(17, np.int32))
    rounded = (a.view(np.uint32).astype(np.int64) + 0xFFF + (a.view(np.uint32) >> 13 & 1)) & ~0x1FFF
    np.testing.assert_array_equal(out[:16].view(np.uint32), rounded.astype(np.uint32))
    assert out[16] == 1
