"""Lowers scans: partial reductions along one dimension of a vector."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number
from passes.convert_xegpu_to_xe.math.combining import check_kind, combine
from passes.convert_xegpu_to_xe.vector.shapes import arranged
from passes.kernel.register_types import element_count, element_type
from passes.support.normal_forms import Origin, ravel, shape_of, unravel
from xegpu.dialects.upstream.vector import ScanOp


@lowers(ScanOp)
def scan(lowering: KernelLowering, op: ScanOp) -> None:
    """Inclusive scans start with the first elements, exclusive ones with the initial values."""
    kind, along, inclusive = str(op.kind.data), op.reduction_dim.value.data, bool(op.inclusive.value.data)
    source, shape, rest = lowering.number(op.source), shape_of(op.source.type), op.initial_value.type
    type = element_type(op.dest.type)
    assert type is not None
    check_kind(lowering, op, kind, type)
    assert isinstance(rest, VectorType)
    numbers = [source, lowering.number(op.initial_value)]
    lanes = max((n.lanes for n in numbers if isinstance(n, Elements)), default=1)
    count = element_count(rest) * lanes

    def row(index: int) -> Number:
        def pick(i: int) -> Origin:
            place = unravel(i, shape_of(rest))
            return 0, ravel([*place[:along], index, *place[along:]], shape)

        return lowering.conversions.in_lanes(arranged(lowering, [(source, op.source.type)], rest, pick), rest, lanes)

    current = row(0) if inclusive else lowering.conversions.in_lanes(numbers[1], rest, lanes)
    rows: list[tuple[Number, Attribute]] = [(current, rest)]
    for index in range(1, shape[along]):
        current = combine(lowering.emit, kind, type, current, row(index if inclusive else index - 1), count)
        rows.append((current, rest))

    def pick(i: int) -> Origin:
        place = unravel(i, shape)
        return place[along], ravel([*place[:along], *place[along + 1 :]], shape_of(rest))

    lowering.values[op.dest] = arranged(lowering, rows, op.dest.type, pick)
    lowering.values[op.accumulated_value] = current
