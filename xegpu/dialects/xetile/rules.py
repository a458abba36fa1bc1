"""Rules that several ops share. Each raises `VerifyException` with the broken rule and the values that broke it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType, ShapedType, VectorType, f32, i1, i32
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.atomic_kind import AtomicKind
from xegpu.dialects.xegpu.attributes import CacheHint
from xegpu.dialects.xetile.attributes import CacheHintAttr, WgMapAttr
from xegpu.dialects.xetile.types import TileType

INTEGER_KINDS = frozenset(
    {
        CombiningKindFlag.MINUI,
        CombiningKindFlag.MINSI,
        CombiningKindFlag.MAXUI,
        CombiningKindFlag.MAXSI,
        CombiningKindFlag.AND,
        CombiningKindFlag.OR,
        CombiningKindFlag.XOR,
    }
)
FLOAT_KINDS = frozenset(
    {
        CombiningKindFlag.MINNUMF,
        CombiningKindFlag.MAXNUMF,
        CombiningKindFlag.MINIMUMF,
        CombiningKindFlag.MAXIMUMF,
    }
)


def is_integer(element: Attribute) -> bool:
    return isinstance(element, IntegerType | IndexType)


# Vectors


def matrix(what: str, value: Attribute) -> VectorType:
    """`value` as a vector type of rank 2."""
    return _vector_of_rank(what, value, (2,), "a 2-D vector")


def vector(what: str, value: Attribute) -> VectorType:
    """`value` as a vector type of rank 1 or 2."""
    return _vector_of_rank(what, value, (1, 2), "a vector of rank 1 or 2")


def _vector_of_rank(what: str, value: Attribute, ranks: tuple[int, ...], expected: str) -> VectorType:
    result = rules.vector(value, f"expected {what} to be {expected},")
    if (rank := result.get_num_dims()) not in ranks:
        obsolete = " (4-D vectors of blocks are obsolete)" if rank == 4 else ""
        raise VerifyException(f"expected {what} to be {expected}, got {value}{obsolete}")
    return result


def index_vector(what: str, value: Attribute) -> VectorType:
    result = vector(what, value)
    if not isinstance(result.element_type, IndexType):
        raise VerifyException(f"expected {what} to be a vector of index, got {value}")
    return result


def mask(value: Attribute) -> VectorType:
    result = vector("mask", value)
    if result.element_type != i1:
        raise VerifyException(f"expected mask to be a vector of i1, got {value}")
    return result


def same_shape(**values: Attribute) -> None:
    """All values named by the keywords have the same shape."""
    shapes = {name: list(value.get_shape()) for name, value in values.items() if isinstance(value, ShapedType)}
    if len({tuple(shape) for shape in shapes.values()}) > 1:
        found = ", ".join(f"{name} has {shape}" for name, shape in shapes.items())
        raise VerifyException(f"failed to verify that all of {{{', '.join(values)}}} have same shape: {found}")


def same_elements_and_shape(**values: Attribute) -> None:
    """All values named by the keywords hold the same elements."""
    rules.same_element_type(**values)
    same_shape(**values)


def dimensions(name: str, dims: Sequence[int], rank: int) -> None:
    """`dims` names at least one of `rank` dimensions, none twice."""
    if not dims or len(set(dims)) != len(dims) or any(not 0 <= dim < rank for dim in dims):
        raise VerifyException(f"expected {name} to name different dimensions from 0 to {rank - 1}, got {list(dims)}")


# Tiles


def static_shape(tile: TileType) -> None:
    if not tile.has_static_shape():
        raise VerifyException(f"expected a tile of static shape, got {tile}")


def block_tile(tile: TileType) -> None:
    """The tile denotes a dense block of static shape."""
    if tile.is_scattered:
        raise VerifyException(f"expected a tile that is not scattered, got {tile}")
    static_shape(tile)


def scattered_tile(tile: TileType) -> None:
    """The tile has an address for each of its elements, and a static shape."""
    if not tile.is_scattered:
        raise VerifyException(f"expected a scattered tile, got {tile}")
    static_shape(tile)


def divided(what: str, wg_map: WgMapAttr | None, shape: Sequence[int]) -> None:
    """Subgroups' blocks fill `shape`."""
    if wg_map is not None and not wg_map.divides(shape):
        raise VerifyException(f"expected sg_data of {what} to divide the shape {list(shape)}, got {list(wg_map.data)}")


def spread_evenly(what: str, wg_map: WgMapAttr | None, shape: Sequence[int]) -> None:
    """Each subgroup owns the same number of blocks of `shape`, and shares none."""
    if wg_map is not None and not wg_map.spreads_evenly(shape):
        raise VerifyException(
            f"data is not evenly distributed to each subgroup. The shape {list(shape)} should be a multiple of "
            f"sg_layout * sg_data in {what}, which are {list(wg_map.layout)} and {list(wg_map.data)}"
        )


# Attributes


def cache_hints(hints: Mapping[str, CacheHintAttr | None], allowed: Set[CacheHint]) -> None:
    """Each hint, by attribute name, is one of `allowed`."""
    for name, hint in hints.items():
        if hint is not None and hint.data not in allowed:
            known = ", ".join(case for case in CacheHint if case in allowed)
            raise VerifyException(f"invalid {name}: {hint}, expected one of {known}")


def padding(value: Attribute | None, element: Attribute) -> None:
    """`value` can stand for an `element` that is not in memory."""
    if value is None:
        return
    if isa(value, FloatAttr) and value.type == f32:
        if is_integer(element):
            raise VerifyException(f"expected padding of type i32 for elements of {element}, got {value}")
    elif isa(value, IntegerAttr) and value.type == i32:
        bits = element.width.data if isinstance(element, IntegerType) else 32
        if not -(1 << (bits - 1)) <= value.value.data < 1 << bits:
            raise VerifyException(f"expected padding that fits {element}, got {value}")
    else:
        raise VerifyException(f"expected padding of type i32 or f32, got {value}")


def combining_kind(kind: CombiningKindFlag, element: Attribute) -> None:
    """`kind` combines values of type `element`."""
    if kind in (FLOAT_KINDS if is_integer(element) else INTEGER_KINDS):
        expected = "floating-point" if is_integer(element) else "integer"
        raise VerifyException(f"reduction kind {kind} needs {expected} elements, got {element}")


def without(op: Operation, name: str) -> None:
    """`op` does not have an attribute that the RFC or an older version knows, and whose effect would be missed."""
    if name in op.attributes:
        raise VerifyException(f"attribute '{name}' is not supported: it is of a draft or an older version")


def atomic_kind(kind: IntegerAttr, element: Attribute) -> None:
    """`kind` numbers an atomic operation on values of type `element`."""
    number = kind.value.data
    if number not in set(AtomicKind):
        raise VerifyException(f"expected kind from 0 to {max(AtomicKind)}, got {number}")
    known = AtomicKind(number)
    if not known.fits(element):
        needed = "floating-point" if is_integer(element) else "integer"
        raise VerifyException(f"atomic kind {known.keyword} needs {needed} elements, got {element}")
