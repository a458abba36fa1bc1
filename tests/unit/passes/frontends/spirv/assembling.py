"""Modules for tests, in the text of spirv-as."""

from __future__ import annotations

from passes.frontends import spirv


def assemble(text: str, version: int = 0x10400) -> bytes:
    """Returns the module of a text."""
    return spirv.assemble(f"; Version: 1.{version >> 8 & 0xFF}\n{text}")


HEADER = """
OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpCapability Float64
OpCapability GenericPointer
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
"""

TYPES = """
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%int2 = OpTypeVector %int 2
%int4 = OpTypeVector %int 4
%float4 = OpTypeVector %float 4
%long3 = OpTypeVector %long 3
%gint = OpTypePointer CrossWorkgroup %int
%gfloat = OpTypePointer CrossWorkgroup %float
%zero = OpConstant %int 0
%one = OpConstant %int 1
%two = OpConstant %int 2
%seven = OpConstant %int 7
%long1 = OpConstant %long 1
%fone = OpConstant %float 1.0
%semantics = OpConstant %int 0x110
"""


def kernel(
    body: str, *, parameters: str = "%gint %p", declarations: str = "", annotations: str = "", modes: str = ""
) -> bytes:
    """Returns a module with a kernel `k`, whose parameters are pairs of type and name."""
    words = parameters.split()
    types, names = words[::2], words[1::2]
    lines = [HEADER, 'OpEntryPoint Kernel %k "k"', modes, annotations, TYPES, declarations]
    lines.append(f"%fn = OpTypeFunction %void {' '.join(types)}")
    lines.append("%k = OpFunction %void None %fn")
    lines += [f"{name} = OpFunctionParameter {kind}" for kind, name in zip(types, names, strict=True)]
    lines += ["%entry = OpLabel", body, "OpReturn", "OpFunctionEnd"]
    return assemble("\n".join(lines))
