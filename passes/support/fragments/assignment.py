"""Assigns a distribution to each value of a kernel, from the anchors outwards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import passed
from passes.support.fragments.anchors import (
    Accesses,
    access_ownership,
    accessed,
    conversion_ownership,
    is_whole_product,
    product_ownership,
)
from passes.support.fragments.ownership import Ownership
from passes.support.fragments.picks import picks
from passes.support.fragments.reductions import plan_reduction
from passes.support.fragments.structure import elementwise_vectors, has_equal_elements, is_vector
from passes.support.vectors.elementwise import is_elementwise
from passes.support.webs.disjoint_sets import DisjointSets
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import InsertOp, InsertStridedSliceOp, MultiDimReductionOp
from xegpu.dialects.xegpu import AtomicRMWOp, ConvertLayoutOp, DpasOp, LoadNdOp, LoadOp
from xegpu.targets import Target

_INSERTIONS: frozenset[type[Operation]] = frozenset({InsertOp, InsertStridedSliceOp})
"""Operations whose result equals their second operand except for a part."""


class Assignment:
    """The distribution of each value of a kernel over lanes; values not in `owned` are whole in all lanes.

    Loads and products fix the distribution of their results. All other values follow: first those computed from the
    results, then those that products and stores use. Where two distributions meet, the first one stays, and a
    conversion is needed. Products count if something in the kernel has a map, or with `all_products`.

    Raises `CompileError` for a map that does not fit the target and for products that cannot be distributed.
    """

    def __init__(self, function: FuncOp, target: Target, *, all_products: bool = False):
        self.owned: dict[SSAValue, Ownership] = {}
        self.needs: dict[Operation, tuple[Ownership, ...]] = {}
        """The distributions that anchors require: of the accessed value; of A, B and C; of operand and result."""
        self._function = function
        self._alike = DisjointSets[SSAValue]()
        self._givers: dict[SSAValue, list[SSAValue]] = {}
        self._takers: dict[SSAValue, list[SSAValue]] = {}
        self._find_needs(target, all_products)
        if self.needs:
            self._connect()
            self._assign()

    # What is fixed -------------------------------------------------------------------------------------------------

    def _find_needs(self, target: Target, all_products: bool) -> None:
        products: list[DpasOp] = []
        for op in self._function.walk():
            if isinstance(op, Accesses):
                if (ownership := access_ownership(op, target)) is not None:
                    self.needs[op] = (ownership,)
            elif isinstance(op, ConvertLayoutOp):
                self.needs[op] = conversion_ownership(op, target)
            elif isinstance(op, DpasOp) and is_whole_product(op):
                products.append(op)
        if all_products or self.needs or any(op.sg_maps is not None for op in products):
            self.needs |= {op: product_ownership(op, target) for op in products}

    def _assign(self) -> None:
        for op, needs in self.needs.items():
            if isinstance(op, LoadNdOp | LoadOp | AtomicRMWOp | DpasOp | ConvertLayoutOp):
                self.owned[op.results[0]] = needs[-1]
        self._spread(list(self.owned))
        for op, needs in self.needs.items():
            if isinstance(op, DpasOp):
                for value, ownership in zip(op.operands, (*needs, needs[-1]), strict=False):
                    wanted = needs[-1] if value is op.acc else ownership
                    self._spread(self._set(value, wanted))
            elif isinstance(op, ConvertLayoutOp):
                self._spread(self._set(op.source, needs[0]))
        for op, needs in self.needs.items():
            if isinstance(op, Accesses) and not isinstance(op, LoadNdOp | LoadOp):
                self._spread(self._set(accessed(op), needs[0]))

    # How it spreads ------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        for op in self._function.walk():
            if is_elementwise(op):
                for result in op.results:
                    self._alike.unite(op.results[0], result)
            taken: dict[SSAValue, list[SSAValue]] = {}
            for taker, giver in passed(op):
                if is_vector(taker):
                    taken.setdefault(giver, []).append(taker)
                    self._givers.setdefault(taker, []).append(giver)
                    self._takers.setdefault(giver, []).append(taker)
            for takers in taken.values():
                for taker in takers:
                    self._alike.unite(takers[0], taker)

    def _set(self, value: SSAValue, ownership: Ownership) -> list[SSAValue]:
        """Assigns a value, and those that must be alike, unless assigned. Returns the newly assigned values."""
        if value in self.owned or not is_vector(value) or has_equal_elements(value):
            return []
        members = self._alike.members(value)
        self.owned.update((member, ownership) for member in members)
        return list(members)

    def _spread(self, pending: list[SSAValue]) -> None:
        pending.reverse()
        while pending:
            value = pending.pop()
            ownership = self.owned[value]
            for other, wanted in self._neighbours(value, ownership):
                pending += self._set(other, wanted)

    def _neighbours(self, value: SSAValue, ownership: Ownership) -> Iterator[tuple[SSAValue, Ownership]]:
        """Yields neighbours of a value with the distributions that avoid conversions."""
        for op in dict.fromkeys(use.operation for use in value.uses):
            yield from self._behind(op, value, ownership)
        for taker in self._takers.get(value, ()):
            yield taker, ownership
        for giver in self._givers.get(value, ()):
            yield giver, ownership
        if isinstance(op := value.owner, Operation):
            yield from self._before(op, ownership)

    def _behind(self, op: Operation, value: SSAValue, ownership: Ownership) -> Iterator[tuple[SSAValue, Ownership]]:
        if is_elementwise(op):
            yield from ((other, ownership) for other in elementwise_vectors(op))
        elif len(op.operands) == 1 and (moved := picks(op, op.operand_types)) is not None:
            assert isinstance(value.type, VectorType)
            if (carried := ownership.carried(moved, value.type.element_count())) is not None:
                yield op.results[0], carried
        elif type(op) in _INSERTIONS:
            if op.operands[1] is value:
                yield op.results[0], ownership
        elif (
            op.operands[0] is value
            and (plan := plan_reduction(op, ownership, value.type)) is not None
            and not plan.is_uniform
        ):
            yield op.results[0], plan.result

    def _before(self, op: Operation, ownership: Ownership) -> Iterator[tuple[SSAValue, Ownership]]:
        if is_elementwise(op):
            yield from ((other, ownership) for other in elementwise_vectors(op))
        elif isinstance(op, DpasOp):
            if op.acc is not None:
                yield op.acc, ownership
        elif len(op.operands) == 1 and (moved := picks(op, op.operand_types)) is not None:
            wanted, source = ownership.sources(moved), op.operands[0].type
            assert isinstance(source, VectorType)
            is_same = np.array_equal(wanted.elements, np.broadcast_to(wanted.elements[0], wanted.elements.shape))
            # If the vector is a slice's source, other users may need elements that no lane would hold.
            if not is_same and wanted.is_complete(source.element_count()):
                yield op.operands[0], wanted
        elif type(op) in _INSERTIONS:
            yield op.operands[1], ownership
        elif isinstance(op, MultiDimReductionOp):
            yield op.acc, ownership
