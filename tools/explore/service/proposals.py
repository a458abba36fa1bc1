"""Values that the page proposes for arguments, as `xegpu-run --arg` takes them, by what the kernel says of them."""

from __future__ import annotations

import re

ELEMENTS = 1024
"""The elements of an array behind a pointer, which has no size."""

_EXTENT = "64"
"""Stands in proposals for a size that a memref does not state."""

_TEXELS = {"2d": "64x64", "1d_array": "4x64", "2d_array": "4x64x64", "3d": "4x64x64"}
_ELEMENT_TYPES = {
    "char": "i8",
    "uchar": "ui8",
    "short": "i16",
    "ushort": "ui16",
    "int": "i32",
    "uint": "ui32",
    "long": "i64",
    "ulong": "ui64",
    "half": "f16",
    "float": "f32",
    "double": "f64",
}
"""The element types of arrays by the types of OpenCL C."""

_IMAGE = re.compile(r"image(\w+?)_t")
_MEMREF = re.compile(r"memref<((?:[\d?]+x)+)(\w+)")
_POINTER = re.compile(r"(?:const |volatile )*(\w+?)(?:2|3|4|8|16)?\s*\*")


def proposal(type_name: str, access: str | None, *, is_last: bool) -> str:
    """Returns the value for an argument: zeros for a result, other numbers for what is read.

    Args:
        type_name: The type as binaries state it, which may end in its size.
        access: `readonly`, `writeonly` or `readwrite`, None where it is not known.
        is_last: The argument is the last one, which is a result if `access` leaves it open.
    """
    type_name = re.sub(r";\d+$", "", type_name)
    is_result = access == "writeonly" or (is_last and access != "readonly")
    if (image := _IMAGE.match(type_name)) is not None:
        kind = image[1]
        named = f",{kind}" if "array" in kind or kind == "buffer" else ""
        return f"image:rgba8unorm{named}:{'zeros' if is_result else 'arange'}:{_TEXELS.get(kind, _EXTENT)}x4xui8"
    if type_name.startswith("sampler_t"):
        return "sampler:clamp_edge:nearest"
    if "ptr<3>" in type_name or type_name.startswith("local") or "__local" in type_name:
        return "local:1024"
    if (memref := _MEMREF.match(type_name)) is not None:
        return f"{'zeros' if is_result else 'random'}:{memref[1].replace('?', _EXTENT)}{memref[2]}"
    if "ptr" in type_name or "*" in type_name:
        pointee = _POINTER.match(type_name)
        return f"zeros:{ELEMENTS}x{_ELEMENT_TYPES.get('' if pointee is None else pointee[1], 'f32')}"
    return f"{type_name}:1"
