"""Tests of the Python values accepted as arrays, shapes, grids and arguments."""

from __future__ import annotations

import array

import numpy as np
import pytest

import runtime
from runtime import Device

LAYOUTS = """
gpu.module @kernels {
  gpu.func @negate(%a: memref<4x8xi32>, %o: memref<4x8xi32>) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %zero = arith.constant 0 : i32
    %v = memref.load %a[%y, %x] : memref<4x8xi32>
    %w = arith.subi %zero, %v : i32
    memref.store %w, %o[%y, %x] : memref<4x8xi32>
    gpu.return
  }
  gpu.func @columns(%a: memref<4x8xi32, strided<[1, 4]>>, %o: memref<4x8xi32, strided<[?, 1], offset: ?>>) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %v = memref.load %a[%y, %x] : memref<4x8xi32, strided<[1, 4]>>
    memref.store %v, %o[%y, %x] : memref<4x8xi32, strided<[?, 1], offset: ?>>
    gpu.return
  }
  gpu.func @empty() kernel {
    gpu.return
  }
  gpu.func @same(%a: memref<4x8xi32, strided<[0, 1]>>) kernel {
    gpu.return
  }
}
"""


@pytest.fixture(scope="module")
def module() -> runtime.Module:
    return Device("pvc").compile(LAYOUTS)


class TestForms:
    def forms(self) -> list[np.ndarray]:
        """Arrays of 4 by 8 numbers with various strides."""
        room = np.arange(2048, dtype=np.int32)
        rows = room[:32].reshape(4, 8)
        square = room[:1024].reshape(32, 32)
        return [rows, np.asfortranarray(rows), rows[::-1, ::-1], square[::8, 1::4], np.broadcast_to(rows[0], (4, 8))]

    def test_arrays_with_other_strides_are_copied(self, module) -> None:
        for source in self.forms():
            for output in self.forms()[:4]:
                room = output if output.base is None else output.base
                before, inside = room.copy(), output.copy()
                module["negate"][(1, 4), (8, 1)](source, output)
                assert np.array_equal(output, -source)
                output[...] = inside
                assert np.array_equal(room, before), "nothing else is written"

    def test_strided_types_decide_the_strides(self, module) -> None:
        for source in self.forms():
            output = np.zeros((4, 20), np.int32)[:, 3:11]
            module["columns"][(1, 4), (8, 1)](source, output)
            assert np.array_equal(output, source)

    def test_strides_that_no_copy_can_have(self, module) -> None:
        with pytest.raises(TypeError, match=r"stride 8 \(elements\) in dimension 0, expected 0"):
            module["same"][1, (8,)](np.zeros((4, 8), np.int32))

    def test_overlap_of_arrays_with_other_strides(self, module) -> None:
        room = np.arange(64, dtype=np.int32)
        o = room[16:48].reshape(4, 8)[:, ::-1]
        with pytest.raises(TypeError, match="'a' and 'o' overlap, and no copy suits both"):
            module["negate"][1, (8,)](room[:32].reshape(4, 8)[::-1], o)
        module["negate"][(1, 4), (8, 1)](o, o)
        assert np.array_equal(np.sort(o, None), np.arange(-47, -15))

    def test_buffers_of_python(self, module) -> None:
        source, target = array.array("i", range(32)), array.array("i", bytes(128))
        module["negate"][(1, 4), (8, 1)](
            memoryview(source).cast("B").cast("i", (4, 8)), np.asarray(target).reshape(4, 8)
        )
        assert target.tolist() == [-x for x in range(32)]
        with pytest.raises(TypeError, match="read-only"):
            module["negate"][1, (8,)](np.zeros((4, 8), np.int32), memoryview(bytes(128)).cast("i", (4, 8)))

    def test_grid_and_block_as_keywords(self, module) -> None:
        a, o = self.forms()[0], np.zeros((4, 8), np.int32)
        result = module["negate"](a, o, grid=(1, 4), block=8)
        assert (result.grid, result.block) == ((1, 4, 1), (8, 1, 1))
        assert np.array_equal(o, -a)
        assert module["negate"](a, o, grid=[1, 2], block=[8, 2]).block == (8, 2, 1)
        empty = module["empty"]
        assert (empty(grid=4).grid, empty(grid=4).block) == ((4, 1, 1), empty[4]().block)
        assert module["negate"][[1, 4], [8]](a, o).block == (8, 1, 1)

    def test_arguments_by_name(self, module) -> None:
        a, o = self.forms()[0], np.zeros((4, 8), np.int32)
        for call in (
            lambda: module["negate"][(1, 4), (8, 1)](a, o=o),
            lambda: module["negate"](o=o, a=a, grid=(1, 4), block=8),
        ):
            o[:] = 0
            call()
            assert np.array_equal(o, -a)
        for wrong, text in (({"o": o}, "no argument for a"), ({"b": o}, "'b' is no parameter, expected a, o")):
            with pytest.raises(TypeError, match=text):
                module["negate"][1, (8,)](**wrong)
        with pytest.raises(TypeError, match="'a' is given twice"):
            module["negate"][1, (8,)](a, a=a)

    def test_lists_are_shapes(self) -> None:
        device = Device("pvc")
        assert device.empty([3, np.int8(4)]).shape == (3, 4)
        assert device.empty(np.array([2, 2])).shape == (2, 2)
        assert device.empty(np.int64(5)).shape == (5,)
        for wrong in ("", "12", b"", {2, 3}, None, 2.0, [2.0]):
            with pytest.raises(TypeError):
                device.empty(wrong)


class TestDLPack:
    class Legacy:
        """An array of a library with DLPack before version 1, such as PyTorch up to 2.8."""

        def __init__(self, contents: np.ndarray) -> None:
            self.contents = contents

        def __dlpack__(self, *, stream: None = None) -> object:
            return self.contents.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    class Versioned(Legacy):
        def __dlpack__(self, *, max_version: tuple[int, int] | None = None, **options: object) -> object:
            return self.contents.__dlpack__(max_version=max_version)

    @pytest.mark.parametrize("kind", [Legacy, Versioned])
    def test_outputs(self, module, kind: type[Legacy]) -> None:
        target = kind(np.zeros((4, 8), np.int32))
        module["negate"][(1, 4), (8, 1)](np.ones((4, 8), np.int32), target)
        assert (target.contents == -1).all()

    def test_what_says_that_it_is_read_only_is(self, module) -> None:
        contents = np.zeros((4, 8), np.int32)
        contents.flags.writeable = False
        with pytest.raises(TypeError, match="read-only"):
            module["negate"][1, (8,)](np.ones((4, 8), np.int32), self.Versioned(contents))


def test_devices_of_one_card_share_their_buffers() -> None:
    first, second = runtime.devices()[0], runtime.devices()[0]
    buffer = first.array(np.arange(32, dtype=np.int32).reshape(4, 8))
    output = np.zeros((4, 8), np.int32)
    second.compile(LAYOUTS)["negate"][(1, 4), (8, 1)](buffer, output)
    assert np.array_equal(output, -buffer.numpy())
