"""Messages of subgroups about blocks of a plane as functions of values.

OpenCL C passes such blocks through private memory. Where the memory is read and written outside of the message, LLVM
makes values of it.
"""

from __future__ import annotations

import re

from passes.frontends.builtins.signatures import declared_signature

_NAME = r"intel_sub_group_(2d_block_(read|write)\w*?_(\d+)b_(\d+)r(\d+)x(\d+)c)"
_DECLARATION = re.compile(rf'^declare [^@\n]*@("?)(_Z\d+{_NAME}\w+)\1\([^\n]*$', re.MULTILINE)
_GROUP = re.compile(r" #\d+$")
_LANES = 16
_SOURCE = 5
"""The argument that points to the block, behind the plane and the place in it."""


def take_blocks(text: str) -> str:
    """Returns a module whose messages about blocks take and give values; the memory around them is the caller's."""
    return _DECLARATION.sub(_definition, text)


def _definition(found: re.Match[str]) -> str:
    """Returns a function with the name of a message that has a block in memory."""
    _, symbol, name, word, bits, rows, columns, blocks = found.groups()
    signature = declared_signature(_GROUP.sub("", found[0]))
    if signature is None or len(signature.parameters) != _SOURCE + 1:
        return found[0]
    total = int(bits) * int(rows) * int(columns) * int(blocks) // _LANES
    unit = 32 if "transform" in name else min(max(int(bits), 16), total)
    if not unit:
        return found[0]
    part = f"<{max(total // unit, 1)} x i{unit}>"
    parameters = [f"{type} %a{number}" for number, type in enumerate(signature.parameters)]
    plane, memory = ", ".join(parameters[:_SOURCE]), parameters[_SOURCE]
    types, alignment = ", ".join(signature.parameters[:_SOURCE]), max(unit // 8, 1)
    if word == "read":
        declared = f'declare {part} @"{name}"({types}) convergent nounwind'
        body = [f'  %v = call {part} @"{name}"({plane})', f"  store {part} %v, {memory}, align {alignment}"]
    else:
        declared = f'declare void @"{name}"({types}, {part}) convergent nounwind'
        body = [f"  %v = load {part}, {memory}, align {alignment}", f'  call void @"{name}"({plane}, {part} %v)']
    head = f"define internal void @{symbol}({', '.join(parameters)}) alwaysinline {{"
    return "\n".join([declared, head, *body, "  ret void", "}"])
