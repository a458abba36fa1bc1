"""Type names of arguments."""

import ml_dtypes
import numpy as np
import pytest

from runtime.api.argument_types import DTYPES, MemRefType, parse_memref

F32 = np.dtype(np.float32)


def memref(text: str) -> MemRefType:
    parsed = parse_memref(text)
    assert parsed is not None
    return parsed


class TestParse:
    @pytest.mark.parametrize(
        ("text", "shape", "strides", "offset"),
        [
            ("memref<f32>", (), None, 0),
            ("memref<4096xf32>", (4096,), None, 0),
            ("memref<?x8x?xf32>", (None, 8, None), None, 0),
            ("memref<4x4xf32, strided<[8, 1]>>", (4, 4), (8, 1), 0),
            ("memref<4x?xf32, strided<[?, 2], offset: ?>>", (4, None), (None, 2), None),
            ("memref<4xf32, strided<[-1], offset: 3>, 1>", (4,), (-1,), 3),
            ("memref<f32, strided<[]>>", (), (), 0),
            ("memref<4xf32, #gpu.address_space<global>>", (4,), None, 0),
            ("memref<4xf32, 3 : i32>", (4,), None, 0),
        ],
    )
    def test_parts(self, text: str, shape, strides, offset) -> None:
        assert memref(text) == MemRefType(text, shape, "f32", strides, offset)
        assert str(memref(text)) == text

    @pytest.mark.parametrize("element", DTYPES)
    def test_elements(self, element: str) -> None:
        assert memref(f"memref<2x{element}>").element == element

    @pytest.mark.parametrize(
        "text",
        [
            "f32",
            "memref<4x4xf32",
            "memref<*xf32>",
            "memref<4xvector<4xf32>>",
            "memref<4xi7>",
            "memref<-4xf32>",
            "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>",
            "memref<4x4xf32, strided<[1]>>",
            "memref<4xf32, strided<[x]>>",
            "memref<" + "9" * 30 + "xf32>",
            "memref<" + "1x" * 40 + "f32>",
            "memref<" + "?x" * 10_000 + "f32>",
        ],
    )
    def test_what_is_no_array(self, text: str) -> None:
        assert parse_memref(text) is None


class TestHidden:
    @pytest.mark.parametrize(
        ("text", "values"),
        [
            ("memref<3x5xf32>", []),
            ("memref<?x5xf32>", [3]),
            ("memref<?x?xf32>", [3, 5]),
            ("memref<3x5xf32, strided<[?, 1]>>", [7]),
            ("memref<?x5xf32, strided<[?, ?], offset: ?>>", [3, 7, 1, 0]),
        ],
    )
    def test_sizes_strides_offset(self, text: str, values: list[int]) -> None:
        """Dynamic sizes, dynamic strides and a dynamic offset, in this order; the address is the first element's."""
        assert memref(text).hidden((3, 5), (7, 1)) == values
        assert memref(text).hidden_count == len(values)


class TestMismatch:
    @pytest.mark.parametrize(
        ("text", "dtype", "shape", "strides"),
        [
            ("memref<3x5xf32>", "float32", (3, 5), (5, 1)),
            ("memref<?x?xf32>", "float32", (3, 5), (5, 1)),
            ("memref<?x5xf32>", "float32", (0, 5), (9, 9)),
            ("memref<1x5xf32>", "float32", (1, 5), (99, 1)),
            ("memref<3x5xf32, strided<[8, 1]>>", "float32", (3, 5), (8, 1)),
            ("memref<3x5xf32, strided<[?, ?]>>", "float32", (3, 5), (-8, 2)),
            ("memref<4xi8>", "uint8", (4,), (1,)),
            ("memref<4xui8>", "uint8", (4,), (1,)),
            ("memref<4xtf32>", "float32", (4,), (1,)),
            ("memref<4xbf16>", ml_dtypes.bfloat16, (4,), (1,)),
            ("memref<f32>", "float32", (), ()),
        ],
    )
    def test_fits(self, text: str, dtype, shape, strides) -> None:
        assert memref(text).mismatch(np.dtype(dtype), shape, strides) == ""

    @pytest.mark.parametrize(
        ("text", "dtype", "shape", "strides", "reason"),
        [
            ("memref<4xf32>", "float16", (4,), (1,), "element type float16, expected float32"),
            ("memref<4xi8>", "int16", (4,), (1,), "element type int16, expected int8 or uint8"),
            ("memref<4xsi8>", "uint8", (4,), (1,), "element type uint8, expected int8"),
            ("memref<4xf32>", "float32", (4, 1), (1, 1), "2 dimensions, expected 1"),
            ("memref<4x?xf32>", "float32", (5, 9), (9, 1), "size 5 in dimension 0, expected 4"),
            ("memref<?x?xf32>", "float32", (4, 4), (8, 1), "stride 8 (elements) in dimension 0, expected 4"),
            ("memref<?xf32>", "float32", (4,), (-1,), "stride -1 (elements) in dimension 0, expected 1"),
            ("memref<4x4xf32, strided<[?, 1]>>", "float32", (4, 4), (1, 4), "stride 4 (elements) in dimension 1"),
        ],
    )
    def test_reason(self, text: str, dtype, shape, strides, reason: str) -> None:
        assert memref(text).mismatch(np.dtype(dtype), shape, strides).startswith(reason)
