"""Operations on images."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, IntAttr, IntegerType, StringAttr, UnitAttr, VectorType, f32, i32
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.image.types import ImageSamplerType, ImageShape, ImageSurfaceType
from xegpu.isa.model import ADDRESSING_WORDS, FILTER_WORDS

COMPONENTS = 4
"""The components of a texel that is no depth."""

_NEED_NORMALIZED = ("repeat", "mirror")
_GLOBAL_POINTER = LLVMPointerType(IntAttr(1))

SIZES = ("width", "height", "depth", "array_size")
FACTS = (*SIZES, "num_mip_levels", "channel_data_type", "channel_order")
"""The facts that kernels may ask for; images have some of the sizes."""


def sizes_of(shape: ImageShape) -> tuple[str, ...]:
    """Returns the names of the sizes that images of a shape have."""
    return (*SIZES[: shape.rank], *(SIZES[-1:] if shape.is_array else ()))


def _surface(value: SSAValue) -> ImageSurfaceType:
    assert isinstance(value.type, ImageSurfaceType)
    return value.type


def _verify_coordinates(image: ImageSurfaceType, coordinates: Sequence[SSAValue]) -> None:
    expected = image.form.coordinates
    if len(coordinates) != expected:
        raise VerifyException(f"has {len(coordinates)} coordinates: {image.form.value} has {expected}")


def _verify_texel(image: ImageSurfaceType, type: Attribute) -> None:
    """Checks the type of a texel: four components, of which a depth is the first one and may stand alone."""
    floats, integers = (VectorType(element, [COMPONENTS]) for element in (f32, i32))
    expected = (f32, floats) if image.form.is_depth else (floats, integers)
    if type not in expected:
        words = " or ".join(map(str, expected))
        raise VerifyException(f"has a texel of type {type}: {image.form.value} has {words}")


def _verify_read(image: ImageSurfaceType) -> None:
    if not image.is_read:
        raise VerifyException("reads an image that is writeonly")


@irdl_op_definition
class ReadOp(IRDLOperation):
    """Reads the texel at integer coordinates: width, height, depth, layer, as far as the image has them.

    Integers come from images of integers, floats from all others. Outside of the image, the texel is one of zero bits.

    ```mlir
    %t = image.read %image[%x, %y] : !image.surface<image2d, readonly> -> vector<4xf32>
    ```
    """

    name = "image.read"

    image = operand_def(ImageSurfaceType)
    coordinates = var_operand_def(i32)
    texel = result_def()

    traits = traits_def(MemoryReadEffect())
    assembly_format = "$image `[` $coordinates `]` attr-dict `:` type($image) `->` type($texel)"

    def __init__(self, image: SSAValue, coordinates: Sequence[SSAValue], texel: Attribute):
        super().__init__(operands=[image, coordinates], result_types=[texel])

    def verify_(self) -> None:
        image = _surface(self.image)
        _verify_read(image)
        _verify_coordinates(image, self.coordinates)
        _verify_texel(image, self.texel.type)


@irdl_op_definition
class SampleOp(IRDLOperation):
    """Samples an image at float coordinates, as the sampler says; a layer is the nearest integer.

    `level` is the level of detail, 0 if it is left out.

    ```mlir
    %t = image.sample %image[%u, %v] with %sampler level %l : !image.surface<image2d, readonly> -> vector<4xf32>
    ```
    """

    name = "image.sample"

    image = operand_def(ImageSurfaceType)
    coordinates = var_operand_def(f32)
    sampler = operand_def(ImageSamplerType)
    level = opt_operand_def(Float32Type)
    texel = result_def()

    traits = traits_def(MemoryReadEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$image `[` $coordinates `]` `with` $sampler (`level` $level^)? attr-dict `:` type($image) `->` type($texel)"
    )

    def __init__(
        self,
        image: SSAValue,
        coordinates: Sequence[SSAValue],
        sampler: SSAValue,
        texel: Attribute,
        level: SSAValue | None = None,
    ):
        super().__init__(operands=[image, coordinates, sampler, level], result_types=[texel])

    def verify_(self) -> None:
        image = _surface(self.image)
        if image.is_written or image.form is ImageShape.IMAGE_1D_BUFFER:
            raise VerifyException(f"samples an image of type {image}: expected one that is readonly, and no buffer")
        _verify_coordinates(image, self.coordinates)
        _verify_texel(image, self.texel.type)


@irdl_op_definition
class WriteOp(IRDLOperation):
    """Writes the texel at integer coordinates; nothing outside of the image.

    ```mlir
    image.write %texel, %image[%x, %y] : vector<4xf32>, !image.surface<image2d, writeonly>
    ```
    """

    name = "image.write"

    texel = operand_def()
    image = operand_def(ImageSurfaceType)
    coordinates = var_operand_def(i32)

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$texel `,` $image `[` $coordinates `]` attr-dict `:` type($texel) `,` type($image)"

    def __init__(self, texel: SSAValue, image: SSAValue, coordinates: Sequence[SSAValue]):
        super().__init__(operands=[texel, image, coordinates])

    def verify_(self) -> None:
        image = _surface(self.image)
        if not image.is_written:
            raise VerifyException("writes an image that is readonly")
        _verify_coordinates(image, self.coordinates)
        _verify_texel(image, self.texel.type)


@irdl_op_definition
class QueryOp(IRDLOperation):
    """A number that describes an image: a size in texels, `num_mip_levels`, `channel_data_type` or `channel_order`.

    The last two are the numbers of OpenCL.

    ```mlir
    %w = image.query "width" of %image : !image.surface<image2d, readonly>
    ```
    """

    name = "image.query"

    fact = prop_def(StringAttr)
    image = operand_def(ImageSurfaceType)
    result = result_def(IntegerType(32))

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$fact `of` $image attr-dict `:` type($image)"

    def __init__(self, fact: str, image: SSAValue):
        super().__init__(operands=[image], result_types=[i32], properties={"fact": StringAttr(fact)})

    def verify_(self) -> None:
        shape = _surface(self.image).form
        known = (*sizes_of(shape), *FACTS[len(SIZES) :])
        _verify_word(f"fact of {shape.value}", self.fact.data, known)


@irdl_op_definition
class StateOp(IRDLOperation):
    """The address of the surface state of an image: the record that says where the texels are.

    ```mlir
    %p = image.state %image : !image.surface<image2d, readonly>
    ```
    """

    name = "image.state"

    image = operand_def(ImageSurfaceType)
    result = result_def(_GLOBAL_POINTER)

    POINTER: ClassVar[LLVMPointerType] = _GLOBAL_POINTER

    traits = traits_def(Pure())
    assembly_format = "$image attr-dict `:` type($image)"

    def __init__(self, image: SSAValue):
        super().__init__(operands=[image], result_types=[self.POINTER])


@irdl_op_definition
class ConstantSamplerOp(IRDLOperation):
    """A sampler that the kernel itself brings along.

    ```mlir
    %s = image.constant_sampler "repeat", "linear" {normalized}
    ```
    """

    name = "image.constant_sampler"

    addressing = prop_def(StringAttr)
    filter = prop_def(StringAttr)
    normalized = opt_prop_def(UnitAttr)
    result = result_def(ImageSamplerType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$addressing `,` $filter attr-dict"

    def __init__(self, addressing: str, filter: str, *, normalized: bool):
        super().__init__(
            result_types=[ImageSamplerType()],
            properties={
                "addressing": StringAttr(addressing),
                "filter": StringAttr(filter),
                "normalized": UnitAttr() if normalized else None,
            },
        )

    def verify_(self) -> None:
        _verify_word("addressing", self.addressing.data, ADDRESSING_WORDS)
        _verify_word("filter", self.filter.data, FILTER_WORDS)
        if self.addressing.data in _NEED_NORMALIZED and self.normalized is None:
            raise VerifyException(f"has addressing '{self.addressing.data}', which is for normalized coordinates")


def _verify_word(what: str, word: str, known: Iterable[str]) -> None:
    if word not in known:
        raise VerifyException(f"unknown {what} '{word}', expected one of {', '.join(known)}")
