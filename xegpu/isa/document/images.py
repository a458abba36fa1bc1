"""Tables about images and samplers."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from xegpu.isa.document.markdown import table
from xegpu.isa.model.surface_states import LAYOUTS as TEXELS, SHAPES, Shape


def image_shapes() -> str:
    def size(limit: int, rank: int, shape: Shape) -> str:
        return "1" if shape.axes[rank] is None else f"1 to {limit}"

    rows = []
    for type, shape in SHAPES.items():
        axes = ", ".join(
            f"{'layer' if shape.is_array and axis == 'z' else axis} = {'uvr'[number]}"
            for axis, number in zip("xyz", shape.axes, strict=True)
            if number is not None
        )
        sizes = (size(limit, rank, shape) for rank, limit in enumerate(shape.limits))
        rows.append([type.value, f"`{type.name}`", axes, *sizes])
    return table(["Type", "Name", "Coordinates", "Width", "Height", "Depth"], rows)


def image_layouts() -> str:
    rows = [
        [number, layout.text, layout.texel_bytes, " ".join(f"`{t.name}`" for t in sorted(layout.types))]
        for number, layout in enumerate(TEXELS)
    ]
    return table(["Layout", "Bits of R, G, B, A", "Bytes", "Channel types"], rows)


def numbered(members: Iterable[IntEnum]) -> str:
    return ", ".join(f"{member.value} `{member.name}`" for member in members)
