"""Modules of SPIR-V, from their words to results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runtime import Device
from runtime.mux import compile_spirv
from tests.paths import ROOT
from tests.unit.passes.frontends.spirv.assembling import assemble
from xegpu.diagnostics import CompileError

CORPUS = ROOT / "tests" / "corpus" / "spirv"
REFUSED = {
    "images.clang22": "kernel argument 'arg0' is an image: pvc has no images",
}
"""The errors for kernels of the corpus that need something PVC lacks."""


def test_vector_add() -> None:
    device = Device()
    binary = compile_spirv((CORPUS / "vector_add.ocloc.spv").read_bytes(), "pvc")
    a, b = np.arange(40, dtype=np.float32), np.ones(40, np.float32)
    c = np.zeros(40, np.float32)
    device.load(binary)["vector_add"][(3, 1, 1), (16, 1, 1)](a, b, c, 2.0, 37)
    np.testing.assert_array_equal(c, np.where(a < 37, a + 2, 0))


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.spv")), ids=lambda path: path.stem)
def test_corpus(path: Path) -> None:
    """Each module becomes a binary, or says what is missing."""
    if path.stem in REFUSED:
        with pytest.raises(CompileError) as caught:
            compile_spirv(path.read_bytes(), "pvc", path.name)
        assert REFUSED[path.stem] in str(caught.value)
    else:
        assert compile_spirv(path.read_bytes(), "pvc", path.name).startswith(b"\x7fELF")


def test_images_on_a_device_that_has_them() -> None:
    device, draw = Device("arc"), np.random.default_rng(0)
    kernel = device.load(compile_spirv((CORPUS / "images.clang22.spv").read_bytes(), "arc"))["images"]
    texels, volume = draw.random((3, 21, 4), np.float32), draw.random((2, 3, 21, 4), np.float32)
    target = device.empty_image((3, 21), "rgba32float")
    given = device.sampler("clamp_edge", "linear")
    kernel[(2, 3, 1), (16, 1, 1)](
        device.image(texels, "rgba32float"), target, given, device.image(volume, "rgba32float")
    )
    np.testing.assert_allclose(target.numpy(), 3 * texels + volume[1], rtol=4 * np.finfo(np.float32).eps)


ANY_WIDTH = """
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability ArbitraryPrecisionIntegersALTERA
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%narrow = OpTypeInt 27 0
%wide = OpTypeInt 40 0
%three = OpConstant %narrow 3
%large = OpConstant %wide 0x1200000034
%bits = OpConstant %wide 35
%long3 = OpTypeVector %long 3
%input = OpTypePointer Input %long3
%glong = OpTypePointer CrossWorkgroup %long
%id = OpVariable %input Input
%fn = OpTypeFunction %void %glong
%k = OpFunction %void None %fn
%out = OpFunctionParameter %glong
%entry = OpLabel
%ids = OpLoad %long3 %id
%i = OpCompositeExtract %long %ids 0
%place = OpInBoundsPtrAccessChain %glong %out %i
%value = OpLoad %long %place Aligned 8
%a = OpUConvert %narrow %value
%product = OpIMul %narrow %a %three
%signed = OpSConvert %long %product
%b = OpUConvert %wide %value
%sum = OpIAdd %wide %b %large
%high = OpShiftRightLogical %wide %sum %bits
%shifted = OpUConvert %long %high
OpSwitch %b %other 0x1200000034 %same
%same = OpLabel
OpStore %place %signed Aligned 8
OpReturn
%other = OpLabel
%both = OpBitwiseXor %long %signed %shifted
OpStore %place %both Aligned 8
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_integers_between_the_widths_of_opencl(engine: str) -> None:
    """Optimisers make such integers, and clang writes them if it may use each extension."""
    values = np.append(np.random.default_rng(3).integers(-(2**62), 2**62, 15), 0x1200000034)
    found = values.copy()
    Device("pvc", engine=engine).load(compile_spirv(assemble(ANY_WIDTH), "pvc"))["k"][(1,), (16,)](found)
    signed = ((values * 3) << 37) >> 37
    shifted = ((values + 0x1200000034) & (2**40 - 1)) >> 35
    np.testing.assert_array_equal(found, np.where(values & (2**40 - 1) == 0x1200000034, signed, signed ^ shifted))


RENAMED = """
OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %out "result"
%hidden = OpTypeOpaque "struct.hidden"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%two = OpConstant %int 2
%seven = OpConstant %int 7
%nine = OpConstant %int 9
%row = OpTypeArray %int %two
%other = OpTypeArray %int %two
%a = OpTypeStruct %row %int
%b = OpTypeStruct %other %int
%pair = OpConstantComposite %row %seven %nine
%given = OpConstantComposite %a %pair %two
%ghidden = OpTypePointer CrossWorkgroup %hidden
%gint = OpTypePointer CrossWorkgroup %int
%fn = OpTypeFunction %void %gint %ghidden
%k = OpFunction %void None %fn
%out = OpFunctionParameter %gint
%unread = OpFunctionParameter %ghidden
%entry = OpLabel
%copied = OpCopyLogical %b %given
%found = OpCompositeExtract %int %copied 0 1
OpStore %out %found Aligned 4
OpReturn
OpFunctionEnd
"""


def test_structures_by_other_names_and_opaque_types() -> None:
    kernel = Device("pvc").load(compile_spirv(assemble(RENAMED), "pvc"))["k"]
    assert kernel.parameter_names[0] == "result"
    out, unread = np.zeros(1, np.int32), np.zeros(1, np.int32)
    kernel[1, (1,)](out, unread)
    assert out.tolist() == [9]


def test_copies_of_other_structures() -> None:
    text = RENAMED.replace("%b = OpTypeStruct %other %int", "%b = OpTypeStruct %int %other")
    with pytest.raises(CompileError, match="OpCopyLogical: it cannot copy"):
        compile_spirv(assemble(text), "pvc")


def test_values_of_opaque_types() -> None:
    text = RENAMED.replace(
        "OpReturn\n", "%whole = OpLoad %hidden %unread Aligned 8\nOpStore %unread %whole Aligned 8\nOpReturn\n"
    )
    with pytest.raises(CompileError, match="OpLoad: values of an opaque type"):
        compile_spirv(assemble(text), "pvc")
