"""The scan over live ranges: units that are taken, and the first ones that are free."""

from __future__ import annotations

import random

import pytest

from passes.xe.allocate_registers import occupation
from passes.xe.allocate_registers.liveness import Segment, merge, merge_sorted, overlap
from passes.xe.allocate_registers.occupation import Occupation, first_fit


def lowest(occupied: int, size: int, alignment: int, limit: int) -> int | None:
    wanted = (1 << size) - 1
    return next((at for at in range(0, limit - size + 1, alignment) if not occupied >> at & wanted), None)


def drawn_segments(drawn: random.Random, most: int) -> list[Segment]:
    starts = [drawn.randrange(200) for _ in range(drawn.randint(1, most))]
    return merge([(start, start + drawn.randint(1, 6)) for start in starts])


@pytest.mark.parametrize("seed", range(4))
def test_the_first_fit_is_the_lowest(seed: int) -> None:
    drawn = random.Random(seed)
    for _ in range(200):
        limit, size, alignment = drawn.randint(1, 150), drawn.randint(1, 40), drawn.choice((1, 2, 3, 4, 8, 32, 64))
        occupied = drawn.getrandbits(limit) & drawn.getrandbits(limit) & drawn.getrandbits(limit)
        assert first_fit(occupied, size, alignment, limit) == lowest(occupied, size, alignment, limit)


@pytest.mark.parametrize(
    ("occupied", "size", "alignment", "limit", "expected"),
    [(0, 8, 4, 8, 0), (0, 9, 4, 8, None), (0b1, 4, 4, 8, 4), (0b1, 4, 4, 7, None), (0xFF, 1, 64, 64, None)],
)
def test_edges_of_a_file(occupied: int, size: int, alignment: int, limit: int, expected: int | None) -> None:
    assert first_fit(occupied, size, alignment, limit) == expected


@pytest.mark.parametrize("seed", range(4))
def test_segments_overlap_if_they_share_a_position(seed: int) -> None:
    drawn = random.Random(seed)
    for _ in range(200):
        a, b = drawn_segments(drawn, 40), drawn_segments(drawn, 3)
        shared = {p for s, e in a for p in range(s, e)} & {p for s, e in b for p in range(s, e)}
        assert overlap(a, b) is overlap(b, a) is bool(shared)
    assert not overlap([], [(0, 1)]) and not overlap([(0, 1)], [])


@pytest.mark.parametrize("seed", range(4))
def test_a_scan_knows_what_is_taken(seed: int) -> None:
    """Random live ranges, some with holes, some that start later than they are given units, some released early."""
    drawn = random.Random(seed)
    scan: Occupation[int] = Occupation()
    known: dict[int, tuple[list[Segment], int]] = {}
    early = [(200, 204)]
    scan.take(-1, early, 300, 4)
    known[-1] = early, 0b1111 << 300
    for owner, segments in enumerate(sorted(drawn_segments(drawn, 3) for _ in range(80))):
        scan.advance(segments[0][0])
        in_the_way = [other for other, (live, _) in known.items() if overlap(live, segments)]
        expected = 0
        for other in in_the_way:
            expected |= known[other][1]
        assert scan.units(segments) == expected
        assert scan.owners(segments) == in_the_way
        if in_the_way and drawn.random() < 0.2:
            victim = drawn.choice(in_the_way)
            scan.release(victim)
            del known[victim]
            continue
        address = first_fit(expected, 4, 4, 10_000)
        assert address is not None
        scan.take(owner, segments, address, 4)
        known[owner] = segments, 0b1111 << address


def test_a_scan_looks_at_owners_that_start_again_soon_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cases of a switch in a loop: each has values that live from the start of the loop, and at its own place."""
    compared = 0

    def counted(a: list[Segment], b: list[Segment]) -> bool:
        nonlocal compared
        compared += 1
        return overlap(a, b)

    monkeypatch.setattr(occupation, "overlap", counted)
    scan: Occupation[int] = Occupation()
    for owner in range(200):
        scan.take(owner, [(0, 1), (10 * owner + 10, 10 * owner + 15)], owner, 1)
    for case in range(200):
        start = 10 * case + 11
        scan.advance(start)
        assert scan.units([(start, start + 2)]) == 1 << case
    assert compared == 0


def test_long_and_short_lists_of_segments_merge_as_all_together() -> None:
    """Segments that touch become one, wherever a short list meets a long one."""
    drawn = random.Random(5)
    for _ in range(300):
        lists = [
            merge([(start, start + drawn.randint(1, 6)) for start in drawn.sample(range(200), count)])
            for count in (drawn.randint(0, 60), drawn.randint(0, 5))
        ]
        before = [list(segments) for segments in lists]
        assert merge_sorted(*lists) == merge_sorted(*reversed(lists)) == merge(lists[0] + lists[1])
        assert lists == before
