"""Cooperative matrices, from modules to results."""

from __future__ import annotations

import numpy as np
import pytest
from ml_dtypes import bfloat16

from passes.frontends.spirv import SpirvError, assemble, disassemble, translate
from runtime import Device
from runtime.mux import compile_spirv
from tests.paths import ROOT
from tests.unit.passes.frontends.spirv.matrices import (
    COLUMN_MAJOR,
    DEPTHS,
    PACKED,
    ROW_MAJOR,
    Matrix,
    Product,
    drawn,
    loaded,
    module,
    stored,
)
from xegpu.diagnostics import CompileError

LANES = {"pvc": 16, "arc": 8}
ENGINES = ("jit", "interpreter")


def launch(gpu: str, binary: bytes, *arguments: Matrix) -> None:
    """Runs a subgroup on both engines, which must agree; the last array gets its results."""
    *inputs, result = arguments
    found = []
    for engine in ENGINES:
        copy = result.copy()
        kernel = Device(gpu, engine=engine).load(binary)["k"]
        kernel[(1, 1, 1), (LANES[gpu], 1, 1)](*inputs, copy)
        found.append(copy)
    assert found[0].tobytes() == found[1].tobytes()
    result[...] = found[0]


BODY = """
%va = OpCooperativeMatrixLoadKHR %ma %a %i{0} %l{3}
%vb = OpCooperativeMatrixLoadKHR %mb %b %i{1} %l{4}
%vc = OpCooperativeMatrixLoadKHR %mc %c %i{2} %l{5}
%vd = OpCooperativeMatrixMulAddKHR %mc %va %vb %vc !{6}
OpCooperativeMatrixStoreKHR %d %vd %i{2} %l{5}
"""

MIXED = ((ROW_MAJOR,) * 3, (COLUMN_MAJOR,) * 3, (ROW_MAJOR, PACKED, ROW_MAJOR))
SUMS = {"s8": "s32", "u8": "s32"}

PRODUCTS = [
    *(
        ("pvc", Product(rows, 16, DEPTHS[elements], elements, SUMS.get(elements, "f32"), layouts))
        for elements in DEPTHS
        for rows, layouts in zip((8, 3, 1), MIXED, strict=True)
    ),
    *(
        ("arc", Product(rows, 8, DEPTHS[elements], elements, SUMS.get(elements, "f32"), layouts))
        for elements in DEPTHS
        if elements != "tf32"
        for rows, layouts in zip((8, 2), MIXED[1:], strict=True)
    ),
    ("pvc", Product(8, 16, 16, "f16", "f16")),
    ("pvc", Product(8, 16, 16, "bf16", "bf16")),
    ("pvc", Product(16, 16, 16, "bf16", "f32", MIXED[2])),
    ("pvc", Product(1, 64, 16, "bf16", "f32", MIXED[2])),
    ("pvc", Product(12, 32, 16, "tf32", "f32")),
    ("arc", Product(16, 16, 32, "bf16", "f32", MIXED[2])),
    pytest.param("pvc", Product(32, 64, 32, "bf16", "f32", MIXED[2]), marks=pytest.mark.exhaustive),
    pytest.param("arc", Product(32, 32, 16, "bf16", "f32", MIXED[2]), marks=pytest.mark.exhaustive),
]


@pytest.mark.parametrize(("gpu", "product"), PRODUCTS, ids=str)
def test_product(gpu: str, product: Product) -> None:
    """Sums in single precision err by a rounding of each step; narrow ones by one more of each product's result."""
    random = np.random.default_rng(7)
    m, n, k = product.m, product.n, product.k
    a, b = (drawn(shape, product.elements, random) for shape in ((m, k), (k, n)))
    c = drawn((m, n), product.sums, random)
    lines = [stored(each, layout) for each, layout in zip((a, b, c), product.layouts, strict=True)]
    strides = [each.shape[1] for each in lines]
    body = BODY.format(*product.layouts, *strides, product.flags)
    binary = compile_spirv(module(LANES[gpu], product, body, strides=" ".join(map(str, strides))), gpu)
    result = np.zeros_like(lines[2])
    launch(gpu, binary, *(each.view(np.int16) if each.dtype == bfloat16 else each for each in lines), result)
    assert not result[:, -4:].any()
    found = loaded(result, product.layouts[2], (m, n))
    if product.sums == "s32":
        np.testing.assert_array_equal(found, a.astype(np.int64) @ b.astype(np.int64) + c.astype(np.int64))
        return
    wide = [each.astype(np.float64) for each in (a, b, c)]
    exact = wide[0] @ wide[1] + wide[2]
    magnitude = abs(wide[0]) @ abs(wide[1]) + abs(wide[2])
    bound = (k + 1) * 2.0**-24 * magnitude
    if product.sums != "f32":
        bound += 2.0 ** -{"f16": 11, "bf16": 8}[product.sums] * magnitude
    assert (abs(found.astype(np.float64) - exact) <= bound).all()


def test_module_of_llvm_spirv() -> None:
    """SYCL's compiler makes this of `joint_matrix`: a loop over products, then a loop over addresses of elements."""
    binary = compile_spirv((ROOT / "tests/corpus/spirv/joint_matrix.llvm-spirv22.spv").read_bytes(), "pvc")
    random = np.random.default_rng(3)
    m, n, k = 16, 32, 48
    a, b = (drawn(shape, "bf16", random) for shape in ((m, k), (k, n)))
    c = drawn((m, n), "f32", random)
    result = np.zeros((m, n), np.float32)
    device = Device("pvc")
    device.load(binary)["joint_matrix"][(2, 2, 1), (16, 1, 1)](
        a.view(np.int16), stored(b, PACKED, 0).view(np.int16), c, result, n, k
    )
    wide = [each.astype(np.float64) for each in (a, b, c)]
    bound = (k + 1) * 2.0**-24 * (abs(wide[0]) @ abs(wide[1]) + abs(wide[2]))
    assert (abs(result - np.maximum(wide[0] @ wide[1] + wide[2], 0)) <= bound).all()


ELEMENTWISE = """
%slot = OpVariable %pslot Function
%vc = OpCooperativeMatrixLoadKHR %mc %c %i0 %l16
%doubled = OpFAdd %mc %vc %vc
%scaled = OpMatrixTimesScalar %mc %doubled %three
%shifted = OpFAdd %mc %scaled %ones
%negative = OpFNegate %mc %shifted
%narrow = OpFConvert %mh %negative
%wide = OpFConvert %mc %narrow
%element = OpCompositeExtract %float %wide 1
%twice = OpFMul %float %element %three
%changed = OpCompositeInsert %mc %twice %wide 0
%none = OpFSub %mc %changed %zeros
%bits = OpConvertFToBF16INTEL %ms %none
%back = OpConvertBF16ToFINTEL %mc %bits
OpStore %slot %back
OpBranch %head
%head = OpLabel
%i = OpPhi %int %i0 %entry %next %head
%length = OpCooperativeMatrixLengthKHR %int %mc
%place = OpCooperativeMatrixGetElementCoordINTEL %int2 %vc %i
%row = OpCompositeExtract %int %place 0
%column = OpCompositeExtract %int %place 1
%hundreds = OpIMul %int %row %hundred
%number = OpIAdd %int %hundreds %column
%addend = OpConvertSToF %float %number
%at = OpAccessChain %pelement %slot %i
%old = OpLoad %float %at
%new = OpFAdd %float %old %addend
OpStore %at %new
%next = OpIAdd %int %i %i1
%more = OpULessThan %bool %next %length
OpBranchConditional %more %head %after
%after = OpLabel
%result = OpLoad %mc %slot
OpCooperativeMatrixStoreKHR %d %result %i0 %l16
"""

CONSTANTS = """
%mh = OpTypeCooperativeMatrixKHR %half %i3 %i4 %i16 %i2
%ms = OpTypeCooperativeMatrixKHR %short %i3 %i4 %i16 %i2
%pslot = OpTypePointer Function %mc
%pelement = OpTypePointer Function %float
%three = OpConstant %float 3.0
%one = OpConstant %float 1.0
%hundred = OpConstant %int 100
%ones = OpConstantComposite %mc %one
%zeros = OpConstantNull %mc
"""


@pytest.mark.parametrize("gpu", LANES)
def test_elements(gpu: str) -> None:
    """All elements at once, single ones, and those that a loop finds by their numbers and their addresses."""
    rows, columns, lanes = 4, 16, LANES[gpu]
    data = module(lanes, Product(rows, columns, 16, "f16", "f32"), ELEMENTWISE, CONSTANTS, strides="16")
    c = np.random.default_rng(5).integers(-8, 8, (rows, columns)).astype(np.float32)
    result = np.zeros_like(c)
    unused = np.zeros(1, np.float16)
    launch(gpu, compile_spirv(data, gpu), unused, unused, c, result)
    expected = -(6 * c + 1)
    expected[0, :lanes] = 3 * expected[1, :lanes]
    numbers = 100 * np.arange(rows)[:, None] + np.arange(columns)
    np.testing.assert_array_equal(result, expected.astype(bfloat16).astype(np.float32) + numbers)


CHECKED = """
%va = OpCooperativeMatrixLoadCheckedINTEL %ma %a %i8 %i0 %i0 %i9 %i7 %l16
%vb = OpCooperativeMatrixLoadCheckedINTEL %mb %b %i0 %i5 %i1 %i7 %i9 %l16
%vc = OpCooperativeMatrixConstructCheckedINTEL %mc %i0 %i1 %i1 %i4 %five
%vd = OpCooperativeMatrixMulAddKHR %mc %va %vb %vc !0
OpCooperativeMatrixStoreCheckedINTEL %d %i1 %i2 %vd %i0 %i3 %i5 %l16
"""


@pytest.mark.parametrize("gpu", LANES)
def test_bounds(gpu: str) -> None:
    """Elements beyond a larger matrix are zero, and their places are not touched: arrays end there."""
    data = module(LANES[gpu], Product(8, 16, 16, "f16", "f32"), CHECKED, "%five = OpConstant %float 5.0", strides="16")
    random = np.random.default_rng(9)
    a, b = (random.integers(-4, 4, shape).astype(np.float16) for shape in ((9, 16), (9, 16)))
    flat = a.reshape(-1)[: 8 * 16 + 7].copy()
    result = np.full((3, 16), -1, np.float32)
    launch(gpu, compile_spirv(data, gpu), flat, b.reshape(-1)[: 8 * 16 + 7].copy(), np.zeros(1, np.float32), result)
    left, right = np.zeros((8, 16)), np.zeros((16, 16))
    left[0, :7] = a[8, :7]
    right[:7, :4] = b[5:9, :7].T
    product = left @ right
    product[0, :3] += 5
    expected = np.full((3, 16), -1.0)
    expected[1:3, 2:5] = product[:2, :3]
    np.testing.assert_array_equal(result, expected)


def test_subgroups_follow_columns() -> None:
    """A module that says nothing about subgroups gets those of as many lanes as there are columns."""
    body = "%vc = OpCooperativeMatrixLoadKHR %mc %c %i0 %l8"
    for columns, lanes in ((8, 8), (32, 16)):
        data = module(None, Product(8, columns, 16, "f16", "f32"), body, strides="8")
        (kernel,) = translate(data).information.kernels
        assert kernel.subgroup_size == lanes


def test_disassembly() -> None:
    """Instructions that Khronos' grammar lacks have names, too."""
    text = disassemble(
        module(16, Product(8, 16, 16, "bf16", "f32"), BODY.format(0, 2, 0, 16, 32, 16, 0x40), strides="16 32")
    )
    assert "OpCapability PackedCooperativeMatrixINTEL" in text
    assert "MatrixAAndBBFloat16ComponentsINTEL" in text


LOAD = "%va = OpCooperativeMatrixLoadKHR %ma %a %i{} %l16"
MULTIPLY = """
%va = OpUndef %ma
%vb = OpUndef %mb
%vc = OpUndef %mc
%vd = OpCooperativeMatrixMulAddKHR %mc {} !{}
"""

REFUSED = [
    (16, Product(8, 12, 16, "f16", "f32"), "", "16x12 half with the use MatrixBKHR has 12 columns"),
    (16, Product(8, 16, 8, "f16", "f32"), "", "8x8 half with the use MatrixAKHR has 8 columns, .* multiples of 16"),
    (16, Product(1 << 20, 16, 16, "f16", "f32"), "", "each lane would hold 1048576 elements of it; the most are 1024"),
    (32, Product(8, 32, 16, "f16", "f32"), "", "subgroups of 32 hold no matrices, those of 8 or 16 do"),
    (16, Product(8, 16, 16, "f16", "f32"), LOAD.format(2), "its layout is PackedINTEL, which only"),
    (16, Product(8, 16, 16, "f16", "f32"), LOAD.format(5), "its layout is 5, not RowMajorKHR"),
    (16, Product(8, 16, 16, "f16", "f32"), LOAD.format(0)[:-5], "it has no stride"),
    (16, Product(8, 16, 16, "f16", "f32"), MULTIPLY.format("%va %va %vc", 0), "have the uses MatrixAKHR, MatrixAKHR"),
    (16, Product(8, 16, 16, "f16", "f32"), MULTIPLY.format("%va %vb %vc", 16), "its sums saturate"),
    (16, Product(8, 16, 16, "bf16", "f32"), MULTIPLY.format("%va %vb %vc", 0), "operand MatrixAAndBBFloat16Comp"),
    (16, Product(8, 16, 8, "tf32", "f32"), MULTIPLY.format("%va %vb %vc", 0), "operand MatrixAAndBTF32Components"),
    (16, Product(8, 16, 16, "bf16", "bf16"), MULTIPLY.format("%va %vb %vc", 64), "operand MatrixCBFloat16Comp"),
    (16, Product(8, 16, 32, "s8", "f32"), MULTIPLY.format("%va %vb %vc", 3), "multiplies i8 and adds to float"),
    (16, Product(8, 16, 16, "f16", "s32"), MULTIPLY.format("%va %vb %vc", 0), "multiplies half and adds to i32"),
    (16, Product(8, 16, 8, "s32", "s32"), MULTIPLY.format("%va %vb %vc", 0), "multiplies i32 by i32"),
]


@pytest.mark.parametrize(("lanes", "product", "body", "message"), REFUSED, ids=lambda each: str(each)[:40])
def test_refused(lanes: int, product: Product, body: str, message: str) -> None:
    with pytest.raises(SpirvError, match=message):
        translate(module(lanes, product, body, strides="16"))


def test_older_drafts_are_refused_by_name() -> None:
    text = disassemble(module(16, Product(8, 16, 16, "f16", "f32"), "")).replace(" Int8 ", " JointMatrixINTEL ")
    text = text.replace("OpTypeInt 8 0", "OpTypeJointMatrixINTEL %1 %1 %1 %1 %1")
    with pytest.raises(SpirvError, match="OpCapability: the capability JointMatrixINTEL is not supported"):
        translate(assemble(text))


@pytest.mark.parametrize(
    ("lanes", "product", "message"),
    [
        (8, Product(8, 8, 16, "f16", "f16"), "8x8x16 .*arc has no matrix product of hf .* accumulator hf"),
        (8, Product(8, 8, 8, "tf32", "f32"), "8x8x8 .*arc has no"),
        (16, Product(8, 16, 16, "f16", "f32"), "in subgroups of 16: arc multiplies .* in subgroups of 8"),
    ],
    ids=str,
)
def test_products_that_a_gpu_lacks(lanes: int, product: Product, message: str) -> None:
    body = MULTIPLY.format("%va %vb %vc", product.flags) + "OpCooperativeMatrixStoreKHR %d %vd %i0 %l16"
    with pytest.raises(CompileError, match=message):
        compile_spirv(module(lanes, product, body.replace("OpUndef", "OpUndef"), strides="16"), "arc")
