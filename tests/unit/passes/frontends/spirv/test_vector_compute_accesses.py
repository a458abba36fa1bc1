"""Messages of lanes and of blocks in vector compute, masks and old values included, against numpy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from tests.unit.passes.frontends.spirv.vector_compute import Array, KernelText, vector

GENERATOR = np.random.default_rng(17)
TARGETS = ("pvc", "arc")
ALL = "<{} x i1> splat (i1 true)"


def drawn(count: int, most: int = 1 << 30) -> Array:
    return GENERATOR.integers(-most, most, count).astype(np.int32)


def lsc(
    kernel: KernelText,
    type: str,
    name: str,
    mask: str,
    operation: int,
    kinds: tuple[int, int],
    addresses: str,
    *rest: str,
    offset: int = 0,
) -> str:
    """Adds a message to the load and store unit; `kinds` are those of elements and of vectors."""
    fields = f"i8 {operation}", "i8 0", "i8 0", "i16 1", f"i32 {offset}", *(f"i8 {kind}" for kind in (*kinds, 1, 0))
    return kernel.call(type, f"lsc.{name}", mask, *fields, addresses, *rest)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("lanes", [5, 16, 48])
def test_lanes_of_the_load_and_store_unit(target: str, lanes: int) -> None:
    """Lanes gather pairs, keep what they had where they are off, prefetch, and scatter; any number of them works."""
    order, on = GENERATOR.permutation(lanes), GENERATOR.random(lanes) < 0.7
    given, before = drawn(2 * lanes), drawn(2 * lanes)
    kernel = KernelText("a", "o", "w")
    old = kernel.load(f"<{2 * lanes} x i32>", "w")
    places, mask = kernel.addresses("a", 8 * order), vector("i1", on)
    lsc(kernel, "void", "prefetch.stateless", mask, 0, (3, 2), places, "i32 0")
    row = f"<{2 * lanes} x i32>"
    found = lsc(kernel, row, "load.merge.stateless", mask, 0, (3, 2), places, "i32 0", old)
    to = kernel.addresses("o", 8 * np.arange(lanes) - 16)
    lsc(kernel, "void", "store.stateless", vector("i1", ~on), 4, (3, 2), to, old, "i32 0", offset=16)
    kernel.store(found, "w")
    _, out, loaded = kernel.run(given, np.zeros_like(given), before, target=target)
    olds = before.reshape(2, lanes)
    np.testing.assert_array_equal(loaded.reshape(2, lanes), np.where(on, given.reshape(lanes, 2)[order].T, olds))
    np.testing.assert_array_equal(out.reshape(lanes, 2), np.where(on, 0, olds).T)


@pytest.mark.parametrize("target", TARGETS)
def test_blocks_prefetched_and_loaded(target: str) -> None:
    given = drawn(64)
    kernel = KernelText("a", "o")
    for name, type in (("prefetch.stateless", "void"), ("load.stateless", "<64 x i32>")):
        fields = *(f"i8 {each}" for each in (0, 1, 2)), "i16 1", "i32 0", "i8 3", "i8 8", "i8 2", "i8 0"
        block = kernel.call(type, f"lsc.{name}", ALL.format(1), *fields, kernel.addresses("a", [0]), "i32 0")
    kernel.store(block, "o")
    _, out = kernel.run(given, np.zeros_like(given), target=target)
    np.testing.assert_array_equal(out, given)


UPDATES: Mapping[str, tuple[int, Callable[[Array, Array], Array]]] = {
    "add": (12, np.add),
    "smax": (15, np.maximum),
    "or": (25, np.bitwise_or),
    "inc": (8, lambda old, _: old + 1),
    "xchg": (11, lambda _, new: new),
}
"""The atomic updates, by their numbers in messages, and what they leave."""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", UPDATES)
def test_updates_give_old_values(target: str, name: str) -> None:
    """Once by the load and store unit for 20 lanes, and once with the older intrinsic for 16."""
    number, function = UPDATES[name]
    given, news = drawn(36), drawn(36)
    order, on = GENERATOR.permutation(20), GENERATOR.random(36) < 0.7
    kernel = KernelText("a", "b", "o")
    unused = "<20 x i32> undef"
    sources = unused if name == "inc" else kernel.load("<20 x i32>", "b"), unused
    old = lsc(
        kernel,
        "<20 x i32>",
        "xatomic.stateless",
        vector("i1", on[:20]),
        number,
        (3, 1),
        kernel.addresses("a", 4 * order),
        *sources,
        "i32 0",
        kernel.load("<20 x i32>", "b"),
    )
    kernel.store(old, "o")
    older = {"smax": "imax"}.get(name, name)
    last = () if name == "inc" else (kernel.load("<16 x i32>", "b", 80),)
    places = kernel.addresses("a", 80 + 4 * np.arange(16))
    mask, olds = vector("i1", on[20:]), kernel.load("<16 x i32>", "b", 80)
    kernel.store(kernel.call("<16 x i32>", f"svm.atomic.{older}", mask, places, *last, olds), "o", 80)
    left, _, found = kernel.run(given, news, np.zeros_like(given), target=target)
    where = np.concatenate([order, np.arange(20, 36)])
    wanted = given.copy()
    wanted[where[on]] = function(given[where[on]], news[on])
    np.testing.assert_array_equal(left, wanted)
    np.testing.assert_array_equal(found, np.where(on, given[where], news))


@pytest.mark.parametrize("target", TARGETS)
def test_exchanges_where_the_old_value_is_expected(target: str) -> None:
    given, news = drawn(16, 4), drawn(16)
    kernel = KernelText("a", "b", "o")
    new, expected = kernel.load("<16 x i32>", "b"), vector("i32", [1] * 16)
    places = kernel.addresses("a", 4 * np.arange(16))
    old = kernel.call("<16 x i32>", "svm.atomic.cmpxchg", ALL.format(16), places, new, expected, "<16 x i32> undef")
    kernel.store(old, "o")
    left, _, olds = kernel.run(given, news, np.zeros_like(given), target=target)
    np.testing.assert_array_equal(olds, given)
    np.testing.assert_array_equal(left, np.where(given == 1, news, given))


@pytest.mark.parametrize("target", TARGETS)
def test_gathers_and_scatters_at_addresses(target: str) -> None:
    """Bytes one by one and four by four, words, dwords and quadwords; lanes that are off keep what they had."""
    kernel = KernelText("a", "o", "w")
    given, before = GENERATOR.integers(0, 256, 256).astype(np.uint8), GENERATOR.integers(0, 256, 256).astype(np.uint8)
    wanted, at = np.zeros(512, np.uint8), 0
    for element, size, blocks in (("i32", 4, 0), ("i64", 8, 0), ("i8", 1, 2), ("i16", 2, 0), ("i8", 1, 0)):
        bytes_of = size << blocks
        order, on = GENERATOR.permutation(8), GENERATOR.random(8) < 0.6
        type = f"<{8 << blocks} x {element}>"
        words = kernel.load(f"<{2 * bytes_of} x i32>", "w")
        old = kernel.value(type, f"bitcast {words} to {type}")
        mask, kind = vector("i1", on), f"i32 {blocks}"
        found = kernel.call(type, "svm.gather", mask, kind, kernel.addresses("a", bytes_of * order), old)
        kernel.call("void", "svm.scatter", mask, kind, kernel.addresses("o", at + bytes_of * np.arange(8)), found)
        dwords = f"<{2 * bytes_of} x i32>"
        kernel.store(kernel.value(dwords, f"bitcast {found} to {dwords}"), "o", at + 8 * bytes_of)
        rows = given[: 8 * bytes_of].reshape(8, bytes_of)[order]
        wanted[at : at + 8 * bytes_of] = np.where(on[:, None], rows, 0).ravel()
        olds = before[: 8 * bytes_of].reshape(8, bytes_of)
        wanted[at + 8 * bytes_of : at + 16 * bytes_of] = np.where(on[:, None], rows, olds).ravel()
        at += 16 * bytes_of
    _, out, _ = kernel.run(given, np.zeros(512, np.uint8), before, target=target)
    np.testing.assert_array_equal(out, wanted)


def test_several_dwords_of_each_lane_at_addresses() -> None:
    given = drawn(48)
    kernel, order = KernelText("a", "o"), GENERATOR.permutation(16)
    places, mask = kernel.addresses("a", 8 * order), ALL.format(16)
    pairs = kernel.call("<32 x i32>", "svm.gather", mask, "i32 1", places, "<32 x i32> undef")
    kernel.store(pairs, "o")
    steps = vector("i64", 12 * order)
    start = kernel.value("i64", "add i64 %a.n, 0")
    triples = kernel.call("<48 x i32>", "svm.gather4.scaled", mask, "i32 7", "i16 0", start, steps, "<48 x i32> undef")
    end = kernel.value("i64", "add i64 %o.n, 128")
    kernel.call("void", "svm.scatter4.scaled", mask, "i32 7", "i16 0", end, steps, triples)
    _, out = kernel.run(given, np.zeros(80, np.int32))
    np.testing.assert_array_equal(out[:32].reshape(2, 16), given[:32].reshape(16, 2)[order].T)
    np.testing.assert_array_equal(out[32:], given)


def test_words_come_as_pairs_of_bytes() -> None:
    """ESIMD gathers and scatters words in vectors that have two for each lane, the first of which counts."""
    given = drawn(16).view(np.int16)
    kernel = KernelText("a", "o")
    places, undefined = kernel.addresses("a", 4 * np.arange(16)), "<32 x i16> undef"
    found = kernel.call("<32 x i16>", "svm.gather", ALL.format(16), "i32 1", places, undefined)
    kernel.call("void", "svm.scatter", ALL.format(16), "i32 1", kernel.addresses("o", 2 * np.arange(16)), found)
    _, out = kernel.run(given, np.full(32, 7, np.int16))
    np.testing.assert_array_equal(out, [*given[::2], *[7] * 16])


@pytest.mark.parametrize("target", TARGETS)
def test_surface_of_local_memory(target: str) -> None:
    """Blocks of owords, scaled gathers and scatters, of several channels too, and updates."""
    given, order = drawn(64), GENERATOR.permutation(16)
    on = GENERATOR.random(16) < 0.6
    kernel = KernelText("a", "o")
    shared, mask = "i32 254", vector("i1", on)
    kernel.call("void", "oword.st", shared, "i32 4", kernel.load("<64 x i32>", "a"))
    parts = [kernel.call("<32 x i32>", "oword.ld", "i32 0", shared, "i32 12")]
    parts.append(kernel.call("<16 x i32>", "oword.ld.unaligned", "i32 0", shared, "i32 68"))
    places = vector("i32", 4 * order)
    # Dwords from byte 64 on; bytes; two channels.
    old = kernel.load("<16 x i32>", "a", 128)
    parts.append(kernel.call("<16 x i32>", "gather.scaled", mask, "i32 2", "i16 0", shared, "i32 64", places, old))
    bytes_at = vector("i32", order)
    parts.append(kernel.call("<16 x i32>", "gather.scaled2", "i32 0", "i16 0", shared, "i32 64", bytes_at))
    pairs = vector("i32", 8 * order)
    parts.append(kernel.call("<32 x i32>", "gather4.scaled2", "i32 3", "i16 0", shared, "i32 64", pairs))
    kernel.call("void", "scatter.scaled", mask, "i32 2", "i16 0", shared, "i32 1024", places, old)
    kernel.call("void", "scatter4.scaled", ALL.format(16), "i32 3", "i16 0", shared, "i32 1088", pairs, parts[-1])
    added = kernel.call("<16 x i32>", "dword.atomic.add", mask, shared, vector("i32", 1024 + 4 * order), old, old)
    parts.append(kernel.call("<16 x i32>", "gather.masked.scaled2", "i32 2", "i16 0", shared, "i32 1024", places, mask))
    parts.append(kernel.call("<32 x i32>", "oword.ld", "i32 0", shared, "i32 68"))
    sizes = [32, 16, 16, 16, 32, 16, 32]
    for part, start in zip(parts, np.cumsum([0, *sizes]), strict=False):
        kernel.store(part, "o", 4 * start)
    kernel.store(added, "o", 4 * sum(sizes))
    _, out = kernel.run(given, np.zeros(sum(sizes) + 16, np.int32), target=target)
    block, unaligned, gathered, octets, channels, sums, scattered, olds = np.split(out, np.cumsum(sizes))
    np.testing.assert_array_equal(block, given[32:])
    np.testing.assert_array_equal(unaligned, given[1:17])
    np.testing.assert_array_equal(gathered, np.where(on, given[order], given[32:48]))
    np.testing.assert_array_equal(octets, given.view(np.uint8)[order])
    np.testing.assert_array_equal(channels.reshape(2, 16), given.reshape(32, 2)[order].T)
    np.testing.assert_array_equal(sums, np.where(on, 2 * given[32:48], 0))
    np.testing.assert_array_equal(scattered, given[:32])
    np.testing.assert_array_equal(olds, given[32:48])


@pytest.mark.parametrize("form", ["", ".vnni", ".transpose"])
def test_blocks_of_planes_with_a_payload(form: str) -> None:
    """Loads, prefetches and stores a block of a plane whose address and sizes are in a vector; edges are zero."""
    element, type, rows, columns = ("i32", np.int32, 8, 8) if form == ".transpose" else ("i16", np.int16, 8, 16)
    size = np.dtype(type).itemsize
    plane = GENERATOR.integers(-9999, 9999, (20, 64)).astype(type)
    kernel = KernelText("a", "o")
    count = rows * columns

    def payload(pointer: str) -> str:
        """Returns the address, width, height and pitch of the plane; the place comes with each message."""
        address = kernel.value("<2 x i32>", f"bitcast i64 %{pointer}.n to <2 x i32>")
        eight = kernel.value(
            "<8 x i32>", f"shufflevector {address}, <2 x i32> undef, {vector('i32', [0, 1, 0, 0, 0, 0, 0, 0])}"
        )
        shape = (rows - 1) << 8 | columns - 1
        rest = vector("i32", [0, 0, 64 * size - 1, 19, 64 * size - 1, 0, 0, shape])
        both = vector("i32", [0, 1, 10, 11, 12, 13, 14, 15])
        eight = kernel.value("<8 x i32>", f"shufflevector {eight}, {rest}, {both}")
        return kernel.value(
            "<16 x i32>", f"shufflevector {eight}, <8 x i32> zeroinitializer, {vector('i32', range(16))}"
        )

    row = f"<{count} x {element}>"
    fields = "i1 true", vector("i8", [0, 0]), "i8 1", f"i16 {columns}", f"i16 {rows}"
    x, y = 56 // (size // 2), 14
    place = f"i32 {x}", f"i32 {y}"
    kernel.call("void", "lsc.prefetch.2d.ugm.desc", *fields, payload("a"), *place, f"{row} undef")
    block = kernel.call(row, f"lsc.load.2d.ugm.desc{form}", *fields, payload("a"), *place, f"{row} undef")
    if form:
        dwords = f"<{count * size // 4} x i32>"
        kernel.store(kernel.value(dwords, f"bitcast {block} to {dwords}"), "o")
    else:
        kernel.call("void", "lsc.store.2d.ugm.desc", *fields, payload("o"), "i32 4", "i32 2", block)
    _, out = kernel.run(plane, np.zeros_like(plane))
    wanted = np.zeros((rows, columns), type)
    inside = plane[y : y + rows, x : x + columns]
    wanted[: inside.shape[0], : inside.shape[1]] = inside
    if not form:
        np.testing.assert_array_equal(out[2 : 2 + rows, 4 : 4 + columns], wanted)
        assert np.count_nonzero(out) == np.count_nonzero(wanted)
        return
    ordered = wanted.T if form == ".transpose" else wanted.reshape(rows // 2, 2, columns).swapaxes(1, 2)
    np.testing.assert_array_equal(out.ravel()[:count], ordered.ravel())
