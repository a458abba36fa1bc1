"""What integer facts mean: the numbers of lanes that they admit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from passes.analysis.integers.fact import IntegerFact, fact
from tests.unit.passes.analysis.integers.concrete import Numbers, signed


def admits(found: IntegerFact, values: Numbers, active: Sequence[int]) -> NDArray[np.bool_]:
    """Tells which rows of values, of the lanes that are active, are as the fact says."""
    size = np.uint64((1 << found.bits) - 1)
    unsigned = values.astype(np.uint64) & size
    numbers = values if found.bits == 64 else signed(unsigned.astype(np.int64), found.bits)
    bases = unsigned - np.uint64(found.step) * np.asarray(active, np.uint64)
    alike, known = np.uint64((1 << found.alike) - 1), np.uint64((1 << found.known) - 1)
    return np.asarray(
        (
            ((bases - bases[:, :1]) & alike == 0)
            & ((bases & known) == np.uint64(found.residue))
            & (unsigned >= np.uint64(found.low))
            & (unsigned <= np.uint64(found.high))
            & (numbers >= found.least)
            & (numbers <= found.most)
            & ((numbers == 0) if found.odd == 0 else (numbers % found.odd == 0))
        ).all(axis=1)
    )


@cache
def instances(found: IntegerFact, active: tuple[int, ...], most: int = 256) -> Numbers:
    """Returns what a fact admits: rows of the values of active lanes, all of them or `most` for each base."""
    every = np.arange(1 << found.bits)[:, None]
    allowed = every[admits(found._replace(known=0, residue=0, alike=0, step=0), every, (0,))][:, 0]
    mask, rows = (1 << found.alike) - 1, []
    random = np.random.default_rng(found.low + found.step)
    for base in range(found.residue, 1 << found.alike, 1 << found.known):
        own = [allowed[(allowed - base - found.step * lane) & mask == 0] for lane in active]
        if prod(map(len, own)) <= most:
            rows.append(np.stack(np.meshgrid(*own, indexing="ij"), -1).reshape(-1, len(active)))
        else:
            rows.append(np.stack([random.choice(values, most) for values in own], -1))
    return np.concatenate(rows)


@cache
def facts(bits: int, lanes: int) -> list[IntegerFact]:
    """Returns facts of many kinds that admit something."""
    size, half = 1 << bits, 1 << bits >> 1
    bounds: list[tuple[int, int, int, int]] = [
        (0, size - 1, -half, half - 1),
        (0, half - 1, -half, half - 1),
        (0, 3, -half, half - 1),
        (1, 2, -half, half - 1),
        (3, half + 2, -half, half - 1),
        (half + 1, size - 2, -half, half - 1),
        (0, size - 1, -3, 2),
        (0, size - 1, -half + 2, half - 3),
        (0, size - 1, -half, -2),
        (5, 5, -half, half - 1),
        (0, 0, -half, half - 1),
        (size - 1, size - 1, -half, half - 1),
    ]
    if lanes > 1:
        bounds = bounds[::3]
    congruences = [(0, 0), (1, 1), (2, 0), (2, 3), (bits - 1, 0), (bits, 4), (bits, 0)]
    differences = [(bits, 0)]
    if lanes > 1:
        differences += [
            (0, 0),
            (1, 1),
            (2, 0),
            (2, 1),
            (bits - 1, 2),
            *((bits, step) for step in (1, 2, 3, 4, size - 1)),
        ]
        differences += [(bits, half), (bits, size - 2)]
    found = {
        fact(bits, lanes, known, residue, alike, step, *limits, odd)
        for (known, residue), (alike, step), limits, odd in product(congruences, differences, bounds, (1, 3))
        if odd == 1 or (limits[0] == 0 and lanes == 1)
    }
    return sorted(each for each in found if len(instances(each, (0,))) and len(instances(each, tuple(range(lanes)))))
