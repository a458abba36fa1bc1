"""Checks of a whole module: capabilities, memory model, entry points, and the graph of calls."""

from __future__ import annotations

from passes.frontends.spirv.errors import SpirvError
from passes.frontends.spirv.grammar import name_of
from passes.frontends.spirv.module import Function, Module, entry_name
from passes.frontends.spirv.reader import Instruction

MOST_INLINED = 1 << 22
"""The most instructions that a function may have once all calls are inlined."""

_KERNEL = 6
_CLANG_KERNEL = "__clang_ocl_kern_imp_"
"""The prefix that clang gives to the function of a kernel that other kernels call."""
_PHYSICAL64 = 2
_OPENCL = 2

_CAPABILITIES = """
    Addresses ArbitraryPrecisionIntegersALTERA ArithmeticFenceEXT AtomicFloat16AddEXT AtomicFloat16MinMaxEXT
    AtomicFloat32AddEXT AtomicFloat32MinMaxEXT AtomicFloat64AddEXT AtomicFloat64MinMaxEXT BFloat16ConversionINTEL
    BFloat16CooperativeMatrixKHR BFloat16TypeKHR BitInstructions CacheControlsINTEL
    CooperativeMatrixBFloat16ComponentTypeINTEL CooperativeMatrixCheckedInstructionsINTEL
    CooperativeMatrixInvocationInstructionsINTEL CooperativeMatrixKHR CooperativeMatrixPrefetchINTEL
    CooperativeMatrixTF32ComponentTypeINTEL DebugInfoModuleINTEL DenormFlushToZero DenormPreserve DotProduct
    DotProductInput4x8Bit DotProductInput4x8BitPacked DotProductInputAll ExpectAssumeKHR FMAKHR FPFastMathModeINTEL
    FPGALoopControlsALTERA FPMaxErrorINTEL Float16 Float16Buffer Float64 FloatControls2 FunctionFloatControlINTEL
    FunctionPointersINTEL GenericPointer GlobalVariableHostAccessINTEL GroupNonUniform GroupNonUniformArithmetic
    GroupNonUniformBallot GroupNonUniformClustered GroupNonUniformQuad GroupNonUniformRotateKHR GroupNonUniformShuffle
    GroupNonUniformShuffleRelative GroupNonUniformVote GroupUniformArithmeticKHR Groups Image1D ImageBasic ImageBuffer
    ImageMipmap ImageReadWrite IndirectReferencesINTEL Int16 Int64 Int64Atomics Int8 IntegerFunctions2INTEL Kernel
    KernelAttributesINTEL Linkage LiteralSampler LoopFuseALTERA Matrix MemoryAccessAliasingINTEL OptNoneEXT
    PackedCooperativeMatrixINTEL PoisonFreezeKHR RegisterLimitsINTEL RoundingModeRTE RoundingModeRTZ Sampled1D
    SampledBuffer ShaderClockKHR SignedZeroInfNanPreserve SplitBarrierINTEL Subgroup2DBlockIOINTEL
    Subgroup2DBlockTransformINTEL Subgroup2DBlockTransposeINTEL SubgroupBallotKHR SubgroupBufferBlockIOINTEL
    SubgroupBufferPrefetchINTEL SubgroupDispatch SubgroupImageBlockIOINTEL SubgroupImageMediaBlockIOINTEL
    SubgroupMatrixMultiplyAccumulateINTEL SubgroupShuffleINTEL SubgroupVoteKHR TensorFloat32RoundingINTEL
    USMStorageClassesALTERA UniformDecoration UnstructuredLoopControlsINTEL Vector16 VectorAnyINTEL VectorComputeINTEL
"""

CAPABILITIES = frozenset(_CAPABILITIES.split())
"""The capabilities that a module may declare. That it declares one does not mean that all of its instructions work."""


def validate(module: Module) -> None:
    """Checks the module.

    Raises:
        SpirvError: It breaks a rule.
    """
    for instruction in module.capabilities:
        capability = name_of("Capability", instruction.number(0))
        if capability not in CAPABILITIES:
            raise instruction.error(f"the capability {capability} is not supported")
    model = module.memory_model
    if model is None:
        raise SpirvError("the module has no OpMemoryModel")
    if model.number(0) != _PHYSICAL64:
        raise model.error(f"the addressing model is {name_of('AddressingModel', model.number(0))}, not Physical64")
    if model.number(1) != _OPENCL:
        raise model.error(f"the memory model is {name_of('MemoryModel', model.number(1))}, not OpenCL")
    for name in set(module.sets.values()) - {"OpenCL.std"}:
        if not name.startswith(("OpenCL.DebugInfo", "NonSemantic.")):
            raise SpirvError(f"the set of extended instructions {name!r} is not supported")
    _entry_points(module)
    _calls(module)


def _entry_points(module: Module) -> None:
    names: set[str] = set()
    for instruction in module.entry_points:
        if instruction.number(0) != _KERNEL:
            model = name_of("ExecutionModel", instruction.number(0))
            raise instruction.error(f"the execution model is {model}, not Kernel")
        function = module.functions.get(instruction.number(1))
        if function is None or not function.blocks:
            raise instruction.error(f"%{instruction.number(1)} is not a function with a body")
        name = entry_name(instruction)
        if name in names:
            raise instruction.error(f"a second entry point has the name {name!r}")
        names.add(name)


def _calls(module: Module) -> None:
    """Walks the graph of calls without recursion of its own. Refuses cycles, and functions that inlining makes huge."""
    exports = exported(module)
    sizes: dict[int, int] = {}
    for start in module.functions.values():
        open_calls: set[int] = set()
        stack: list[tuple[Function, list[Function]]] = []
        pending: Function | None = start
        while pending is not None or stack:
            if pending is not None:
                if pending.number in open_calls:
                    raise pending.head.error(f"the function %{pending.number} calls itself, directly or through others")
                if pending.number not in sizes:
                    open_calls.add(pending.number)
                    stack.append((pending, _callees(module, exports, pending)))
            function, left = stack[-1] if stack else (start, [])
            if not stack:
                break
            pending = left.pop() if left else None
            if pending is None:
                stack.pop()
                open_calls.discard(function.number)
                size = sum(1 for _ in function.instructions())
                size += sum(sizes[each.number] for each in _callees(module, exports, function))
                if size > MOST_INLINED:
                    raise function.head.error(f"with all calls inlined, the function has {size} instructions")
                sizes[function.number] = size


def _callees(module: Module, exports: dict[str, Function], function: Function) -> list[Function]:
    found: list[Function] = []
    for instruction in function.instructions():
        if instruction.name == "OpFunctionCall":
            callee = module.functions.get(instruction.number(0))
            if callee is not None and not callee.blocks:
                linkage = module.linkage(callee.number)
                callee = exports.get(linkage.name) if linkage else None
            if callee is not None:
                found.append(callee)
        elif instruction.name == POINTER_CALL:
            found += [each for each in pointed_functions(module, instruction, function) if each.blocks]
    return found


POINTER_CALL = "OpFunctionPointerCallINTEL"


def pointed_functions(module: Module, call: Instruction, caller: Function) -> list[Function]:
    """Returns the functions that a call by a pointer may reach: of the type of the pointer, if the module exports them
    or takes their addresses.

    Raises:
        SpirvError: The operand is not a pointer to a function.
    """
    definitions = {each.result: each for each in (*module.declarations, *caller.parameters, *caller.instructions())}
    pointer = definitions.get(call.number(0))
    kind = None if pointer is None else definitions.get(pointer.type)
    if kind is None or kind.name != "OpTypePointer":
        raise call.error(f"%{call.number(0)} is not a pointer to a function")
    taken = {each.number(0) for each in module.declarations if each.name == "OpConstantFunctionPointerINTEL"}
    taken |= {each.number for each in library_functions(module).values()}
    found = (each for number, each in module.functions.items() if number in taken)
    return [each for each in found if each.head.number(1) == kind.number(1)]


def library_functions(module: Module) -> dict[str, Function]:
    """Returns the functions that a module exports for others to call, by name: kernels are not among them."""
    if module.library is None:
        kernels = {entry_name(entry) for entry in module.entry_points}
        kernels |= {f"{_CLANG_KERNEL}{name}" for name in kernels}
        module.library = {name: function for name, function in exported(module).items() if name not in kernels}
    return module.library


def exported(module: Module) -> dict[str, Function]:
    """Returns the functions that a module exports, by name."""
    found: dict[str, Function] = {}
    for function in module.functions.values():
        linkage = module.linkage(function.number)
        if function.blocks and linkage is not None and linkage.kind != "Import":
            found.setdefault(linkage.name, function)
    return found
