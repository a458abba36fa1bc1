"""An assembler for tests: lines as `spirv-as` reads them, with named ids."""

from __future__ import annotations

import shlex
import struct

from passes.frontends.spirv.grammar import ID_KINDS, grammar
from passes.frontends.spirv.reader import MAGIC

_OPERATIONS = {each.name: each for each in grammar().operations.values()}
_OPENCL = {each.name: each.opcode for each in grammar().opencl.values()}


def assemble(text: str, version: int = 0x10400) -> bytes:
    """Returns the module of a text. Words of other literals are written as `!number`."""
    numbers: dict[str, int] = {}
    widths: dict[str, tuple[str, int]] = {}
    words: list[int] = []

    def number(name: str) -> int:
        return numbers.setdefault(name, len(numbers) + 1)

    for line in text.splitlines():
        tokens = shlex.split(line, comments=True, posix=False)
        if not tokens:
            continue
        result = tokens.pop(0) if len(tokens) > 1 and tokens[1] == "=" else ""
        if result:
            tokens.pop(0)
        name, *rest = tokens
        operation = _OPERATIONS[name]
        if name in ("OpTypeInt", "OpTypeFloat"):
            widths[result] = (name, int(rest[0]))
        kind = rest[0] if operation.has_type else ""
        encoded: list[int] = []
        if operation.has_type:
            encoded.append(number(rest.pop(0)))
        if operation.has_result:
            encoded.append(number(result))
        for place, token in enumerate(rest):
            expected = operation.operands[min(place, len(operation.operands) - 1)].rstrip("?*")
            encoded += _operand(token, expected, widths.get(kind), number)
        words += [(len(encoded) + 1) << 16 | operation.opcode, *encoded]
    return struct.pack(f"<{len(words) + 5}I", MAGIC, version, 0, len(numbers) + 1, 0, *words)


def _operand(token: str, kind: str, scalar: tuple[str, int] | None, number: object) -> list[int]:
    assert callable(number)
    if token.startswith("%"):
        return [number(token)]
    if token.startswith("!"):
        return [int(token[1:], 0)]
    if token.startswith('"'):
        data = token[1:-1].encode() + b"\0"
        data += b"\0" * (-len(data) % 4)
        return list(struct.unpack(f"<{len(data) // 4}I", data))
    if kind == "LiteralContextDependentNumber" and scalar is not None:
        return _literal(token, *scalar)
    enumeration = grammar().enumerations.get(kind)
    if enumeration is not None and token.partition("|")[0] in enumeration.values:
        mask = 0
        for each in token.split("|"):
            mask |= enumeration.values[each]
        return [mask]
    if token in _OPENCL:
        return [_OPENCL[token]]
    for other in grammar().enumerations.values() if kind not in ID_KINDS and not token.isdigit() else ():
        if token in other.values:
            return [other.values[token]]
    if token.startswith("Op"):
        return [_OPERATIONS[token].opcode]
    return [int(token, 0) & 0xFFFFFFFF]


def _literal(token: str, kind: str, width: int) -> list[int]:
    if kind == "OpTypeFloat":
        code = {16: "<e", 32: "<f", 64: "<d"}[width]
        bits = int.from_bytes(struct.pack(code, float(token)), "little")
    else:
        bits = int(token, 0) & ((1 << max(width, 32)) - 1)
    return [bits & 0xFFFFFFFF, *([bits >> 32] if width == 64 else [])]


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
