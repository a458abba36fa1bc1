"""Facts about single instructions that programs rely on, each written out. The same in every engine."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from runtime.simulator import DeviceFault, FaultKind, Memory
from runtime.simulator.engines import ENGINES
from tests.unit.runtime.simulator.programs.assembled import Thread, run_thread
from xegpu.targets import ARC

pytestmark = pytest.mark.parametrize("engine", sorted(ENGINES))

NAN, INF = np.nan, np.inf
LANES = np.arange(16, dtype=np.int32)


def singles(*values: float) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def words(*patterns: int) -> NDArray[np.uint32]:
    return np.array(patterns, np.uint32)


def bits(thread: Thread, register: int, count: int) -> list[int]:
    return [int(pattern) for pattern in thread[register, "u4"][:count].tolist()]


# Regions, offsets and masks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        ("<1;1,0>", list(range(16))),
        ("<0;1,0>", [0] * 16),
        ("<2;1,0>", list(range(0, 32, 2))),
        ("<8;8,1>", list(range(16))),
        ("<0;4,1>", [0, 1, 2, 3] * 4),
        ("<1;4,0>", [0] * 4 + [1] * 4 + [2] * 4 + [3] * 4),
        ("<16;4,2>", [16 * (i // 4) + 2 * (i % 4) for i in range(16)]),
    ],
)
def test_regions(engine: str, region: str, expected: list[int]) -> None:
    thread = run_thread(f"mov (16|M0) r20:d r1.0{region}:d", {1: np.arange(64, dtype=np.int32)}, engine=engine)
    assert thread[20, "i4"].tolist() == expected


def test_destination_stride_keeps_what_lies_between(engine: str) -> None:
    thread = run_thread("mov (8|M0) r20.1<4>:b r1:d", {1: LANES, 20: np.full(64, 99, np.int8)}, engine=engine)
    row = thread[20, "i1"]
    assert row[1:32:4].tolist() == list(range(8))
    assert set(np.delete(row, range(1, 32, 4)).tolist()) == {99}


def test_operands_may_overlap(engine: str) -> None:
    thread = run_thread("mov (16|M0) r1.1:d r1.0:d", {1: np.arange(17, dtype=np.int32)}, engine=engine)
    assert thread.bytes[1:3].ravel().view(np.int32)[:17].tolist() == [0, *range(16)]


def test_a_bit_copy_may_spread_its_own_source(engine: str) -> None:
    thread = run_thread("mov (8|M0) r1.0<2>:ub r1.0<1;1,0>:ub", {1: np.arange(16, dtype=np.uint8)}, engine=engine)
    assert thread[1, "u1"][:16].tolist() == [0, 1, 1, 3, 2, 5, 3, 7, 4, 9, 5, 11, 6, 13, 7, 15]
    thread = run_thread("mov (8|M0) r1.0<1>:ub r1.0<2;1,0>:ub", {1: np.arange(16, dtype=np.uint8)}, engine=engine)
    assert thread[1, "u1"][:8].tolist() == list(range(0, 16, 2))


def test_channel_offset_selects_mask_bits_and_not_registers(engine: str) -> None:
    program = "mov (8|M8) r20.0:d 1:d\n(W) mov (8|M8) r21:d 1:d"
    thread = run_thread(program, {20: np.zeros(16, np.int32)}, mask=0b1010_0101 << 8 | 0x5A, engine=engine)
    assert thread[20, "i4"][:8].tolist() == [1, 0, 1, 0, 0, 1, 0, 1]
    assert thread[21, "i4"][:8].tolist() == [1] * 8


@pytest.mark.parametrize(
    ("flag", "offset", "shift"), [("f1.0", 0, 0), ("f1.0", 16, 16), ("f1.1", 0, 16), ("f1.0", 8, 8), ("f1.1", 8, 24)]
)
def test_flag_window(engine: str, flag: str, offset: int, shift: int) -> None:
    """Condition modifiers write, and predicates read, bit 16 * half + offset + channel."""
    program = f"cmp (8|M{offset}) (lt){flag} null:d r1:d 3:d\n({flag}) mov (8|M{offset}) r20:d 1:d"
    before = 0xAAAAAAAA
    thread = run_thread(program, {1: LANES}, flags=(0, before, 0, 0), engine=engine)
    assert thread.flags == (0, before & ~(0xFF << shift) | 0b111 << shift, 0, 0)
    assert thread[20, "i4"][:8].tolist() == [1, 1, 1, 0, 0, 0, 0, 0]


def test_disabled_channels_keep_their_flag_bits(engine: str) -> None:
    program = "cmp (16|M0) (ge)f0.0 null:d r1:d 0:d"
    thread = run_thread(program, {1: LANES}, mask=0xFF, flags=(0x8000, 0, 0, 0), engine=engine)
    assert thread.flags[0] == 0x80FF


def test_predicated_comparison_of_its_own_flag_is_and_or_or(engine: str) -> None:
    for sign, before, expected in (("", 0b0011, 0b0001), ("~", 0b0011, 0b0111)):
        program = f"({sign}f0.0) cmp (4|M0) (eq)f0.0 null:d r1:d 0:d"
        thread = run_thread(program, {1: np.array([0, 1, 0, 1], np.int32)}, flags=(before, 0, 0, 0), engine=engine)
        assert thread.flags[0] == expected


def test_select_chooses_by_its_predicate_and_writes_by_the_mask(engine: str) -> None:
    program = "(~f0.0) sel (8|M0) r20:d r1:d 100:d"
    thread = run_thread(program, {1: LANES, 20: LANES - 50}, mask=0x3F, flags=(0x0F, 0, 0, 0), engine=engine)
    assert thread[20, "i4"][:8].tolist() == [100] * 4 + [4, 5, -44, -43]


def test_comparisons_write_all_ones(engine: str) -> None:
    program = "cmp (4|M0) (ge)f0.0 r20.0<2>:w r1:f 0:f"
    values = singles(-1, NAN, -0.0, INF)
    thread = run_thread(program, {1: values, 20: np.full(8, 9, np.int16)}, engine=engine)
    assert thread[20, "i2"][:8].tolist() == [0, 9, 0, 9, -1, 9, -1, 9]
    assert thread.flags[0] == 0b1100


def test_conditions_of_results_compare_with_zero_after_saturation(engine: str) -> None:
    program = "add (4|M0) (eq)f0.0 (sat) r20:ud r1:ud r2.0<0>:ud\nadd (4|M0) (eq)f1.0 r21:ub r1:ud r2.0<0>:ud"
    thread = run_thread(program, {1: words(0, 1, 255, 256), 2: words(1)}, engine=engine)
    assert thread.flags[:2] == (0, 0b0100)
    thread = run_thread("mad (4|M0) (ne)f0.0 null:f r1:f r1:f r2.0<0>:f", {1: singles(0, 1, NAN, -2)}, engine=engine)
    assert thread.flags[0] == 0b1110


# Floats --------------------------------------------------------------------------------------------------------------


def test_mov_between_equal_types_copies_bits(engine: str) -> None:
    patterns = words(0x7F800001, 0xFFC01234, 0x00000001, 0x80000000)
    thread = run_thread("mov (4|M0) r20:f r1:f\n(f0.0) sel (4|M0) r21:f r1:f r1:f", {1: patterns}, engine=engine)
    assert bits(thread, 20, 4) == patterns.tolist()
    assert bits(thread, 21, 4) == patterns.tolist()


def test_results_that_are_nans_are_canonical(engine: str) -> None:
    program = """
        mov (4|M0) r20:f -r1:f
        add (4|M0) r21:f r1:f 1:f
        mov (4|M0) r22:df r1:f
        mov (4|M0) r23:hf r1:f
        mov (4|M0) r24:bf r1:f
        mov (4|M0) (sat) r25:f r1:f
    """
    thread = run_thread(program, {1: words(0x7F800001, 0xFFC01234, 0xFFFFFFFF, 0x7FC00001)}, engine=engine)
    assert bits(thread, 20, 4) == bits(thread, 21, 4) == [0x7FC00000] * 4
    assert thread[22, "u8"][:4].tolist() == [0x7FF8000000000000] * 4
    assert thread[23, "u2"][:4].tolist() == [0x7E00] * 4
    assert thread[24, "u2"][:4].tolist() == [0x7FC0] * 4
    assert bits(thread, 25, 4) == [0] * 4


def test_minimum_and_maximum_of_nans_and_zeros(engine: str) -> None:
    a, b = singles(NAN, 1, NAN, 0.0, -0.0, 2), singles(1, NAN, NAN, -0.0, 0.0, 3)
    program = "sel (4|M0) (lt) r20:f r1:f r2:f\nsel (2|M0) (lt) r20.4:f r1.4:f r2.4:f\n"
    program += program.replace("(lt) r20", "(ge) r21")
    thread = run_thread(program, {1: a, 2: b}, engine=engine)
    one, minus_zero, canonical = 0x3F800000, 0x80000000, 0x7FC00000
    # Equal zeros: `lt` leaves src1, `ge` takes src0.
    assert bits(thread, 20, 6) == [one, one, canonical, minus_zero, 0, 0x40000000]
    assert bits(thread, 21, 6) == [one, one, canonical, 0, minus_zero, 0x40400000]


def test_nan_is_unordered(engine: str) -> None:
    for condition, expected in {"eq": 0, "lt": 0, "le": 0, "gt": 0, "ge": 0, "ne": 1}.items():
        program = f"cmp (1|M0) ({condition})f0.0 null:f r1:f r1:f"
        assert run_thread(program, {1: singles(NAN)}, engine=engine).flags[0] == expected


def test_mad_is_fused(engine: str) -> None:
    tiny = np.float32(2.0**-12)
    x = np.float32(1 + tiny)  # x * x = 1 + 2^-11 + 2^-24
    thread = run_thread("mad (1|M0) r20:f r1:f r1:f r2:f", {1: x, 2: np.float32(-(1 + 2.0**-11))}, engine=engine)
    assert thread[20, "f4"][0] == np.float32(2.0**-24)


def test_subnormal_results_stay(engine: str) -> None:
    thread = run_thread("mul (2|M0) r20:f r1:f 0.5:f", {1: singles(2.0**-126, 2.0**-149)}, engine=engine)
    assert bits(thread, 20, 2) == [0x00400000, 0]
    thread = run_thread(
        "mul (1|M0) r20:hf r1:hf 0.5:hf", {1: np.array([2.0**-24, 2.0**-14], np.float16)}, engine=engine
    )
    assert thread[20, "u2"][0] == 0
    thread = run_thread("mul (1|M0) r20:hf r1.1:hf 0.5:hf", {1: np.array([0, 2.0**-14], np.float16)}, engine=engine)
    assert thread[20, "u2"][0] == 0x0200


@pytest.mark.parametrize(
    ("mnemonic", "expected"),
    [
        ("rndd", [-3, 2, -1, -0.0, 0, 2]),
        ("rndu", [-2, 3, -0.0, -0.0, 1, 3]),
        ("rndz", [-2, 2, -0.0, -0.0, 0, 2]),
        ("rnde", [-2, 2, -0.0, -0.0, 0, 3]),
    ],
)
def test_rounding_to_integral_values(engine: str, mnemonic: str, expected: list[float]) -> None:
    values = singles(-2.5, 2.5, -0.5, -0.0, 0.25, 2.75)
    program = f"{mnemonic} (4|M0) r20:f r1:f\n{mnemonic} (2|M0) r20.4:f r1.4:f"
    thread = run_thread(program, {1: values}, engine=engine)
    assert bits(thread, 20, 6) == singles(*expected).view(np.uint32).tolist()


def test_bf_computes_in_f_and_rounds_at_the_end(engine: str) -> None:
    one, tiny = 0x3F80, 0x3B80  # 1 and 2^-8
    thread = run_thread("add (1|M0) r20:bf r1.0:bf r1.1:bf", {1: np.array([one, tiny], np.uint16)}, engine=engine)
    assert thread[20, "u2"][0] == one  # the tie goes to even
    thread = run_thread("add (1|M0) r20:f r1.0:bf r1.1:bf", {1: np.array([one, tiny], np.uint16)}, engine=engine)
    assert thread[20, "f4"][0] == np.float32(1 + 2.0**-8)


# Conversions ---------------------------------------------------------------------------------------------------------


def test_floats_become_integers_toward_zero_and_clamped(engine: str) -> None:
    values = singles(2.9, -2.9, NAN, INF, -INF, 3e9, -3e9, 300.7)
    expected = {
        "d": [2, -2, 0, 2**31 - 1, -(2**31), 2**31 - 1, -(2**31), 300],
        "ud": [2, 0, 0, 2**32 - 1, 0, 3_000_000_000, 0, 300],
        "w": [2, -2, 0, 2**15 - 1, -(2**15), 2**15 - 1, -(2**15), 300],
        "ub": [2, 0, 0, 255, 0, 255, 0, 255],
        "b": [2, -2, 0, 127, -128, 127, -128, 127],
        "q": [2, -2, 0, 2**63 - 1, -(2**63), 3_000_000_000, -3_000_000_000, 300],
        "uq": [2, 0, 0, 2**64 - 1, 0, 3_000_000_000, 0, 300],
    }
    dtypes = {"d": "i4", "ud": "u4", "w": "i2", "ub": "u1", "b": "i1", "q": "i8", "uq": "u8"}
    for name, results in expected.items():
        thread = run_thread(f"mov (8|M0) r20:{name} r1:f", {1: values}, engine=engine)
        assert thread[20, dtypes[name]][:8].tolist() == results, name


def test_integers_narrow_by_their_low_bits_or_saturate(engine: str) -> None:
    values = np.array([300, -300, 5, -1], np.int32)
    program = "mov (4|M0) r20:b r1:d\nmov (4|M0) (sat) r21:b r1:d\nmov (4|M0) (sat) r22:ub r1:d"
    thread = run_thread(program, {1: values}, engine=engine)
    assert thread[20, "i1"][:4].tolist() == [44, -44, 5, -1]
    assert thread[21, "i1"][:4].tolist() == [127, -128, 5, -1]
    assert thread[22, "u1"][:4].tolist() == [255, 0, 5, 0]


def test_integers_widen_by_their_own_signedness(engine: str) -> None:
    program = "mov (1|M0) r20:q r1:w\nmov (1|M0) r21:q r1:uw\nshl (1|M0) r22:q r1:w 8:d"
    thread = run_thread(program, {1: np.array([-2], np.int16)}, engine=engine)
    assert [int(thread[r, "i8"][0]) for r in (20, 21, 22)] == [-2, 65534, -512]


def test_tf32_keeps_ten_bits(engine: str) -> None:
    values = singles(1 + 2.0**-11, 1 + 3 * 2.0**-11, 2.0**-130, -(2.0**-130))
    thread = run_thread("mov (4|M0) r20:tf32 r1:f", {1: values}, engine=engine)
    assert bits(thread, 20, 4) == singles(1, 1 + 2.0**-9, 0.0, -0.0).view(np.uint32).tolist()


# Integers ------------------------------------------------------------------------------------------------------------


def test_division_by_zero_and_overflow(engine: str) -> None:
    a, b = np.array([7, -7, 7, -(2**31)], np.int32), np.array([0, 2, -2, -1], np.int32)
    thread = run_thread("div (4|M0) r20:d r1:d r2:d\nmod (4|M0) r21:d r1:d r2:d", {1: a, 2: b}, engine=engine)
    assert thread[20, "i4"][:4].tolist() == [-1, -3, -3, -(2**31)]
    assert thread[21, "i4"][:4].tolist() == [7, -1, 1, 0]


def test_comparisons_of_mixed_signedness_are_exact(engine: str) -> None:
    thread = run_thread("cmp (1|M0) (lt)f0.0 null:d r1:d r2:ud", {1: np.int32(-1), 2: words(5)}, engine=engine)
    assert thread.flags[0] == 1


def test_modifiers_act_in_the_computation_type(engine: str) -> None:
    program = "add (1|M0) r20:d -r1:w 0:d\nadd (1|M0) r21:d -(abs)r1:w 0:d\nand (1|M0) r22:ud ~r1:uw 0xFFFFFFFF:ud"
    thread = run_thread(program, {1: np.array([-(2**15)], np.int16)}, engine=engine)
    assert thread[20, "i4"][0] == 2**15
    assert thread[21, "i4"][0] == -(2**15)
    assert thread[22, "u4"][0] == 0xFFFF7FFF


def test_packed_immediates_give_each_channel_a_nibble(engine: str) -> None:
    program = "mov (16|M0) r20:w 0x76543210:v\nmov (8|M0) r21:d 0xFEDCBA98:v\nmov (8|M0) r22:uw 0xFEDCBA98:uv"
    thread = run_thread(program, engine=engine)
    assert thread[20, "i2"][:16].tolist() == list(range(8)) * 2
    assert thread[21, "i4"][:8].tolist() == list(range(-8, 0))
    assert thread[22, "u2"][:8].tolist() == list(range(8, 16))


def test_packed_floats_give_each_channel_a_byte(engine: str) -> None:
    thread = run_thread("mov (8|M0) r20:f 0x80302F00:vf\nmov (4|M0) r21:hf 0x7FB10120:vf", engine=engine)
    assert thread[20, "f4"][:8].tolist() == [0.0, 0.96875, 1.0, -0.0] * 2
    assert np.signbit(thread[20, "f4"][3])
    assert thread[21, "f2"][:4].tolist() == [0.5, 0.1328125, -1.0625, 31.0]


def test_high_half_of_products(engine: str) -> None:
    program = "mulh (1|M0) r20:ud r1:ud r1:ud\nmulh (1|M0) r21:d r1:d r1:d"
    thread = run_thread(program, {1: words(0xFFFFFFFF)}, engine=engine)
    assert thread[20, "u4"][0] == 0xFFFFFFFE
    assert thread[21, "i4"][0] == 0


# Control -------------------------------------------------------------------------------------------------------------


def test_jumps_test_one_flag_bit_and_ignore_the_mask(engine: str) -> None:
    program = """
        (W) mov (1|M0) r20:d 1:d
        ({sign}f0.1) jmpi (1|M4) done
        (W) mov (1|M0) r20:d 2:d
    done:
    """
    for sign, flag, taken in (("", 1 << 20, True), ("", ~(1 << 20), False), ("~", ~(1 << 20), True), ("~", -1, False)):
        flags = (flag & 0xFFFFFFFF, 0, 0, 0)
        thread = run_thread(program.format(sign=sign), mask=0, flags=flags, engine=engine)
        assert thread[20, "i4"][0] == (1 if taken else 2)


def test_loops(engine: str) -> None:
    program = """
        (W) mov (1|M0) r20:d 0:d
    loop:
        (W) add (1|M0) r20:d r20:d r1:d
        (W) add (1|M0) (gt)f0.0 r1:d r1:d -1:d
        (W&f0.0) jmpi (1|M0) loop
    """
    assert run_thread(program, {1: np.int32(100)}, engine=engine)[20, "i4"][0] == 5050


# Messages ------------------------------------------------------------------------------------------------------------


def _memory(size: int = 1024) -> tuple[Memory, int, NDArray[np.uint8]]:
    memory = Memory()
    allocation = memory.allocate(size)
    data = np.frombuffer(allocation.view(), np.uint8)
    data[:] = np.arange(size) % 251
    return memory, allocation.address, data


def test_gathers_return_vectors_element_by_element(engine: str) -> None:
    """The first elements of all lanes come first; lanes that are off keep their bytes."""
    memory, address, data = _memory()
    addresses = np.uint64(address) + 12 * np.arange(16, dtype=np.uint64)
    thread = run_thread(
        "load.ugm.d32x2.a64 (16|M0) r20 flat[r1+4]", {1: addresses}, mask=0x7FFF, memory=memory, engine=engine
    )
    dwords = data.view(np.uint32)
    assert thread[20, "u4"].tolist() == [*dwords[1:46:3].tolist(), 0]
    assert thread[21, "u4"].tolist() == [*dwords[2:47:3].tolist(), 0]


@pytest.mark.parametrize("size", [1, 2])
def test_small_loads_clear_the_upper_bits(engine: str, size: int) -> None:
    memory, address, data = _memory()
    addresses = np.uint64(address) + size * np.arange(16, dtype=np.uint64)
    before = {1: addresses, 20: np.full(16, -1, np.int32)}
    program = f"load.ugm.d{8 * size}u32.a64 (16|M0) r20 flat[r1]"
    thread = run_thread(program, before, memory=memory, engine=engine)
    assert thread[20, "u4"].tolist() == data.view(f"u{size}")[:16].tolist()


def test_the_highest_lane_wins_a_store(engine: str) -> None:
    memory, address, data = _memory()
    addresses = np.full(16, address, np.uint64)
    program = "store.ugm.d32.a64 (16|M0) flat[r1] r4"
    run_thread(program, {1: addresses, 4: LANES}, mask=0x3FFF, memory=memory, engine=engine)
    assert data.view(np.uint32)[0] == 13


def test_scratch_space_is_read_back(engine: str) -> None:
    program = """
        store.ugm.d32x16t.a32 (1|M0) ss[r1+64] r2
        load.ugm.d32.a32 (16|M0) r20 ss[r3+64]
    """
    registers = {1: words(0), 2: LANES, 3: 4 * LANES[::-1]}
    thread = run_thread(program, registers, engine=engine, scratch_size=128)
    assert thread[20, "i4"].tolist() == list(range(15, -1, -1))


def test_gathers_on_a_target_with_small_registers(engine: str) -> None:
    """Eight lanes fill a register of 32 bytes, so that the second elements are in the next one."""
    memory, address, data = _memory()
    addresses = np.uint64(address) + 8 * np.arange(8, dtype=np.uint64)
    program = "load.ugm.d32x2.a64 (8|M0) r20 flat[r1]"
    thread = run_thread(program, {1: addresses}, memory=memory, target=ARC, engine=engine)
    assert thread[20, "u4"].tolist() == data.view(np.uint32)[0:16:2].tolist()
    assert thread[21, "u4"].tolist() == data.view(np.uint32)[1:16:2].tolist()


def _surface(address: int, width: int, height: int, pitch: int, x: int, y: int, block: tuple[int, int, int]) -> bytes:
    columns, rows, count = block
    shape = (columns - 1) | (rows - 1) << 8 | (count - 1) << 16
    return (
        np.array([address], np.uint64).tobytes()
        + np.array([width - 1, height - 1, pitch - 1, x & 0xFFFFFFFF, y & 0xFFFFFFFF, shape], np.uint32).tobytes()
    )


def _tile(engine: str, text: str, *, x: int, y: int, block: tuple[int, int, int]) -> Thread:
    """Loads a block of a 64-byte wide surface of 12 rows, 80 bytes apart, whose bytes count up modulo 251."""
    memory, address, _ = _memory(12 * 80)
    payload = np.frombuffer(_surface(address, 64, 12, 80, x, y, block), np.uint8)
    columns, rows, count = block
    before: dict[int, NDArray[np.generic]] = {1: payload, 20: np.full(1024, -1, np.int16)}
    return run_thread(f"{text} (1|M0) r20 flat[r1] {columns}x{rows}x{count}", before, memory=memory, engine=engine)


SURFACE = (np.arange(12 * 80) % 251).astype(np.uint8).reshape(12, 80)[:, :64]


def test_blocks_are_zero_outside_of_the_surface(engine: str) -> None:
    thread = _tile(engine, "load_block2d.ugm.d16.a64", x=-4, y=-1, block=(16, 4, 1))
    tile = thread.bytes[20:22].ravel().view(np.uint16).reshape(4, 16)
    expected = np.zeros((4, 16), np.uint16)
    expected[1:, 4:] = SURFACE.copy().view(np.uint16)[:3, :12]
    np.testing.assert_array_equal(tile, expected)
    assert (thread[22, "i2"] == -1).all()
    thread = _tile(engine, "load_block2d.ugm.d16.a64", x=24, y=10, block=(16, 4, 1))
    tile = thread.bytes[20:22].ravel().view(np.uint16).reshape(4, 16)
    expected = np.zeros((4, 16), np.uint16)
    expected[:2, :8] = SURFACE.copy().view(np.uint16)[10:, 24:]
    np.testing.assert_array_equal(tile, expected)


def test_array_blocks_lie_one_after_the_other(engine: str) -> None:
    thread = _tile(engine, "load_block2d.ugm.d16.a64", x=0, y=0, block=(16, 8, 2))
    tiles = thread.bytes[20:28].ravel().view(np.uint16).reshape(2, 8, 16)
    surface = SURFACE.copy().view(np.uint16)[:8]
    np.testing.assert_array_equal(tiles, surface.reshape(8, 2, 16).swapaxes(0, 1))


def test_vnni_puts_the_rows_of_a_dword_side_by_side(engine: str) -> None:
    thread = _tile(engine, "load_block2d.ugm.d8v.a64", x=4, y=0, block=(16, 8, 1))
    tile = thread.bytes[20:22].ravel().reshape(2, 16, 4)
    np.testing.assert_array_equal(tile, SURFACE[:8, 4:20].reshape(2, 4, 16).swapaxes(1, 2))


def test_transposed_blocks(engine: str) -> None:
    thread = _tile(engine, "load_block2d.ugm.d32t.a64", x=2, y=1, block=(8, 6, 1))
    tile = thread.bytes[20:24].ravel().view(np.uint32).reshape(8, 8)
    np.testing.assert_array_equal(tile[:, :6], SURFACE.copy().view(np.uint32)[1:7, 2:10].T)
    assert not tile[:, 6:].any()  # columns are padded to eight


def test_rows_are_padded_to_powers_of_two_with_zeros(engine: str) -> None:
    thread = _tile(engine, "load_block2d.ugm.d8.a64", x=0, y=0, block=(12, 3, 1))
    rows = thread[20, "u1"].reshape(4, 16)
    np.testing.assert_array_equal(rows[:3, :12], SURFACE[:3, :12])
    assert not rows[:, 12:].any()
    assert not rows[3].any()


def test_stores_drop_what_is_outside(engine: str) -> None:
    memory, address, data = _memory(12 * 80)
    payload = np.frombuffer(_surface(address, 64, 12, 80, 12, -2, (16, 4, 1)), np.uint8)
    tile = np.arange(1000, 1064, dtype=np.uint32)
    program = "store_block2d.ugm.d32.a64 (1|M0) flat[r1] r20 16x4x1"
    run_thread(program, {1: payload, 20: tile}, memory=memory, engine=engine)
    expected = (np.arange(12 * 80) % 251).astype(np.uint8).reshape(12, 80)
    rows = expected[:2].view(np.uint32)
    rows[:, 12:16] = tile.reshape(4, 16)[2:, :4]
    np.testing.assert_array_equal(data.reshape(12, 80), expected)


def test_block_messages_obey_mask_and_predicate_of_channel_0(engine: str) -> None:
    for control, mask, flags, sent in (
        ("", 1, 0, True),
        ("", -2, 0, False),
        ("(W)", 0, 0, True),
        ("(f0.0)", 1, 0, False),
    ):
        memory, address, _ = _memory(12 * 80)
        payload = np.frombuffer(_surface(address, 64, 12, 80, 0, 0, (16, 1, 1)), np.uint8)
        program = f"{control} load_block2d.ugm.d32.a64 (1|M0) r20 flat[r1] 16x1x1"
        thread = run_thread(
            program, {1: payload}, mask=mask & 0xFFFFFFFF, flags=(flags, 0, 0, 0), memory=memory, engine=engine
        )
        assert thread[20, "u1"].any() == sent


# Architecture registers and indirect operands ------------------------------------------------------------------------


def test_flags_are_operands(engine: str) -> None:
    program = """
        (W) mov (1|M0) f1.1:uw 0x00F0:uw
        (f1.1) mov (16|M0) r20:d 1:d
        (W) mov (1|M0) r21:ud f1.0:ud
        (W) or (1|M0) f0.0:ud f1.0:ud 1:ud
        (W) mov (16|M0) r22:uw f1.1<0;1,0>:uw
    """
    thread = run_thread(program, {20: np.zeros(16, np.int32)}, engine=engine)
    assert thread[20, "i4"].tolist() == [int(4 <= lane < 8) for lane in range(16)]
    assert thread[21, "u4"][0] == 0x00F00000
    assert thread.flags[:2] == (0x00F00001, 0x00F00000)
    assert thread[22, "u2"][:16].tolist() == [0xF0] * 16


def test_a_flag_that_is_the_destination_is_written_last(engine: str) -> None:
    thread = run_thread("(W) and (1|M0) (ne)f0.0 f0.0:ud r1:ud 6:ud", {1: words(4)}, engine=engine)
    assert thread.flags[0] == 4


def test_state_registers(engine: str) -> None:
    program = """
        (W) mov (4|M0) r20:ud ce0.0<0;1,0>:ud
        (W) mov (1|M0) r21:ud sr0.2:ud
        (W) mov (1|M0) r22:ud sr0.0:ud
        (W) mov (1|M0) r23:ud cr0.0:ud
    """
    thread = run_thread(program, mask=0x1234, engine=engine)
    assert thread[20, "u4"][:4].tolist() == [0x1234] * 4
    assert [int(thread[r, "u4"][0]) for r in (21, 22, 23)] == [0x1234, 0, 0x4C0]


def test_indirect_regions(engine: str) -> None:
    """One address for a region, an address for each row, and one for a destination."""
    program = """
        (W) mov (1|M0) a0.2:uw 68:uw
        (W) mov (1|M0) a0.3:uw 96:uw
        mov (8|M0) r20:d r[a0.2, -4]<2;1,0>:d
        mov (8|M0) r21:d r[a0.2, 4]<4,1>:d
        mov (4|M0) r[a0.2, 508]<2>:d r1:d
    """
    thread = run_thread(program, {1: LANES, 21: LANES * 0}, engine=engine)
    assert thread[20, "i4"][:8].tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    assert thread[21, "i4"][:8].tolist() == [2, 3, 4, 5, 9, 10, 11, 12]
    assert thread[9, "i4"][:8].tolist() == [0, 0, 1, 0, 2, 0, 3, 0]


@pytest.mark.parametrize(("address", "mask", "lane"), [(8192, 0xF, 0), (8188, 0xF, 1), (8188, 0x1, None), (66, 0xC, 2)])
def test_indirect_operands_outside_of_the_registers(engine: str, address: int, mask: int, lane: int | None) -> None:
    program = f"(W) mov (1|M0) a0.0:uw {address}:uw\nmov (4|M0) r20:d r[a0.0]:d"
    if lane is None:
        run_thread(program, mask=mask, engine=engine)
        return
    with pytest.raises(DeviceFault) as caught:
        run_thread(program, mask=mask, engine=engine)
    fault = caught.value
    assert (fault.kind, fault.lane, fault.address) == (FaultKind.BAD_REGISTER, lane, address + 4 * lane)
    assert "indirect access to no register" in str(fault)
