"""Modules with cooperative matrices, and the matrices in memory that they read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from ml_dtypes import bfloat16

from tests.unit.passes.frontends.spirv.assembling import assemble

Matrix = npt.NDArray[np.generic]

ROW_MAJOR, COLUMN_MAJOR, PACKED = range(3)

ELEMENTS: dict[str, tuple[str, type[np.generic]]] = {
    "f16": ("half", np.float16),
    "bf16": ("short", bfloat16),
    "khr bf16": ("bfloat", bfloat16),
    "tf32": ("float", np.float32),
    "s8": ("char", np.int8),
    "u8": ("char", np.uint8),
    "f32": ("float", np.float32),
    "s32": ("int", np.int32),
}
"""The name of each element's type in modules, and its type in numpy."""

FLAGS = {"bf16": 0x40, "tf32": 0x20, "s8": 0x3}
"""The matrix operands of products with elements; signed ones say so."""

SUM_FLAGS = {"bf16": 0x180}

DEPTHS = {"f16": 16, "bf16": 16, "khr bf16": 16, "tf32": 8, "s8": 32, "u8": 32}

HEADER = """
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpCapability BFloat16TypeKHR
OpCapability BFloat16CooperativeMatrixKHR
OpCapability BFloat16ConversionINTEL
OpCapability CooperativeMatrixKHR
OpCapability PackedCooperativeMatrixINTEL
OpCapability CooperativeMatrixTF32ComponentTypeINTEL
OpCapability CooperativeMatrixBFloat16ComponentTypeINTEL
OpCapability CooperativeMatrixInvocationInstructionsINTEL
OpCapability CooperativeMatrixCheckedInstructionsINTEL
OpExtension "SPV_KHR_cooperative_matrix"
OpExtension "SPV_INTEL_joint_matrix"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
"""

TYPES = """
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%half = OpTypeFloat 16
%bfloat = OpTypeFloat 16 !0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
"""


@dataclass(frozen=True)
class Product:
    """D = A * B + C with A of m x k elements; `layouts` are those of A, B, and C."""

    m: int
    n: int
    k: int
    elements: str
    sums: str
    layouts: tuple[int, int, int] = (ROW_MAJOR, ROW_MAJOR, ROW_MAJOR)

    @property
    def flags(self) -> int:
        return FLAGS.get(self.elements, 0) | SUM_FLAGS.get(self.sums, 0)


def module(lanes: int | None, product: Product, body: str, declarations: str = "", strides: str = "") -> bytes:
    """Returns a kernel whose parameters are pointers %a, %b, %c and %d; `strides` are constants of 64 bits."""
    numbers = sorted({*range(10), product.m, product.n, product.k})
    element, total = ELEMENTS[product.elements][0], ELEMENTS[product.sums][0]
    lines = [HEADER, f"OpExecutionMode %k SubgroupSize {lanes}" if lanes else "", TYPES]
    lines += [f"%i{number} = OpConstant %int {number}" for number in numbers]
    lines += [f"%l{number} = OpConstant %long {number}" for number in sorted(set(map(int, strides.split())))]
    pointers = {name: f"%p{name}" for name in (element, total)}
    lines += [f"{pointer} = OpTypePointer CrossWorkgroup %{name}" for name, pointer in pointers.items()]
    lines += [
        f"%ma = OpTypeCooperativeMatrixKHR %{element} %i3 %i{product.m} %i{product.k} %i0",
        f"%mb = OpTypeCooperativeMatrixKHR %{element} %i3 %i{product.k} %i{product.n} %i1",
        f"%mc = OpTypeCooperativeMatrixKHR %{total} %i3 %i{product.m} %i{product.n} %i2",
        declarations,
    ]
    kinds = [pointers[element], pointers[element], pointers[total], pointers[total]]
    lines.append(f"%fn = OpTypeFunction %void {' '.join(kinds)}")
    lines.append("%k = OpFunction %void None %fn")
    lines += [f"%{name} = OpFunctionParameter {kind}" for name, kind in zip("abcd", kinds, strict=True)]
    lines += ["%entry = OpLabel", body, "OpReturn", "OpFunctionEnd"]
    return assemble("\n".join(lines))


def drawn(shape: tuple[int, int], element: str, random: np.random.Generator) -> Matrix:
    """Returns a matrix of random elements."""
    kind = ELEMENTS[element][1]
    if np.issubdtype(kind, np.integer):
        limits = np.iinfo(kind)
        return random.integers(limits.min // 2, limits.max // 2, shape).astype(kind)
    found = random.standard_normal(shape).astype(np.float32)
    if element == "tf32":
        found = (found.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    return found.astype(kind)


def stored(matrix: Matrix, layout: int, padding: int = 4) -> Matrix:
    """Returns a matrix as it lies in memory, whose lines have unused elements at their ends."""
    if layout == COLUMN_MAJOR:
        matrix = matrix.T
    elif layout == PACKED:
        rows, columns = matrix.shape
        together = 4 // matrix.itemsize
        matrix = matrix.reshape(rows // together, together, columns).swapaxes(1, 2).reshape(rows // together, -1)
    return np.ascontiguousarray(np.pad(matrix, ((0, 0), (0, padding))))


def loaded(lines: Matrix, layout: int, shape: tuple[int, int]) -> Matrix:
    """Returns the matrix that lies in memory row by row, or column by column."""
    rows, columns = shape
    return lines[:columns, :rows].T if layout == COLUMN_MAJOR else lines[:rows, :columns]
