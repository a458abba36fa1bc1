"""Reductions of distributed vectors: in each lane, then across lanes."""

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
class LaneCluster:
    """A set of `size` lanes, `stride` apart, that combine their results."""

    size: int
    stride: int


@dataclass(frozen=True)
class ReductionPlan:
    """The plan for the reduction of a distributed vector.

    Each lane combines, for each of its results, the elements at `positions[step, result]`; then the lanes of each
    cluster combine theirs, one cluster after the other. `result` is the final distribution.
    """

    positions: Indexes
    clusters: Sequence[LaneCluster]
    result: Ownership

    @property
    def is_uniform(self) -> bool:
        """True if all lanes have the same results."""
        return bool((self.result.elements == self.result.elements[0]).all())


def plan_reduction(op: Operation, source: Ownership, type: Attribute) -> ReductionPlan | None:
    """Returns the plan for a `vector.reduction` or `vector.multi_reduction`; None if there is none.


    Args:
        op: The operation; there is no plan for other kinds of operations.
        source: The distribution of the operand.
        type: The type of the whole operand.

    """
    if not isinstance(op, ReductionOp | MultiDimReductionOp):
        return None
    assert isinstance(type, VectorType)
    element = type.element_type
    if isinstance(element, IndexType) or (isinstance(element, IntegerType) and element.bitwidth == 1):
        return None
    return _plan(_results(op, tuple(type.get_shape())), source)


def _results(op: ReductionOp | MultiDimReductionOp, shape: tuple[int, ...]) -> Indexes:
    """Returns the index of the result to which each element contributes."""
    reduced = range(len(shape)) if isinstance(op, ReductionOp) else op.reduction_dims.get_values()
    kept = [1 if dimension in reduced else size for dimension, size in enumerate(shape)]
    numbers = np.arange(int(np.prod(kept)), dtype=np.int64).reshape(kept)
    return np.broadcast_to(numbers, shape).ravel()


def _plan(results: Indexes, source: Ownership) -> ReductionPlan | None:
    groups: dict[bytes, list[int]] = {}
    wanted = results[source.elements]
    for position, column in enumerate(wanted.T.copy()):
        groups.setdefault(column.tobytes(), []).append(position)
    if len({len(positions) for positions in groups.values()}) != 1:
        return None
    positions = np.array(list(groups.values()), np.int64).T
    owned = wanted[:, positions[0]]
    lanes = np.arange(source.lanes)
    bits = [1 << b for b in range(source.lanes.bit_length() - 1)]
    alike = [bit for bit in bits if np.array_equal(owned[lanes ^ bit], owned)]
    together = np.zeros(1, np.int64)
    for bit in alike:
        together = np.concatenate((together, together | bit))
    # [lane, lane of its clusters, step, result]: no element may count twice or be missing.
    counted = source.elements[lanes[:, None] ^ together[None, :]][:, :, positions]
    each = np.sort(counted.transpose(0, 3, 1, 2).reshape(source.lanes, positions.shape[1], -1), axis=2)
    expected = len(results) // (int(results.max()) + 1)
    if each.shape[2] != expected or (np.diff(each, axis=2) == 0).any():
        return None
    return ReductionPlan(positions, _clusters(alike), Ownership(owned, (owned.shape[1], 1)))


def _clusters(bits: Sequence[int]) -> list[LaneCluster]:
    """Returns the clusters of lanes whose numbers differ in these bits: one per run of adjacent bits."""
    runs = groupby(enumerate(bits), key=lambda entry: entry[1] >> entry[0])
    return [LaneCluster(2 ** len(run), run[0][1]) for run in (list(members) for _, members in runs)]
