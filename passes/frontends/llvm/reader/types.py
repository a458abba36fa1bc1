"""Reads types of LLVM IR as types of MLIR."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntAttr,
    IntegerType,
    NoneAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType, LLVMVoidType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition

from passes.frontends.llvm.reader.tokens import Statement
from xegpu.dialects.image import ACCESSES, ImageSamplerType, ImageShape, ImageSurfaceType

_MOST_BITS = 64
_MOST_ELEMENTS = 1 << 31
_SIMPLE: Mapping[str, Attribute] = {
    "void": LLVMVoidType(),
    "half": Float16Type(),
    "bfloat": BFloat16Type(),
    "float": Float32Type(),
    "double": Float64Type(),
    **{f"i{bits}": IntegerType(bits) for bits in range(1, _MOST_BITS + 1)},
}
_HANDLES: Mapping[str, Attribute] = {"spirv.Event": IntegerType(64), "spirv.Sampler": ImageSamplerType()}
"""Objects by their names; an event is a number that stands for nothing."""

_SHAPES = {0: "image1d", 1: "image2d", 2: "image3d", 5: "image1d_buffer"}
"""Shapes of images by SPIR-V's numbers of dimensions."""

_IMAGE_NUMBERS = 7
"""The numbers that describe an image: dimension, depth, array, several samples, sampled, format, access."""


_UNSUPPORTED: Mapping[str, str] = {
    "spirv.Pipe": "a pipe",
    "spirv.Queue": "a queue",
}
"""The names that people have for other objects."""


@irdl_attr_definition
class PackedStructType(ParametrizedAttribute, TypeAttribute):
    """A structure without padding between its fields. The importer replaces it by its bytes or by its fields."""

    name = "llvm.packed_struct"

    types: ArrayAttr[Attribute]


class TypeReader:
    """Reads types; `definitions` are the statements behind `type` of those that have names."""

    def __init__(self, definitions: Mapping[str, Statement]):
        self._definitions = definitions
        self._named: dict[str, Attribute] = {}
        self._pointers: dict[int, LLVMPointerType] = {0: LLVMPointerType(NoneAttr())}
        self._vectors: dict[tuple[int, Attribute], VectorType] = {}

    def read(self, statement: Statement) -> Attribute:
        """Takes a type."""
        token = statement.take()
        simple = _SIMPLE.get(token)
        if simple is not None:
            return simple
        if token == "ptr":
            return self._pointer(statement)
        return statement.nested(lambda: self._compound(statement, token))

    def starts(self, statement: Statement) -> bool:
        """Returns whether a type comes next."""
        token = statement.peek()
        return token in _SIMPLE or token in ("ptr", "[", "{", "<", "target") or token[:1] == "%"

    def _pointer(self, statement: Statement) -> Attribute:
        space = 0
        if statement.accept("addrspace"):
            statement.expect("(")
            space = statement.integer()
            statement.expect(")")
        if space not in self._pointers:
            self._pointers[space] = LLVMPointerType(IntAttr(space))
        return self._pointers[space]

    def _compound(self, statement: Statement, token: str) -> Attribute:
        if token == "[":
            count = self._count(statement)
            element = self.read(statement)
            statement.expect("]")
            return LLVMArrayType(IntAttr(count), element)
        if token == "<" and statement.peek() == "{":
            types = statement.items("{", lambda: self.read(statement))
            statement.expect(">")
            return PackedStructType(ArrayAttr(types))
        if token == "<":
            count = self._count(statement)
            element = self.read(statement)
            statement.expect(">")
            if count > 1 << 16 or not isinstance(element, IntegerType | _FLOATS):
                statement.error(f"has a vector of {count} elements of type {element}: that is not supported")
            if (count, element) not in self._vectors:
                self._vectors[count, element] = VectorType(element, [count])
            return self._vectors[count, element]
        if token == "{":
            if statement.accept("}"):
                return LLVMStructType.from_type_list([])
            types = [self.read(statement)]
            while statement.accept(","):
                types.append(self.read(statement))
            statement.expect("}")
            return LLVMStructType.from_type_list(types)
        if token[:1] == "%":
            return self._by_name(statement, token)
        if token == "target":
            return self._target(statement)
        statement.error(f"has a type that is not supported: {token!r}")

    def _target(self, statement: Statement) -> Attribute:
        """Takes a type that only kernels have."""
        statement.expect("(")
        name = statement.take().strip('"')
        if name in ("spirv.Image", "spirv.SampledImage"):
            image = _image(statement)
            return image if name == "spirv.Image" else LLVMStructType.from_type_list([image, ImageSamplerType()])
        type = _HANDLES.get(name)
        if type is None:
            statement.error(f"takes {_UNSUPPORTED.get(name, f'a target({name!r})')}, which is not supported")
        while not statement.accept(")"):
            statement.take()
        return type

    def _count(self, statement: Statement) -> int:
        if statement.peek() == "vscale":
            statement.error("has a scalable vector, which GPUs do not have")
        count = statement.integer()
        if not 0 <= count <= _MOST_ELEMENTS:
            statement.error(f"has {count} elements: expected 0 to {_MOST_ELEMENTS}")
        statement.expect("x")
        return count

    def _by_name(self, statement: Statement, name: str) -> Attribute:
        if name not in self._named:
            definition = self._definitions.pop(name, None) if isinstance(self._definitions, dict) else None
            if definition is None:
                statement.error(f"uses type {name}, which is not defined")
            self._named[name] = definition.nested(lambda: self.read(definition))
        return self._named[name]


def _image(statement: Statement) -> ImageSurfaceType:
    """Takes the parameters of an image type: the type of samples, and numbers."""
    statement.expect(",")
    statement.expect("void")
    numbers = []
    while statement.accept(","):
        numbers.append(statement.integer())
    statement.expect(")")
    if len(numbers) != _IMAGE_NUMBERS:
        statement.error(f"has an image that {len(numbers)} numbers describe: expected {_IMAGE_NUMBERS}")
    dimension, depth, array, samples, *_, access = numbers
    if samples:
        statement.error("takes an image with several samples a texel, which is not supported")
    name = f"{_SHAPES.get(dimension)}{'_array' * array}{'_depth' * depth}"
    if name not in set(ImageShape) or access >= len(ACCESSES):
        statement.error(f"takes an image of dimension {dimension}, depth {depth}, array {array} and access {access}")
    return ImageSurfaceType(ImageShape(name), ACCESSES[access])


_FLOATS = Float16Type | BFloat16Type | Float32Type | Float64Type
