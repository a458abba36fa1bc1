"""Orders of dpas that suit tile registers: pairs on adjacent rows become one, and results are computed in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runtime.simulator.jit.alu.dpas_operation import DpasOperation
from xegpu.isa.formats import Footprint

ACCUMULATORS = 4
"""Results of a block; with two operands A and two of B they fill the eight tiles."""

OPERANDS = ACCUMULATORS // 2
"""Operands A, and operands B, with which a block starts."""

MOST_ROWS = 16
"""Rows of a tile."""


def scheduled(operations: Sequence[DpasOperation]) -> list[DpasOperation]:
    """Returns operations of the same types and rows in an order that gives the same results.

    They are joined in pairs if all of them can be.
    """
    return _in_blocks(_paired(operations) or operations)


def _paired(operations: Sequence[DpasOperation]) -> list[DpasOperation] | None:
    """Returns pairs of operations on adjacent rows as one operation each; None if one is left over."""
    remaining, pairs = list(operations), []
    while remaining:
        first = remaining.pop(0)
        place = next((n for n, other in enumerate(remaining) if _continues(first, other)), None)
        if place is None or _is_bound(remaining[place], (first, *remaining[:place])):
            return None
        pairs.append(_joined(first, remaining.pop(place)))
    return pairs


def _continues(first: DpasOperation, second: DpasOperation) -> bool:
    """Returns whether an operation computes the rows that follow those of another one, with the same B."""
    d, c, _, a = first.sizes
    if first.rows + second.rows > MOST_ROWS or (first.b, first.a + a, first.d + d) != (second.b, second.a, second.d):
        return False
    return second.c == (None if first.c is None else first.c + c)


def _joined(first: DpasOperation, second: DpasOperation) -> DpasOperation:
    reads = (*first.touched.reads, *second.touched.reads)
    writes = (*first.touched.writes, *second.touched.writes)
    d, c, b, a = first.sizes
    sizes = (2 * d, 2 * c, b, 2 * a)
    return replace(first, rows=first.rows + second.rows, sizes=sizes, touched=Footprint(reads, writes))


def _in_blocks(operations: Sequence[DpasOperation]) -> list[DpasOperation]:
    """Returns operations in an order in which all that add to the same few results are next to each other."""
    remaining, ordered = list(operations), []
    while remaining:
        results: set[int] = set()
        a: set[int] = set()
        b: set[int] = set()
        skipped: list[DpasOperation] = []
        for operation in remaining:
            joins = operation.d in results or (
                len(results) < ACCUMULATORS
                and len(a | {operation.a}) <= OPERANDS
                and len(b | {operation.b}) <= OPERANDS
            )
            if not joins or _is_bound(operation, skipped):
                skipped.append(operation)
                continue
            if operation.d not in results:
                results.add(operation.d)
                a.add(operation.a)
                b.add(operation.b)
            ordered.append(operation)
        remaining = skipped
    return ordered


def _is_bound(operation: DpasOperation, others: Sequence[DpasOperation]) -> bool:
    """Returns whether an operation must not be performed before others that precede it."""
    return any(operation.touched.depends_on(other.touched) for other in others)
