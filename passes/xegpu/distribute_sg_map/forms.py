"""The forms of values during distribution: whole, or a fragment of some distribution."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyDenseElement, BytesAttr, DenseArrayBase, DenseIntOrFPElementsAttr, VectorType, i64
from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.support.fragments import Ownership
from passes.support.fragments.structure import has_equal_elements
from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.vector import BroadcastOp, ShapeCastOp
from xegpu.dialects.xegpu import CollectOp, DistributeOp


def fragment_type(type: Attribute, ownership: Ownership) -> VectorType[Attribute]:
    """Returns the type of the fragments of a vector."""
    assert isinstance(type, VectorType)
    return VectorType(type.element_type, ownership.shape)


class Forms:
    """Records which values are fragments, and converts between forms."""

    def __init__(self) -> None:
        self._ownership: dict[SSAValue, Ownership] = {}
        self._whole: dict[SSAValue, VectorType[Attribute]] = {}

    def __getitem__(self, value: SSAValue) -> Ownership | None:
        """Returns the distribution of a value; None if it is whole."""
        return self._ownership.get(value)

    def whole_type(self, value: SSAValue) -> VectorType[Attribute]:
        """Returns the type of the whole vector of a value."""
        type = self._whole.get(value, value.type)
        assert isinstance(type, VectorType)
        return type

    def whole_types(self, op: Operation) -> list[Attribute]:
        """Returns the types that the operands of an operation had before distribution."""
        return [self._whole.get(value, value.type) for value in op.operands]

    def record(self, value: SSAValue, ownership: Ownership, whole: Attribute) -> SSAValue:
        """Records that a value is a fragment of a vector of type `whole`. Returns the value."""
        assert isinstance(whole, VectorType)
        self._ownership[value], self._whole[value] = ownership, whole
        return value

    def retype(self, value: SSAValue, ownership: Ownership) -> None:
        """Changes the type of a value, whose operation works on fragments unchanged, to that of a fragment."""
        whole = value.type
        self.record(Rewriter.replace_value_with_new_type(value, fragment_type(whole, ownership)), ownership, whole)

    def convert(self, build: OpBuilder, value: SSAValue, wanted: Ownership | None) -> SSAValue:
        """Returns the value in another form. Splats are created again; other elements pass through the whole vector."""
        present, whole = self[value], self.whole_type(value)
        if present == wanted:
            return value
        if wanted is not None and present is None and has_equal_elements(value):
            return self.record(build.add(_splat(value, fragment_type(whole, wanted))), wanted, whole)
        if present is not None:
            value = build.add(CollectOp(value, present.holders(whole.element_count()).tolist(), whole))
        if wanted is None:
            return value
        op = DistributeOp(value, wanted.elements.ravel().tolist(), fragment_type(whole, wanted))
        return self.record(build.add(op), wanted, whole)


def flat(build: OpBuilder, value: SSAValue) -> SSAValue:
    """Returns the elements in a vector of rank 1."""
    return reshaped(build, value, (value_type(value).element_count(),))


def reshaped(build: OpBuilder, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """Returns a vector of the same elements in another shape."""
    type = VectorType(value_type(value).element_type, shape)
    return value if value.type == type else build.add(ShapeCastOp(value, type))


def chosen(build: OpBuilder, first: SSAValue, second: SSAValue, positions: Sequence[int]) -> SSAValue:
    """Returns a vector of rank 1 with elements of two such vectors, which are numbered consecutively."""
    if first is second and list(positions) == list(range(value_type(first).element_count())):
        return first
    mask = DenseArrayBase.from_list(i64, positions)
    result_type = VectorType(value_type(first).element_type, (len(positions),))
    return build.add(ShuffleOp(first, second, mask, result_type=result_type))


def value_type(value: SSAValue) -> VectorType[Attribute]:
    assert isinstance(value.type, VectorType)
    return value.type


def _splat(value: SSAValue, type: VectorType[Attribute]) -> Operation:
    op = value.owner
    assert isinstance(op, Operation)
    if op.name != "arith.constant":
        return BroadcastOp(op.operands[0], type)
    attribute = op.properties["value"]
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    element = attribute.data.data[: len(attribute.data.data) // len(attribute)]
    assert isa(type, VectorType[AnyDenseElement])
    return ConstantOp(DenseIntOrFPElementsAttr(type, BytesAttr(element * type.element_count())))
