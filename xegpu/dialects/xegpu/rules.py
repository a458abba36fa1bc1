"""Rules that several ops share. Each raises `VerifyException` with the broken rule and the values that broke it."""

from __future__ import annotations

from collections.abc import Mapping, Set

from xdsl.dialects.builtin import IndexType, NoneAttr, VectorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xegpu.dialects.xegpu.attributes import CacheHint, CacheHintAttr
from xegpu.dialects.xegpu.types import TensorDescType, is_scalar

Shape = tuple[int, ...]


def block_descriptor(desc: TensorDescType) -> None:
    """Requires the descriptor of a block of static shape; the planes of a batch of blocks have no `array_length`."""
    if desc.is_scattered:
        raise VerifyException("Expects a non-scattered TensorDesc.")
    if desc.get_num_dims() > 2 and desc.array_length > 1:
        raise VerifyException(f"Expects a 1D or 2D TensorDesc for an array_length of {desc.array_length}, got {desc}")
    static_shape(desc)


def scattered_descriptor(desc: TensorDescType) -> None:
    """Requires a descriptor of addresses of lanes with a static shape."""
    if not desc.is_scattered:
        raise VerifyException("Expects a scattered TensorDesc.")
    static_shape(desc)


def static_shape(desc: TensorDescType) -> None:
    if not desc.has_static_shape():
        raise VerifyException(f"Expects a TensorDesc of static shape, got {desc}")


def no_offsets(offsets: SSAValue | None) -> None:
    """Requires that an access through a scattered descriptor has no offsets of its own."""
    if offsets is not None:
        raise VerifyException("a TensorDesc has its own offsets: expected no offsets, or a memref or integer as source")


def cache_hints(hints: Mapping[str, CacheHintAttr | None], allowed: Set[CacheHint]) -> None:
    """Each hint, by attribute name, is one of `allowed`."""
    for name, hint in hints.items():
        if hint is not None and hint.data not in allowed:
            raise VerifyException(f"invalid {name}: {hint}")


def same_element_type(**values: Attribute) -> None:
    """All values named by the keywords have the same element type."""
    elements = {name: get_element_type_or_self(value) for name, value in values.items()}
    if len(set(elements.values())) > 1:
        found = ", ".join(f"{name} has {element}" for name, element in elements.items())
        raise VerifyException(f"failed to verify that all of {{{', '.join(values)}}} have same element type: {found}")


def vector(value: Attribute, message: str) -> VectorType:
    """`value` as a fixed-size vector type; fails with `message` if it is none."""
    if not isa(value, VectorType):
        raise VerifyException(f"{message} got {value}")
    if value.get_num_scalable_dims():
        raise VerifyException(f"scalable vectors are not supported, got {value}")
    if any(size < 1 for size in value.get_shape()):
        raise VerifyException(f"expected vectors with dimensions of at least 1, got {value}")
    return value


def shape_of(value: Attribute) -> Shape:
    """The shape of a vector; a scalar counts as one element."""
    return value.get_shape() if isa(value, VectorType) else (1,)


def value_shape(value: Attribute, message: str) -> Shape:
    """The shape of a vector or scalar of scalar elements; fails with `message` if `value` is none."""
    if is_scalar(value):
        return (1,)
    return vector(value, message).get_shape()


def mask(what: str, value: Attribute) -> None:
    """`value` is a vector of i1, or i1 itself."""
    if value != i1 and vector(value, f"{what} must be i1 or a vector of i1, but").element_type != i1:
        raise VerifyException(f"{what} must be i1 or a vector of i1, but got {value}")


def index_vector(what: str, value: Attribute) -> VectorType:
    """`value` as a vector of offsets."""
    message = f"{what} must be vector of index values of ranks 1, but"
    result = vector(value, message)
    if result.get_num_dims() != 1 or not isinstance(result.element_type, IndexType):
        raise VerifyException(f"{message} got {value}")
    return result


def is_for_each_lane(shape: Shape, desc: TensorDescType) -> bool:
    """Returns whether `shape` has one entry for each lane of `desc`; with an sg_map a lane may hold only its own."""
    return shape == desc.get_shape()[:1] or (desc.lane_map is not None and shape == (1,))


def subgroup_or_lane_shape(what: str, shape: Shape, whole: tuple[Shape, ...], desc: TensorDescType) -> None:
    """`shape` is that of the whole subgroup (any of `whole`), or that of a lane's fragment.

    The fragment of an sg_map has a row for each unit; in LLVM 22 a fragment has rank 1 and its descriptor no layout.
    """
    if shape in whole:
        return
    elements = desc.element_count() * desc.array_length
    if desc.get_num_dims() > 2:
        raise VerifyException(
            f"{what} shape {list(shape)} is not consistent with tensor descriptor {desc}, expected {_one_of(whole)}"
        )
    if not desc.is_scattered and len(shape) == 1 and shape[0] < elements and desc.fragment_shape() is None:
        if not isinstance(desc.map, NoneAttr):
            raise VerifyException(f"TensorDesc doesn't need LayoutAttr for SIMT code, got {desc}")
        if elements % shape[0] != 0:
            raise VerifyException(
                f"{what} shape {list(shape)} is not a valid distribution for tensor descriptor {desc}"
            )
        return
    fragment = desc.fragment_shape()
    if fragment is None:
        raise VerifyException(
            f"{what} shape {list(shape)} is not consistent with tensor descriptor {desc}, expected {_one_of(whole)}"
        )
    if shape != fragment:
        raise VerifyException(
            f"{what} shape {list(shape)} is not consistent with distributed vector shape {list(fragment)} for tensor "
            f"descriptor {desc}, nor with the shape {_one_of(whole)} of the whole subgroup"
        )


def _one_of(shapes: tuple[Shape, ...]) -> str:
    return " or ".join(str(list(shape)) for shape in shapes)
