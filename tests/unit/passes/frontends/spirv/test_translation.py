"""Translation: modules of producers, single instructions, what is refused, and what modules tell about themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from passes.frontends.optimisation import IrError, check, optimise
from passes.frontends.spirv import ArgumentKind, SpirvError, specializations, translate
from tests.paths import ROOT
from tests.unit.passes.frontends.spirv.assembling import HEADER, TYPES, assemble, kernel

MODULES = sorted((ROOT / "tests/corpus/spirv").glob("*.spv"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_of_producers(path: Path) -> None:
    """Every module becomes kernels that call nothing but builtins of the consumer."""
    translation = translate(path.read_bytes())
    text = optimise(translation.text)
    kernels = re.findall(r"^define [^@]*spir_kernel[^@]*@(\w+)", text, re.MULTILINE)
    assert kernels == [kernel.name for kernel in translation.information.kernels]
    assert not re.search(r"^define (?!.*spir_kernel)", text, re.MULTILINE)
    assert translation.information.imports == ()


ATOMIC = "%r = {} %int %p %one %zero"

INSTRUCTIONS = {
    "%r = OpIAdd %int %one %two": "add i32 1, 2",
    "%r = OpSMod %int %seven %two": "srem i32 7, 2",
    "%r = OpUConvert %int %one": "or i32 1, 0",
    "%r = OpSConvert %long %one": "sext i32 1 to i64",
    "%r = OpAtomicIAdd %int %p %one %zero %seven": 'ptr addrspace(1) %v1, i32 7 syncscope("device") monotonic',
    "%r = OpAtomicLoad %int %p %two %semantics": 'load atomic i32, ptr addrspace(1) %v1 syncscope("workgroup") seq_cst',
    "OpAtomicStore %p %zero %zero %one": "store atomic i32 1, ptr addrspace(1) %v1 monotonic",
    "%r = OpAtomicCompareExchange %int %p %one %semantics %zero %two %seven": 'i32 7, i32 2 syncscope("device") seq',
    "%r = OpAtomicIDecrement %int %p %one %zero": "atomicrmw sub",
    "OpControlBarrier %two %two %semantics": "@_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)",
    "OpMemoryBarrier %one %semantics": 'fence syncscope("device") seq_cst',
    "%r = OpExtInst %int %cl u_max %one %two": "@_Z3maxjj(i32 1, i32 2)",
    "%r = OpExtInst %float %cl fclamp %fone %fone %fone": "@_Z5clampfff",
    "%g = OpPtrCastToGeneric %genint %p": "addrspacecast ptr addrspace(1) %v1 to ptr addrspace(4)",
    "%r = OpGroupIAdd %int %two Reduce %one": "@_Z17__spirv_GroupIAddiii(i32 2, i32 0, i32 1)",
    "%r = OpSubgroupBlockReadINTEL %int4 %p": "@_Z36__spirv_SubgroupBlockReadINTEL_Rint4PU3AS1i(",
    "%r = OpSubgroupShuffleINTEL %int %one %two": "@_Z28__spirv_SubgroupShuffleINTELii(i32 1, i32 2)",
    "%r = OpSubgroupMatrixMultiplyAccumulateINTEL %float4 %seven %int4 %int4 %float4c !3": ", i32 3)",
    "OpControlBarrierArriveINTEL %two %two %semantics": "__spirv_ControlBarrierArriveINTELiii",
    "%r = OpGroupNonUniformBallot %int4 %two %true": "@_Z29__spirv_GroupNonUniformBallotib(i32 2, i1 true)",
    "%r = OpVectorShuffle %int4 %int2c %int4c 0 3 !0xFFFFFFFF 5": "i32 0, i32 5, i32 poison, i32 7",
    "%r = OpCompositeExtract %int %pairs 1 0": "extractelement <2 x i32>",
    "%r = OpBitReverse %int %one": "@llvm.bitreverse.i32(i32 1)",
    "%r = OpBitFieldSExtract %int %seven %one %two": "sub i32",
    "%r = OpIsNan %bool %fone": "icmp ugt i32",
    "%r = OpConvertFToS %int %fone": "fptosi float",
    "%r = OpFmaKHR %float %fone %fone %fone": "@llvm.fma.f32(float ",
    "%r = OpUndef %int": "undef",
    "%r = OpPoisonKHR %int": "i32 poison",
    "%r = OpFreezeKHR %int4 %int4c": "freeze <4 x i32>",
    "OpCopyMemorySized %p %p %one Aligned 4": "@llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %v1",
    "OpAssumeTrueKHR %true": "@llvm.assume(i1 true)",
    "%r = OpSDot %int %seven %one PackedVectorFormat4x8Bit": "bitcast i32 7 to <4 x i8>",
}

MORE = """
%genint = OpTypePointer Generic %int
%pair = OpTypeStruct %int %int2
%int2c = OpConstantComposite %int2 %one %two
%int4c = OpConstantComposite %int4 %one %two %one %two
%float4c = OpConstantComposite %float4 %fone %fone %fone %fone
%pairs = OpConstantComposite %pair %one %int2c
%true = OpConstantTrue %bool
"""


@pytest.mark.parametrize("line", INSTRUCTIONS)
def test_instruction(line: str) -> None:
    body = line.replace("%int4 %int4 ", "%int4c %int4c ")
    translation = translate(kernel(body, declarations=MORE))
    text = re.sub(r"ptr addrspace\(1\) (align 4 )?%v\d+", r"ptr addrspace(1) \1%v1", translation.text)
    assert INSTRUCTIONS[line] in text
    check(translation.text)
    optimise(translation.text)


def test_copies_between_arrays_are_of_their_elements() -> None:
    """Clang 22 passes a local array where the pointer to its first element stands in the source."""
    declarations = """
%event = OpTypeEvent
%none = OpConstantNull %event
%rows = OpTypeArray %float4 %seven
%table = OpTypeArray %rows %two
%local = OpTypePointer Workgroup %table
%global = OpTypePointer CrossWorkgroup %rows
%t = OpVariable %local Workgroup
"""
    body = "%e = OpGroupAsyncCopy %event %two %t %p %long1 %long1 %none"
    text = translate(kernel(body, parameters="%global %p", declarations=declarations)).text
    assert "@_Z22__spirv_GroupAsyncCopyiPU3AS3Dv4_fPU3AS1S_ll9ocl_event(" in text


REFUSED = {
    "%r = OpAtomicIAdd %int %p %seven %zero %one": "OpAtomicIAdd: its memory scope is 7, not one of",
    "%r = OpIAdd %int %one %long1": "OpIAdd: operand %.* has the type i64, not i32",
    "%r = OpFAdd %int %one %one": "OpFAdd: it works on floats and vectors of them, not on i32",
    "%r = OpLoad %float %p": "OpLoad: the pointer points to i32, and the result is float",
    "OpStore %p %fone": "OpStore: operand %.* has the type float, not i32",
    "%r = OpIAdd %int %one %nowhere": "OpIAdd: %.* has no value in this function",
    "OpControlBarrier %one %two %semantics": "OpControlBarrier: its execution scope is 1, not Workgroup or Subgroup",
    "%r = OpDPdx %float %fone": "OpDPdx: kernels cannot execute it",
    "%r = OpCompositeExtract %int %int4c 4": "OpCompositeExtract: index 1 is 4, and <4 x i32> has no such part",
    "%r = OpVectorShuffle %int2 %int4c %int4c 0 8": "OpVectorShuffle: it names components beyond the 8",
    "OpBranch %nowhere": "OpBranch: %.* is not a block of this function",
    "%r = OpFunctionCall %void %k %p": "OpFunction: the function %.* calls itself",
    "%r = OpExtInst %float %cl exp %fone %fone": "OpExtInst: exp has 2 operands and takes 1",
    "%r = OpExtInst %double %cl exp %fone": "OpExtInst: exp of float gives float, not double",
    "%r = OpLoad %int %p Aligned 3": "OpLoad: the alignment 3 is not a power of two",
    "%r = OpBitcast %long %one": "OpBitcast: it cannot turn i32 into i64",
    "%r = OpPhi %int %one %entry": "OpPhi: it names other blocks than those before it",
    "OpReturnValue %one": "OpReturnValue: operand %.* has the type i32, not void",
}


@pytest.mark.parametrize("line", REFUSED)
def test_refused_instruction(line: str) -> None:
    body = line if "OpBranch" not in line and "OpReturn" not in line else f"{line}\n%after = OpLabel"
    with pytest.raises(SpirvError, match=rf"^word \d+: {REFUSED[line]}"):
        translate(kernel(body, declarations=MORE))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Physical64 OpenCL", "Physical32 OpenCL", "OpMemoryModel: the addressing model is Physical32, not Physical64"),
        ("Physical64 OpenCL", "Physical64 GLSL450", "OpMemoryModel: the memory model is GLSL450, not OpenCL"),
        ("OpCapability Int16", "OpCapability Shader", "OpCapability: the capability Shader is not supported"),
        ("OpEntryPoint Kernel", "OpEntryPoint GLCompute", "OpEntryPoint: the execution model is GLCompute, not Kernel"),
        ('"k"', '"llvm.k"', "OpEntryPoint: 'llvm.k' cannot be the name of a kernel"),
        ("OpTypeInt 32 0", "OpTypeInt 32 1", "OpTypeInt: the signedness of integers in kernels is 0, not 1"),
        ("OpTypeInt 16 0", "OpTypeInt 24 0", "OpTypeInt: the widths of integers are 8, 16, 32 and 64, not 24"),
        ("OpTypeVector %int 4", "OpTypeVector %int 5", "OpTypeVector: a vector has 2, 3, 4, 8 or 16 components, not 5"),
        ("OpTypeVoid", "OpTypeVoid\n%i = OpTypeImage %void 2D 0 1 0 0 Unknown", "it has no access qualifier"),
        ("OpTypeVoid", "OpTypeVoid\n%i = OpTypeImage %void 3D 0 1 0 0 Unknown ReadOnly", "only 1D and 2D images"),
        ("OpTypeVoid", "OpTypeVoid\n%i = OpTypeImage %void 2D 0 0 1 0 Unknown ReadOnly", "images have one sample"),
        ("OpTypeVoid", "OpTypeVoid\n%i = OpTypeImage %void 2D 0 0 0 2 Unknown ReadOnly", "Sampled is 2, not 0"),
        ("OpTypePointer CrossWorkgroup %int", "OpTypePointer Uniform %int", "kernels have no storage class Uniform"),
        ("OpReturn\n", "", "OpLabel: the block has no terminator"),
        ("OpFunctionEnd", "", "OpFunction: the function has no OpFunctionEnd"),
    ],
)
def test_refused_module(old: str, new: str, message: str) -> None:
    text = "\n".join(
        [HEADER, 'OpEntryPoint Kernel %k "k"', TYPES, "%fn = OpTypeFunction %void", "%k = OpFunction %void None %fn"]
    )
    text += "\n%entry = OpLabel\nOpReturn\nOpFunctionEnd"
    translate(assemble(text))
    with pytest.raises(SpirvError, match=message):
        translate(assemble(text.replace(old, new, 1)))


def test_a_capability_without_instructions_that_need_it() -> None:
    """Compilers of SYCL declare integers of any width for all modules; those that occur have widths of OpenCL."""
    header = HEADER.replace("OpCapability Int16", "OpCapability Int16\nOpCapability ArbitraryPrecisionIntegersALTERA")
    lines = [
        header,
        'OpEntryPoint Kernel %k "k"',
        TYPES,
        "%fn = OpTypeFunction %void",
        "%k = OpFunction %void None %fn",
    ]
    text = "\n".join(lines)
    assert translate(assemble(f"{text}\n%entry = OpLabel\nOpReturn\nOpFunctionEnd")).information.kernels[0].name == "k"


def test_arguments_modes_and_linkage() -> None:
    path = ROOT / "tests/corpus/spirv/structures.clang22.spv"
    (structures,) = translate(path.read_bytes()).information.kernels
    assert [each.kind for each in structures.arguments] == [ArgumentKind.VALUE] + [ArgumentKind.POINTER] * 3
    assert (structures.arguments[0].size, structures.arguments[0].alignment) == (48, 16)
    assert [each.address_space for each in structures.arguments] == [None, 1, 1, 1]
    (matmul,) = translate((ROOT / "tests/corpus/spirv/tiled_matmul.clang15.spv").read_bytes()).information.kernels
    assert matmul.local_size == (8, 8, 1)
    assert [each.name for each in matmul.arguments] == ["a", "b", "c", "n"]
    assert matmul.arguments[0].type_name == "float*"
    images = translate((ROOT / "tests/corpus/spirv/images.clang22.spv").read_bytes()).information
    assert [each.access for each in images.kernels[0].arguments] == ["read_only", "write_only", None, "read_only"]
    printing = translate((ROOT / "tests/corpus/spirv/printing.clang15.spv").read_bytes()).information
    assert b"n = %d, x = %f\n" in printing.printf_formats
    subgroups = translate((ROOT / "tests/corpus/spirv/subgroups.clang15.spv").read_bytes()).information
    assert subgroups.kernels[0].subgroup_size == 16


SPECIAL = """
%count = OpSpecConstant %int 3
%flag = OpSpecConstantFalse %bool
%scale = OpSpecConstant %float 1.5
%more = OpSpecConstantOp %int OpIAdd %count %two
%row = OpTypeArray %int %more
%where = OpTypePointer Function %row
%wide = OpSpecConstantOp %long OpUConvert %count
%either = OpSpecConstantOp %int OpSelect %flag %seven %count
"""
DECORATED = "OpDecorate %count SpecId 10\nOpDecorate %flag SpecId 11\nOpDecorate %scale SpecId 12"


def test_specialization() -> None:
    data = kernel("%v = OpVariable %where Function\nOpStore %p %either", declarations=SPECIAL, annotations=DECORATED)
    assert [(each.number, each.type_name, each.size, each.default) for each in specializations(data)] == [
        (10, "i32", 4, b"\3\0\0\0"),
        (11, "i1", 1, b"\0"),
        (12, "float", 4, b"\0\0\xc0?"),
    ]
    text = translate(data).text
    assert "alloca [5 x i32]" in text
    assert "store i32 3," in text
    text = translate(data, {10: (9).to_bytes(4, "little"), 11: b"\1"}).text
    assert "alloca [11 x i32]" in text
    assert "store i32 7," in text
    with pytest.raises(SpirvError, match="the value for SpecId 10 has 2 bytes, and its type 4"):
        translate(data, {10: b"\0\0"})
    with pytest.raises(SpirvError, match="the module has no specialization constant with SpecId 99"):
        translate(data, {99: b"\0\0\0\0"})


def test_locations_survive() -> None:
    data = kernel(
        "OpLine %file 12 3\n%x = OpLoad %int %p\nOpLine %file 13 5\n%y = OpIMul %int %x %x\nOpStore %p %y",
        modes='%file = OpString "src/a.cl"',
    )
    text = optimise(translate(data).text)
    assert re.search(r"mul i32 .*!dbg", text)
    assert "!DILocation(line: 13, column: 5" in text
    assert '!DIFile(filename: "a.cl", directory: "src")' in text


def test_what_intels_translator_writes() -> None:
    """Vectors of one component, masks as words, alignments of 0, variables of modules with pointers for functions."""
    declarations = """%i1 = OpTypeVector %int 1
%i3 = OpTypeVector %int 3
%b8 = OpTypeVector %bool 8
%none = OpConstantNull %b8
%start = OpConstantNull %i1
%pf = OpTypePointer Function %i1
%own = OpVariable %pf Private %start"""
    body = """%x = OpLoad %int %p Aligned 0
%v = OpCompositeInsert %i1 %x %start 0
%w = OpVectorShuffle %i3 %v %start 0 1 0
%n = OpSNegate %i1 %v
%l = OpUConvert %l1 %n
%m = OpBitcast %char %none
OpStore %own %n
OpStore %p %x Aligned 4"""
    text = translate(
        kernel(
            body,
            declarations=f"{declarations}\n%l1 = OpTypeVector %long 1",
            annotations='OpCapability VectorAnyINTEL\nOpExtension "SPV_INTEL_vector_compute"',
        )
    ).text
    check(text)
    for part in ("shufflevector <1 x i32>", "zext <1 x i32>", "bitcast <8 x i1> .* to i8", "= .*global <1 x i32>"):
        assert re.search(part, text)
    assert "align 0" not in text


def test_errors_of_llvm_name_the_instruction() -> None:
    """A use that its definition does not dominate is found by LLVM only."""
    data = kernel(
        "OpBranchConditional %true %a %b\n%a = OpLabel\n%x = OpIAdd %int %one %one\nOpBranch %b\n%b = OpLabel\n"
        "OpStore %p %x",
        declarations=MORE,
    )
    translation = translate(data)
    with pytest.raises(IrError) as error:
        check(translation.text)
    located = translation.located(error.value.message, error.value.line)
    assert located.instruction in ("OpIAdd", "OpStore")
    assert located.word > 0


def test_builtin_variables_of_both_spellings() -> None:
    """SYCL declares them in CrossWorkgroup and reads components behind casts."""
    for storage in ("Input", "CrossWorkgroup"):
        declarations = (
            f"%pv = OpTypePointer {storage} %long3\n%pl = OpTypePointer {storage} %long\n%id = OpVariable %pv {storage}"
        )
        body = "%c = OpBitcast %pl %id\n%q = OpInBoundsPtrAccessChain %pl %c %long1\n%v = OpLoad %long %q\n"
        body += "%n = OpUConvert %int %v\nOpStore %p %n"
        data = kernel(body, declarations=declarations, annotations="OpDecorate %id BuiltIn GlobalInvocationId")
        text = optimise(translate(data).text)
        assert re.search(r"call spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi\(i32 1\)", text)
        assert "alloca" not in text


@pytest.mark.parametrize(("control", "stores"), [("None", 7), ("Unroll", 7), ("DontUnroll", 1)])
def test_unrolling_of_loops(control: str, stores: int) -> None:
    """What a loop says about unrolling is obeyed."""
    body = f"""OpBranch %head
%head = OpLabel
%i = OpPhi %int %zero %entry %next %body
%q = OpInBoundsPtrAccessChain %gint %p %i
%go = OpULessThan %bool %i %seven
OpLoopMerge %end %body {control}
OpBranchConditional %go %body %end
%body = OpLabel
OpStore %q %i
%next = OpIAdd %int %i %one
OpBranch %head
%end = OpLabel"""
    assert optimise(translate(kernel(body)).text).count("store i32") == stores


def test_hostile_sizes_are_refused() -> None:
    """Neither nested types nor chains of calls take time or memory."""
    many = "\n".join(f"%s{n} = OpTypeStruct %s{n - 1} %s{n - 1}" for n in range(1, 60))
    with pytest.raises(SpirvError, match=r"the type has \d+ bytes; the most are"):
        translate(kernel("", declarations=f"%s0 = OpTypeStruct %int\n{many}"))
    functions = "%vf = OpTypeFunction %void\n"
    chain = "".join(
        f"%f{n} = OpFunction %void None %vf\n%l{n} = OpLabel\n%a{n} = OpFunctionCall %void %f{n + 1}\n"
        f"%b{n} = OpFunctionCall %void %f{n + 1}\nOpReturn\nOpFunctionEnd\n"
        for n in range(40)
    )
    chain += "%f40 = OpFunction %void None %vf\n%l40 = OpLabel\nOpReturn\nOpFunctionEnd"
    with pytest.raises(SpirvError, match="with all calls inlined, the function has"):
        translate(assemble(f"{HEADER}{TYPES}{functions}{chain}"))
