"""Modules in SPIR-V for tests of linking: one that imports, two that export, and one with many kernels."""

from __future__ import annotations

from tests.unit.passes.frontends.spirv.assembling import assemble

_HEADER = """
OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
"""
_TYPES = """
%void = OpTypeVoid
%i32 = OpTypeInt 32 0
%p = OpTypePointer CrossWorkgroup %i32
%two = OpConstant %i32 2
%five = OpConstant %i32 5
%kernel = OpTypeFunction %void %p
%unary = OpTypeFunction %i32 %i32
"""


def user() -> bytes:
    """`k` sets `*p` to `helper(*p) + total`; it imports both."""
    return assemble(
        _HEADER
        + """OpEntryPoint Kernel %k "k"
OpDecorate %helper LinkageAttributes "helper" Import
OpDecorate %total LinkageAttributes "total" Import
"""
        + _TYPES
        + """%total = OpVariable %p CrossWorkgroup
%helper = OpFunction %i32 None %unary
%h = OpFunctionParameter %i32
OpFunctionEnd
%k = OpFunction %void None %kernel
%a = OpFunctionParameter %p
%entry = OpLabel
%x = OpLoad %i32 %a Aligned 4
%y = OpFunctionCall %i32 %helper %x
%t = OpLoad %i32 %total Aligned 4
%z = OpIAdd %i32 %y %t
OpStore %a %z Aligned 4
OpReturn
OpFunctionEnd
"""
    )


def library(linkage: str = "Export") -> bytes:
    """`helper(x)` is `twice(x) + counter`; the kernel `set` sets `counter`, a variable that no other module names."""
    return assemble(
        _HEADER
        + f"""OpEntryPoint Kernel %set "set"
OpDecorate %helper LinkageAttributes "helper" {linkage}
OpDecorate %total LinkageAttributes "total" Export
OpDecorate %twice LinkageAttributes "twice" Import
"""
        + _TYPES
        + """%seven = OpConstant %i32 7
%counter = OpVariable %p CrossWorkgroup %five
%total = OpVariable %p CrossWorkgroup %seven
%twice = OpFunction %i32 None %unary
%h = OpFunctionParameter %i32
OpFunctionEnd
%helper = OpFunction %i32 None %unary
%x = OpFunctionParameter %i32
%first = OpLabel
%y = OpFunctionCall %i32 %twice %x
%c = OpLoad %i32 %counter Aligned 4
%z = OpIAdd %i32 %y %c
OpReturnValue %z
OpFunctionEnd
%set = OpFunction %void None %kernel
%a = OpFunctionParameter %p
%entry = OpLabel
%new = OpLoad %i32 %a Aligned 4
OpStore %counter %new Aligned 4
OpReturn
OpFunctionEnd
"""
    )


def twice(linkage: str = "Export", factor: str = "%two") -> bytes:
    """Exports `twice(x)`, and has no kernel."""
    return assemble(
        _HEADER
        + f'OpDecorate %twice LinkageAttributes "twice" {linkage}\n'
        + _TYPES
        + f"""%twice = OpFunction %i32 None %unary
%x = OpFunctionParameter %i32
%entry = OpLabel
%y = OpIMul %i32 %x {factor}
OpReturnValue %y
OpFunctionEnd
"""
    )


def many(count: int, broken: int = -1) -> bytes:
    """Kernels `k0`, `k1`, ... that store their numbers; `broken` requires work-groups that do not fit."""
    names = "".join(f'OpEntryPoint Kernel %k{number} "k{number}"\n' for number in range(count))
    size = f"OpExecutionMode %k{broken} LocalSize 4096 4096 1\n" if broken >= 0 else ""
    numbers = "".join(f"%n{number} = OpConstant %i32 {number}\n" for number in range(count))
    bodies = "".join(
        f"%k{number} = OpFunction %void None %kernel\n%a{number} = OpFunctionParameter %p\n%l{number} = OpLabel\n"
        f"OpStore %a{number} %n{number} Aligned 4\nOpReturn\nOpFunctionEnd\n"
        for number in range(count)
    )
    return assemble(_HEADER + names + size + _TYPES + numbers + bodies)


def dispatcher() -> bytes:
    """`call` sets `*p` to what a function makes of it: the one whose address it is given, or else `decrement`.

    `increment` is exported, `decrement` has no name.
    """
    bodies = "".join(
        f"""%{name} = OpFunction %i32 None %unary
%x_{name} = OpFunctionParameter %i32
%l_{name} = OpLabel
%r_{name} = OpIAdd %i32 %x_{name} %{step}
OpReturnValue %r_{name}
OpFunctionEnd
"""
        for name, step in (("increment", "one"), ("decrement", "minus"))
    )
    return assemble(
        f"""
OpCapability FunctionPointersINTEL
OpCapability GenericPointer
OpCapability Int64
{_HEADER}OpEntryPoint Kernel %call "call"
OpDecorate %increment LinkageAttributes "increment" Export
{_TYPES}%i64 = OpTypeInt 64 0
%bool = OpTypeBool
%one = OpConstant %i32 1
%minus = OpConstant %i32 4294967295
%zero = OpConstantNull %i64
%code = OpTypePointer CodeSectionINTEL %unary
%pointer = OpTypePointer Generic %unary
%given = OpTypeFunction %void %p %i64
%taken = OpConstantFunctionPointerINTEL %code %decrement
{bodies}%call = OpFunction %void None %given
%a = OpFunctionParameter %p
%f = OpFunctionParameter %i64
%entry = OpLabel
%x = OpLoad %i32 %a Aligned 4
%none = OpIEqual %bool %f %zero
%default = OpPtrCastToGeneric %pointer %taken
%other = OpConvertUToPtr %pointer %f
%chosen = OpSelect %pointer %none %default %other
%y = OpFunctionPointerCallINTEL %i32 %chosen %x
OpStore %a %y Aligned 4
OpReturn
OpFunctionEnd
"""
    )


def mutual(name: str, other: str, *, kernel: bool = False) -> bytes:
    """Exports a function that calls another, which is imported; perhaps a kernel calls it."""
    entry = 'OpEntryPoint Kernel %k "k"\n' if kernel else ""
    body = """%k = OpFunction %void None %kernel
%a = OpFunctionParameter %p
%begin = OpLabel
%r = OpFunctionCall %i32 %f %two
OpStore %a %r Aligned 4
OpReturn
OpFunctionEnd
"""
    return assemble(
        f"""{_HEADER}{entry}OpDecorate %f LinkageAttributes "{name}" Export
OpDecorate %g LinkageAttributes "{other}" Import
{_TYPES}%g = OpFunction %i32 None %unary
%h = OpFunctionParameter %i32
OpFunctionEnd
%f = OpFunction %i32 None %unary
%x = OpFunctionParameter %i32
%entry = OpLabel
%y = OpFunctionCall %i32 %g %x
OpReturnValue %y
OpFunctionEnd
{body if kernel else ""}"""
    )


def counting() -> bytes:
    """`count` stores the sum of the variable `start` and its number for each work-item; it hints at groups of one."""
    return assemble(
        """
OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "count" %id
OpExecutionMode %k LocalSizeHint 1 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %start LinkageAttributes "start" Export
%void = OpTypeVoid
%i32 = OpTypeInt 32 0
%i64 = OpTypeInt 64 0
%v3 = OpTypeVector %i64 3
%input = OpTypePointer Input %v3
%p = OpTypePointer CrossWorkgroup %i32
%five = OpConstant %i32 5
%kernel = OpTypeFunction %void %p
%id = OpVariable %input Input
%start = OpVariable %p CrossWorkgroup %five
%k = OpFunction %void None %kernel
%a = OpFunctionParameter %p
%entry = OpLabel
%v = OpLoad %v3 %id Aligned 32
%x = OpCompositeExtract %i64 %v 0
%s = OpLoad %i32 %start Aligned 4
%n = OpUConvert %i32 %x
%r = OpIAdd %i32 %s %n
%q = OpInBoundsPtrAccessChain %p %a %x
OpStore %q %r Aligned 4
OpReturn
OpFunctionEnd
"""
    )
