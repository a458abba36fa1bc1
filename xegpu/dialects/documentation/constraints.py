"""Constraints of operands, results and attributes as a reader of MLIR would say them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloatConstr,
    ArrayAttr,
    ArrayOfConstraint,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ShapedType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.dialects.llvm import ShuffleVectorResultConstraint
from xdsl.dialects.utils.reshape_ops_utils import ContiguousArrayOfIntArray
from xdsl.dialects.vector import ShuffleResultConstraint
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import (
    AllOf,
    AnyAttr,
    AnyOf,
    AttrConstraint,
    AttrSetConstraint,
    BaseAttr,
    EqAttrConstraint,
    MessageConstraint,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    RangeVarConstraint,
    VarConstraint,
)

_BUILTIN: dict[type[Attribute], str] = {
    AffineMapAttr: "affine map",
    ArrayAttr: "array",
    DenseArrayBase: "dense array",
    DenseIntOrFPElementsAttr: "dense elements",
    DenseResourceAttr: "dense resource",
    DictionaryAttr: "dictionary",
    FloatAttr: "float",
    FunctionType: "function type",
    IndexType: "`index`",
    IntegerAttr: "integer",
    IntegerType: "integer",
    MemRefType: "memref",
    ShapedType: "memref, tensor or vector",
    StringAttr: "string",
    SymbolRefAttr: "symbol reference",
    TensorType: "tensor",
    UnitAttr: "unit",
    UnrankedMemRefType: "unranked memref",
    VectorType: "vector",
}

# The parameter of a generic type or attribute that names its contents, and the words for it.
_GENERIC: dict[type[Attribute], tuple[int, str]] = {
    DenseArrayBase: (0, "dense array of {}"),
    IntegerAttr: (1, "{} integer"),
    MemRefType: (1, "memref of {}"),
    TensorType: (1, "tensor of {}"),
    VectorType: (0, "vector of {}"),
}

assert isinstance(AnyFloatConstr, AnyOf)
_FLOATS = AnyFloatConstr.attr_constrs


def type_words(constraint: RangeConstraint) -> str:
    """Describes the values of an operand or result, be it single, optional or variadic."""
    match constraint:
        case RangeLengthConstraint(constraint=inner):
            return type_words(inner)
        case RangeVarConstraint(constraint=inner):
            return type_words(inner)
        case RangeOf(constr=inner):
            return _words(inner, "any type")
    raise TypeError(f"no words for {constraint}")


def attribute_words(constraint: AttrConstraint) -> str:
    """Describes the value of an attribute."""
    return _words(constraint, "any attribute")


def _words(constraint: AttrConstraint, anything: str) -> str:
    """Describes the values that satisfy `constraint`; raises `TypeError` for a kind of constraint without words."""
    constraint = _without_name(constraint)
    if isinstance(constraint, AnyAttr):
        return anything
    return _joined(list(dict.fromkeys(_alternatives(constraint))))


def _without_name(constraint: AttrConstraint) -> AttrConstraint:
    while isinstance(constraint, VarConstraint):
        constraint = constraint.constraint
    return constraint


def _alternatives(constraint: AttrConstraint) -> Iterator[str]:
    """Each kind of attribute that satisfies `constraint`."""
    match constraint:
        case AnyOf(attr_constrs=constraints):
            if set(_FLOATS) <= set(constraints):
                yield "float"
                constraints = tuple(inner for inner in constraints if inner not in _FLOATS)
            for inner in constraints:
                yield from _alternatives(inner)
        case AllOf(attr_constrs=constraints):
            # The narrowest of those that say something stands last.
            *_, narrowest = (inner for inner in map(_without_name, constraints) if not isinstance(inner, AnyAttr))
            yield from _alternatives(narrowest)
        case VarConstraint(constraint=inner) | MessageConstraint(constr=inner):
            yield from _alternatives(inner)
        case AttrSetConstraint(values=values):
            yield from sorted(f"`{value}`" for value in values)
        case EqAttrConstraint(attr=attribute):
            yield f"`{attribute}`"
        case BaseAttr(attr=kind):
            yield _kind(kind)
        case ParamAttrConstraint(base_attr=kind, param_constrs=parameters):
            yield _generic(kind, parameters)
        case ArrayOfConstraint(elem_range_constraint=RangeOf(constr=inner)):
            yield f"array of {_words(inner, 'attributes')}"
        case SymbolNameConstraint():
            yield "symbol name"
        case ContiguousArrayOfIntArray():
            yield "array of arrays of `i64` integer"
        case ShuffleResultConstraint() | ShuffleVectorResultConstraint():
            yield "vector"
        case _:
            raise TypeError(f"no words for {constraint}")


def _kind(kind: type[Attribute]) -> str:
    if kind in _BUILTIN:
        return _BUILTIN[kind]
    return f"`{sigil(kind)}{kind.name}`"


def sigil(kind: type[Attribute]) -> str:
    """Returns the character that the name of a type or attribute begins with."""
    return "!" if issubclass(kind, TypeAttribute) else "#"


def _generic(kind: type[Attribute], parameters: Sequence[AttrConstraint]) -> str:
    if kind is IntegerType:
        return "signless integer"
    if kind not in _GENERIC:
        return _kind(kind)
    index, phrase = _GENERIC[kind]
    held = _without_name(parameters[index])
    return _kind(kind) if isinstance(held, AnyAttr) else phrase.format(_words(held, "anything"))


def _joined(alternatives: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`; scalars together with vectors and tensors of them are what MLIR calls a-like."""
    for vectors in alternatives:
        held = vectors.removeprefix("vector of ")
        tensors, scalars = f"tensor of {held}", held.split(" or ")
        if held != vectors and {tensors, *scalars} <= set(alternatives):
            rest = [entry for entry in alternatives if entry not in (vectors, tensors, *scalars)]
            return _joined([*(f"{scalar}-like" for scalar in scalars), *rest])
    *first, last = alternatives
    return f"{', '.join(first)} or {last}" if first else last
