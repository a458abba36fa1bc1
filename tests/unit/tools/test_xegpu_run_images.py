"""`xegpu-run` on kernels that take images and samplers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from tests.unit.tools.test_xegpu_run import outcome

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")

SOURCE = """
kernel void shift(read_only image1d_array_t a, sampler_t s, write_only image1d_array_t b) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(b, p, read_imagef(a, s, p + (int2)(1, 0)));
}
"""
GIVEN = "--arg=image:rg8unorm,1d_array:arange:2x8x2xui8"
TAKEN = "--arg=image:rg8unorm,1d_array:zeros:2x8x2xi8"


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "shift.cl"
    path.write_text(SOURCE)
    return str(path)


def test_images_and_samplers(capsys: pytest.CaptureFixture[str], source: str, tmp_path: Path) -> None:
    file = tmp_path / "b.npy"
    launch = ["-q", "--target=arc", "--grid=1,2", "--group=8", GIVEN, "--arg=sampler:clamp_border", TAKEN]
    assert outcome(capsys, source, *launch, "--expect=a=arange:2x8x2xui8", f"--out=b={file}") == (0, "", "")
    expected = np.zeros((2, 8, 2), np.uint8)
    expected[:, :7] = np.arange(32, dtype=np.uint8).reshape(2, 8, 2)[:, 1:]
    assert (np.load(file) == expected).all()


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("--arg=image:rgb8unorm:zeros:4xi8", "'rgb8unorm' is not a format of images, expected one of r8uint, "),
        ("--arg=image:r8unorm:i8:4", "'i8:4' is not an array of texels"),
        ("--arg=image:r8unorm:nothing", "'nothing' is not a value"),
        ("--arg=image:r32float:zeros:2x8xi32", "int32 values of shape (2, 8) for float32 texels"),
        ("--arg=image:r8unorm,cube:zeros:4xi8", "unknown type of images 'cube'"),
        ("--arg=image:r8unorm,3d:zeros:4xi8", "expected 3 positive numbers"),
        ("--arg=sampler:clamp_edge:linear:odd", "is not a sampler such as sampler:repeat:linear:normalized"),
        ("--arg=sampler:wrap", "unknown addressing mode 'wrap'"),
        ("--arg=sampler:repeat:cubic", "unknown filter 'cubic'"),
        ("--arg=image:", "'image:' is not a value"),
    ],
)
def test_wrong_values(capsys: pytest.CaptureFixture[str], source: str, argument: str, why: str) -> None:
    status, _, error = outcome(
        capsys, source, "-q", "--grid=1", "--group=8", "--target=arc", argument, "--arg=sampler:none", TAKEN
    )
    assert status != 0
    assert why in error
    assert "Traceback" not in error


def test_programs_take_no_images(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "main.mlir"
    path.write_text("func.func @main(%a: f32) { return }")
    status, _, error = outcome(capsys, str(path), "-q", "--arg=sampler:none")
    assert (status, "only kernels take images and samplers" in error) == (1, True)
