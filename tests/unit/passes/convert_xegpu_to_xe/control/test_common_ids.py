"""Ids that a subgroup has in common: what work-items compute of theirs may place a tile where all agree."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import compile_one, kernel_text, refusal, run
from xegpu.targets import ARC, PVC, Target

BLOCK = (32, 2, 2)
GROUPS = (2, 1, 1)

COMMON = {
    "%r = arith.divui %x, %lanes : index": lambda x, y, z, g, n: x // n,
    "%r = arith.divsi %x, %twice : index": lambda x, y, z, g, n: x // (2 * n),
    "%r = arith.floordivsi %gx, %lanes : index": lambda x, y, z, g, n: g // n,
    "%r = index.divs %gx, %lanes": lambda x, y, z, g, n: g // n,
    "%r = arith.shrui %x, %shift : index": lambda x, y, z, g, n: x // 16,
    "%r = arith.andi %x, %rest : index": lambda x, y, z, g, n: x // 16 * 16,
    "%r = arith.subi %x, %lane : index": lambda x, y, z, g, n: x // n * n,
    "%l = arith.remui %x, %lanes : index\n%r = arith.subi %x, %l : index": lambda x, y, z, g, n: x // n * n,
    "%l = arith.andi %x, %low : index\n%r = arith.subi %gx, %l : index": lambda x, y, z, g, n: g - x % 16,
    "%s = arith.addi %x, %y : index\n%r = arith.subi %s, %x : index": lambda x, y, z, g, n: y,
    "%r = arith.addi %y, %z : index": lambda x, y, z, g, n: y + z,
    """%b = gpu.block_id x\n%s = arith.muli %b, %lanes : index\n%t = arith.addi %s, %x : index
    %r = arith.divui %t, %lanes : index""": lambda x, y, z, g, n: g // 32 + x // n,
    """%i = arith.index_cast %x : index to i32\n%n = arith.index_cast %lanes : index to i32
    %q = arith.divsi %i, %n : i32\n%r = arith.index_cast %q : i32 to index""": lambda x, y, z, g, n: x // n,
}
"""The positions of tiles, as functions of the ids x, y, z, the global id along x and the number of lanes."""
DIVERGENT = [
    "%r = arith.divui %x, %three : index",
    "%r = arith.ceildivui %x, %lanes : index",
    "%r = arith.remui %x, %lanes : index",
    "%r = arith.shrui %x, %one : index",
    "%r = arith.andi %x, %low : index",
    "%s = arith.addi %x, %one : index\n%r = arith.divui %s, %lanes : index",
    "%s = arith.addi %x, %y : index\n%r = arith.divui %s, %lanes : index",
    "%m = arith.constant -64 : index\n%s = arith.addi %m, %x : index\n%r = arith.divsi %s, %lanes : index",
    "%s = arith.subi %x, %y : index\n%t = arith.remui %s, %lanes : index\n%r = arith.subi %s, %t : index",
    """%i = arith.index_cast %gx : index to i32\n%n = arith.index_cast %lanes : index to i32
    %q = arith.divsi %i, %n : i32\n%r = arith.index_cast %q : i32 to index""",
]
"""The positions that differ between work-items, or might for ids beyond 31 bits."""


def text(body: str, target: Target, block: tuple[int, ...] | None = BLOCK) -> str:
    """Each subgroup writes 1 where `%r` says."""
    lanes = target.platform.subgroup_size
    desc = f"!xegpu.tensor_desc<{lanes}xf32, #xegpu.sg_map<wi_layout = [1, {lanes}], wi_data = [1, 1]>>"
    return kernel_text(
        f"%o: memref<128x{lanes}xf32>, %p: memref<256xi64>",
        f"""
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    %gx = gpu.global_id x
    %lane = gpu.lane_id
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %low = arith.constant 15 : index
    %rest = arith.constant -16 : index
    %shift = arith.constant 4 : index
    %lanes = arith.constant {lanes} : index
    %twice = arith.constant {2 * lanes} : index
    {body}
    %d = xegpu.create_nd_tdesc %o[%r, 0] : memref<128x{lanes}xf32> -> {desc}
    %v = arith.constant dense<1.0> : vector<1x1xf32>
    xegpu.store_nd %v, %d : vector<1x1xf32>, {desc}
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %a = arith.muli %z, %c2 : index
    %b0 = arith.addi %a, %y : index
    %c = arith.muli %b0, %c64 : index
    %e = arith.addi %c, %gx : index
    %w = arith.index_cast %r : index to i64
    memref.store %w, %p[%e] : memref<256xi64>""",
        "" if block is None else f"known_block_size = array<i32: {', '.join(map(str, block))}>",
    )


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
@pytest.mark.parametrize("body", COMMON)
def test_what_a_subgroup_has_in_common_places_tiles(body: str, target: Target) -> None:
    """Every work-item has the right number, too."""
    z, y, g = np.indices((2, 2, 64)).reshape(3, -1)
    places = np.asarray(COMMON[body](g % 32, y, z, g, target.platform.subgroup_size), np.int64)
    o, p = np.zeros((128, target.platform.subgroup_size), np.float32), np.zeros(256, np.int64)
    o, p = run(compile_one(text(body, target), target), o, p, groups=GROUPS, local=BLOCK, target=target)
    np.testing.assert_array_equal(p, places)
    assert set(np.flatnonzero(o.all(1))) == set(places) == set(np.flatnonzero(o.any(1)))


SHIFTED = {
    "%r = arith.divui %gx, %lanes : index": lambda g: g // 16,
    "%q = arith.shrui %gx, %shift : index\n%r = arith.addi %q, %y : index": lambda g: g // 16,
    "%l = arith.remui %gx, %lanes : index\n%r = arith.subi %gx, %l : index": lambda g: g // 16 * 16,
    "%r = arith.subi %gx, %x : index": lambda g: g,
}
"""The values that depend on the global id along x, for y = 0, and their definitions."""


@pytest.mark.parametrize("offset", [0, 16, 5], ids=str)
@pytest.mark.parametrize("body", SHIFTED)
def test_offset_of_global_ids(body: str, offset: int) -> None:
    """Each work-item has the right number with any offset; a tile is where the first one of a subgroup says."""
    code = text(body, PVC, (32, 1, 1))
    # The ids tell which work-item writes where, and begin at the offset.
    code = code.replace("%e = arith.addi %c, %gx", "%b = gpu.block_id x\n%e = arith.addi %c, %x")
    o, p = np.zeros((128, 16), np.float32), np.zeros(256, np.int64)
    o, p = run(compile_one(code, PVC), o, p, groups=(1, 1, 1), local=(32, 1, 1), offset=(offset, 0, 0))
    ids = np.arange(32) + offset
    places = SHIFTED[body](ids) if "%gx, %x " not in body else np.full(32, offset)
    np.testing.assert_array_equal(p[:32], places)
    assert set(np.flatnonzero(o.all(1))) == {places[0], places[16]} == set(np.flatnonzero(o.any(1)))


@pytest.mark.parametrize("body", DIVERGENT)
def test_what_differs_is_refused(body: str) -> None:
    assert "needs an operand that is the same in all work-items of a subgroup" in refusal(text(body, PVC))


@pytest.mark.parametrize("block", [None, (24, 2, 1), (8, 2, 2)], ids=str)
@pytest.mark.parametrize("body", ["%r = arith.divui %x, %lanes : index", "%r = arith.addi %y, %z : index"])
def test_groups_that_might_not_fill_subgroups_have_nothing_in_common(body: str, block: tuple[int, ...] | None) -> None:
    assert "needs an operand that is the same in all work-items of a subgroup" in refusal(text(body, PVC, block))


QUOTIENT = """
    %m = arith.muli %s, %n : index
    %u = arith.addi %m, %x : index
    %r = arith.divui %u, %n : index"""
"""The id, moved by a multiple of the number of lanes, divided by that: uniform if `%s` is."""

CHOSEN = {
    f"%s = scf.for %i = %c0 to %few step %c1 iter_args(%a = %c0) -> index {{scf.yield %i : index}}{QUOTIENT}": (
        lambda x, n: np.maximum(x % 4, 1) - 1 + x // n
    ),
    f"""%r = scf.for %s = %c0 to %few step %c1 iter_args(%a = %c0) -> index {{{QUOTIENT.replace("%r", "%v")}
      %b = arith.addi %a, %v : index
      scf.yield %b : index}}""": lambda x, n: sum(np.where(i < x % 4, i + x // n, 0) for i in range(3)),
    f"""%r = scf.for %s = %few to %c3 step %c1 iter_args(%a = %c0) -> index {{{QUOTIENT.replace("%r", "%v")}
      %b = arith.addi %a, %v : index
      scf.yield %b : index}}""": lambda x, n: sum(np.where(i >= x % 4, i + x // n, 0) for i in range(3)),
    f"""%k:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %odd, %a = %c0) -> (index, index) {{
      {QUOTIENT.replace("%r", "%v")}
      %t = arith.addi %s, %c1 : index
      scf.yield %t, %v : index, index}}
    %r = arith.addi %k#1, %c0 : index""": lambda x, n: x % 2 + 2 + x // n,
    f"""%s = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %c0) -> index {{
      %t = arith.addi %a, %odd : index
      scf.yield %t : index}}{QUOTIENT}""": lambda x, n: x % 2 * 3 + x // n,
    """%k:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %c3, %a = %c0) -> (index, index) {
      %m = arith.addi %s, %n : index
      %u = arith.addi %m, %x : index
      %v = arith.divui %u, %n : index
      %t = arith.addi %s, %c1 : index
      scf.yield %t, %v : index, index}
    %r = arith.addi %k#1, %c0 : index""": lambda x, n: (5 + n + x) // n,
    f"""cf.cond_br %is_odd, ^odd, ^even
    ^odd:
      memref.store %c3, %p[%x] : memref<64xindex>
      cf.br ^both(%n : index)
    ^even:
      cf.br ^both(%c0 : index)
    ^both(%s: index):{QUOTIENT}""": lambda x, n: x % 2 * n + x // n,
    f"""cf.br ^head(%c0 : index)
    ^head(%i: index):
      %s = arith.addi %i, %c1 : index
      %more = arith.cmpi ult, %i, %few : index
      cf.cond_br %more, ^head(%s : index), ^tail
    ^tail:{QUOTIENT}""": lambda x, n: x % 4 + 1 + x // n,
    f"""%s = scf.index_switch %odd -> index
    case 0 {{scf.yield %c0 : index}}
    default {{
      memref.store %c3, %p[%x] : memref<64xindex>
      scf.yield %n : index}}{QUOTIENT}""": lambda x, n: x % 2 * n + x // n,
    f"""%mine = memref.alloca() : memref<1xindex>
    memref.store %odd, %mine[%c0] : memref<1xindex>
    %s = memref.load %mine[%c0] : memref<1xindex>{QUOTIENT}""": lambda x, n: x % 2 + x // n,
    f"""%r = scf.if %is_odd -> index {{
      memref.store %c3, %p[%x] : memref<64xindex>
      %s = memref.load %p[%c1] : memref<64xindex>
      %t = arith.remui %s, %c1 : index{QUOTIENT.replace("%r", "%v").replace("%s", "%t")}
      scf.yield %v : index
    }} else {{
      scf.yield %c0 : index}}""": lambda x, n: x % 2 * (x // n),
}
"""Values that control flow or memory give each work-item, which looks the same to all, and what they are."""


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
@pytest.mark.parametrize("body", CHOSEN)
def test_what_work_items_choose_is_not_common(body: str, target: Target) -> None:
    lanes = target.platform.subgroup_size
    code = kernel_text(
        "%p: memref<64xindex>",
        f"""
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %n = arith.constant {lanes} : index
    %few = arith.andi %x, %c3 : index
    %odd = arith.andi %x, %c1 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    {body}
    memref.store %r, %p[%x] : memref<64xindex>""",
        "known_block_size = array<i32: 64, 1, 1>",
    )
    (found,) = run(compile_one(code, target), np.full(64, -1, np.int64), local=(64, 1, 1), target=target)
    np.testing.assert_array_equal(found, CHOSEN[body](np.arange(64), lanes))
