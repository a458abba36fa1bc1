"""Ops that convert vectors of the subgroup to fragments of its lanes, and back."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I32, DenseArrayBase, VectorType, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xegpu.syntax import integers


class _ExchangeOp(IRDLOperation):
    """An op whose result holds elements of its operand in another way."""

    value = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value attr-dict `:` type($value) `->` type($result)"

    def _counts(self) -> tuple[int, int]:
        """Elements of the operand, and of the result."""
        value, result = self.value.type, self.result.type
        assert isinstance(value, VectorType)
        assert isinstance(result, VectorType)
        if value.element_type != result.element_type:
            raise VerifyException(
                f"expected a result with elements of type {value.element_type}, got {result.element_type}"
            )
        if value.get_num_scalable_dims() or result.get_num_scalable_dims():
            raise VerifyException(f"expected vectors of fixed size, got {value} and {result}")
        return value.element_count(), result.element_count()


@irdl_op_definition
class DistributeOp(_ExchangeOp):
    """Gives each lane its fragment of a vector that all lanes have.

    `%f = xegpu.distribute %v {elements = array<i32: 0, 2, 1, 3>} : vector<2x2xf32> -> vector<2x1xf32>`

    `elements` lists the row-major indexes of the elements that lane 0 gets, in the order of its fragment, then those
    of lane 1, and so on: the example is for a subgroup of two lanes, of which each gets a column. Several lanes may get
    one element.
    """

    name = "xegpu.distribute"
    elements = prop_def(DenseArrayBase.constr(i32))

    def __init__(self, value: SSAValue | Operation, elements: Sequence[int], result_type: Attribute):
        super().__init__(
            operands=[value],
            result_types=[result_type],
            properties={"elements": DenseArrayBase.from_list(i32, elements)},
        )

    def verify_(self) -> None:
        (whole, fragment), elements = self._counts(), _entries(self.elements)
        if not elements or not fragment or len(elements) % fragment:
            raise VerifyException(f"expected {fragment} elements for each lane, got {len(elements)}")
        _check_range("elements", elements, whole)


@irdl_op_definition
class CollectOp(_ExchangeOp):
    """The vector that all lanes have together, given to each of them: the inverse of `xegpu.distribute`.

    `%v = xegpu.collect %f {places = array<i32: 0, 2, 1, 3>} : vector<2x1xf32> -> vector<2x2xf32>`

    `places` says for each element of the result where it is: the number of the lane, times the elements of a fragment,
    plus the row-major index in that lane's fragment. In the example each of two lanes has a column.
    """

    name = "xegpu.collect"
    places = prop_def(DenseArrayBase.constr(i32))

    def __init__(self, value: SSAValue | Operation, places: Sequence[int], result_type: Attribute):
        super().__init__(
            operands=[value],
            result_types=[result_type],
            properties={"places": DenseArrayBase.from_list(i32, places)},
        )

    def verify_(self) -> None:
        (_, whole), places = self._counts(), _entries(self.places)
        if len(places) != whole:
            raise VerifyException(f"expected a place for each of {whole} elements, got {len(places)}")
        _check_range("places", places, 1 << 31)


def _entries(array: DenseArrayBase[I32]) -> tuple[int, ...]:
    return integers(array)


def _check_range(name: str, entries: Sequence[int], limit: int) -> None:
    for entry in entries:
        if not 0 <= entry < limit:
            raise VerifyException(f"expected {name} of at least 0 and below {limit}, got {entry}")
