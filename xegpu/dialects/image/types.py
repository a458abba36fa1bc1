"""Types of kernel arguments that are images and samplers."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

ACCESSES = ("readonly", "writeonly", "readwrite")


class ImageShape(StrEnum):
    """A shape of images, as OpenCL C names it. Images of depths have one component."""

    IMAGE_1D = "image1d"
    IMAGE_1D_ARRAY = "image1d_array"
    IMAGE_1D_BUFFER = "image1d_buffer"
    IMAGE_2D = "image2d"
    IMAGE_2D_ARRAY = "image2d_array"
    IMAGE_2D_DEPTH = "image2d_depth"
    IMAGE_2D_ARRAY_DEPTH = "image2d_array_depth"
    IMAGE_3D = "image3d"

    @property
    def rank(self) -> int:
        """The dimensions, layers not counted."""
        return int(self.value.removeprefix("image")[0])

    @property
    def is_array(self) -> bool:
        """Returns whether the images have layers."""
        return "_array" in self.value

    @property
    def is_depth(self) -> bool:
        """Returns whether a texel is a depth."""
        return self.value.endswith("_depth")

    @property
    def coordinates(self) -> int:
        """The coordinates of a texel: its layer is the last one."""
        return self.rank + self.is_array


@irdl_attr_definition
class ImageSurfaceType(ParametrizedAttribute, TypeAttribute):
    """An image: its shape, and what kernels do with it.

    `!image.surface<image2d_array, readonly>`
    """

    name = "image.surface"

    shape: StringAttr
    access: StringAttr

    def __init__(self, shape: ImageShape, access: str):
        super().__init__(StringAttr(shape.value), StringAttr(access))

    @property
    def form(self) -> ImageShape:
        """The shape."""
        return ImageShape(self.shape.data)

    @property
    def is_read(self) -> bool:
        """Returns whether kernels may read texels."""
        return self.access.data != "writeonly"

    @property
    def is_written(self) -> bool:
        """Returns whether kernels may write texels."""
        return self.access.data != "readonly"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[StringAttr]:
        words = (("shape of images", tuple(shape.value for shape in ImageShape)), ("access", ACCESSES))
        found: list[StringAttr] = []
        with parser.in_angle_brackets():
            for what, known in words:
                if found:
                    parser.parse_punctuation(",")
                position = parser.pos
                word = parser.parse_identifier(context_msg=what)
                if word not in known:
                    parser.raise_error(f"unknown {what} '{word}', expected one of {', '.join(known)}", position)
                found.append(StringAttr(word))
        return found

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.shape.data}, {self.access.data}")


@irdl_attr_definition
class ImageSamplerType(ParametrizedAttribute, TypeAttribute):
    """A sampler, which says how coordinates become texels: `!image.sampler`."""

    name = "image.sampler"
