"""Reductions of shared vectors: what each lane combines for itself, and which lanes combine their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from xdsl.dialects.builtin import IndexType, IntegerType, VectorType
from xdsl.ir import Attribute, Operation

from passes.support.fragments.ownership import Indexes, Ownership
from xegpu.dialects.upstream.vector import MultiDimReductionOp, ReductionOp


@dataclass(frozen=True)
class Cluster:
    """Lanes that combine what they have: `size` of them, `stride` apart."""

    size: int
    stride: int


@dataclass(frozen=True)
class ReductionPlan:
    """How a vector that lanes share is reduced.

    Each lane combines, for every one of its results, the places of a row of `places` [step][result]; then the lanes of
    `clusters` combine theirs, one cluster after the other. `result` says who has what afterwards.
    """

    places: Indexes
    clusters: Sequence[Cluster]
    result: Ownership

    @property
    def is_uniform(self) -> bool:
        """Whether all lanes have the same results afterwards."""
        return bool((self.result.elements == self.result.elements[0]).all())


def plan_reduction(op: Operation, source: Ownership, type: Attribute) -> ReductionPlan | None:
    """The plan for `vector.reduction` or `vector.multi_reduction` of a vector that is shared so.

    `type` is that of the whole vector. None for other operations, and where no such plan is right.
    """
    if not isinstance(op, ReductionOp | MultiDimReductionOp):
        return None
    assert isinstance(type, VectorType)
    element = type.element_type
    if isinstance(element, IndexType) or (isinstance(element, IntegerType) and element.bitwidth == 1):
        return None
    return _plan(_results(op, tuple(type.get_shape())), source)


def _results(op: ReductionOp | MultiDimReductionOp, shape: tuple[int, ...]) -> Indexes:
    """For each element the number of the result that it counts for."""
    reduced = range(len(shape)) if isinstance(op, ReductionOp) else op.reduction_dims.get_values()
    kept = [1 if dimension in reduced else size for dimension, size in enumerate(shape)]
    numbers = np.arange(int(np.prod(kept)), dtype=np.int64).reshape(kept)
    return np.broadcast_to(numbers, shape).ravel()


def _plan(results: Indexes, source: Ownership) -> ReductionPlan | None:
    groups: dict[bytes, list[int]] = {}
    wanted = results[source.elements]
    for place, column in enumerate(wanted.T.copy()):
        groups.setdefault(column.tobytes(), []).append(place)
    if len({len(places) for places in groups.values()}) != 1:
        return None
    places = np.array(list(groups.values()), np.int64).T
    owned = wanted[:, places[0]]
    lanes = np.arange(source.lanes)
    bits = [1 << b for b in range(source.lanes.bit_length() - 1)]
    alike = [bit for bit in bits if np.array_equal(owned[lanes ^ bit], owned)]
    together = np.zeros(1, np.int64)
    for bit in alike:
        together = np.concatenate((together, together | bit))
    # [lane, lane of its clusters, step, result]: no element may count twice or be missing.
    counted = source.elements[lanes[:, None] ^ together[None, :]][:, :, places]
    each = np.sort(counted.transpose(0, 3, 1, 2).reshape(source.lanes, places.shape[1], -1), axis=2)
    expected = len(results) // (int(results.max()) + 1)
    if each.shape[2] != expected or (np.diff(each, axis=2) == 0).any():
        return None
    return ReductionPlan(places, _clusters(alike), Ownership(owned, (owned.shape[1], 1)))


def _clusters(bits: Sequence[int]) -> list[Cluster]:
    """Lanes whose numbers differ in these bits, as runs of neighbouring bits."""
    runs = groupby(enumerate(bits), key=lambda entry: entry[1] >> entry[0])
    return [Cluster(2 ** len(run), run[0][1]) for run in (list(members) for _, members in runs)]
