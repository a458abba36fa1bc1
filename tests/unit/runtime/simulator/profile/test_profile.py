"""Tests of the profile of a launch."""

from __future__ import annotations

import pytest

from runtime.simulator.profile import LineProfile
from tests.unit.runtime.simulator.profile.launches import BUFFER_BYTES, profiled
from xegpu.isa.code.line_table import LineTable, SourcePlace
from xegpu.targets import ARC, PVC

MESSAGES = """
    load.ugm.d32x64t.a64.ca.ca (1|M0) r10:4 flat[r1]:1
    (W) mov (16|M0) r4:uq r1.0<0;1,0>:uq
    (W) mov (1|M0) f0.0:ud 0xF:ud
    (f0.0) load.ugm.d32.a64 (16|M0) r20:1 flat[r4]:2
    store.ugm.d16u32.a64.wb.wb (16|M0) flat[r4]:2 r20:1
    atomic_iadd.ugm.d32.a64 (16|M0) r21:1 flat[r4]:2 r20:1
    (W) mov (16|M0) r2:ud 0:ud
    load.slm.d32.a32 (16|M0) r22:1 flat[r2]:1
    prefetch.ugm.d32x64t.a64.st.uc (1|M0) flat[r1]:1
    eot
"""


def test_bytes_by_space_access_and_hints() -> None:
    found = profiled(MESSAGES, (2, 1, 1), slm=64)
    rows = {(t.space.value, t.access, t.l1, t.l3): (t.messages, t.bytes) for t in found.traffic}
    assert rows == {
        ("global", "load", "ca", "ca"): (2, 2 * 256),
        ("global", "load", "df", "df"): (2, 2 * 4 * 4),
        ("global", "store", "wb", "wb"): (2, 2 * 16 * 2),
        ("global", "atomic", "df", "df"): (2, 2 * 16 * 4),
        ("slm", "load", "df", "df"): (2, 2 * 16 * 4),
        ("global", "prefetch", "st", "uc"): (2, 2 * 256),
    }
    assert [t.bytes for t in found.traffic] == sorted((t.bytes for t in found.traffic), reverse=True)


def test_histograms_count_executions() -> None:
    found = profiled(
        "add (16|M0) r2:f r2:f r2:f\nmul (16|M0) r4:d r4:d r4:d\nadd (16|M0) r2:f r2:f r2:f\neot", (3, 1, 1)
    )
    assert found.mnemonics == {"add": 6, "mul": 3, "eot": 3}
    assert found.pipes == {"float": 6, "integer": 3, "control": 3}
    assert sum(found.mnemonics.values()) == found.statistics.instructions


def test_code_that_is_not_reached_counts_nothing() -> None:
    found = profiled("(W) jmpi (1|M0) on\nload.slm.d32.a32 (16|M0) r20:1 flat[r120]:1\non:\neot")
    assert found.traffic == ()
    assert "load" not in found.mnemonics
    assert found.live_registers < 5


def test_channels_that_are_on() -> None:
    half = "(W) mov (1|M0) f0.0:ud 0xFF:ud\n(f0.0) add (16|M0) r2:f r2:f r2:f\neot"
    assert profiled(half).channels_on == 0.5
    assert profiled("(W) add (1|M0) r2:f r2:f r2:f\neot").channels_on == 1
    assert profiled("add (16|M0) r2:f r2:f r2:f\neot", items=20).channels_on == (16 + 4) / 32


def test_live_registers() -> None:
    """Eight registers are defined one after the other, then summed up."""
    lines = [f"mov (16|M0) r{n}:f 1.0:f" for n in range(10, 18)]
    lines += [f"add (16|M0) r20:f r20:f r{n}:f" for n in range(10, 18)]
    found = profiled("mov (16|M0) r20:f 0.0:f\n" + "\n".join([*lines, "eot"]))
    assert found.live_registers == 9
    assert [entry.registers for entry in found.instructions] == [*range(1, 10), *range(9, 1, -1), 0]


def test_lines_of_the_source() -> None:
    header = (0, SourcePlace("k.mlir", 1, 1))
    rows = (
        header,
        (16, SourcePlace("k.mlir", 2, 5)),
        (32, SourcePlace("k.mlir", 3, 7)),
        (48, SourcePlace("k.mlir", 2, 9)),
        (64, None),
    )
    text = "add (16|M0) r2:f r2:f r2:f\nadd (16|M0) r4:f r4:f r4:f\nadd (16|M0) r2:f r2:f r2:f\neot"
    found = profiled(text, (5, 1, 1), lines=LineTable(rows, 80))
    # The third instruction waits for the first one.
    assert found.lines == (
        LineProfile(None, 5, 5 * 101, 101 / 113),
        LineProfile(SourcePlace("k.mlir", 2, 0), 10, 5 * (1 + 10), 11 / 113),
        LineProfile(SourcePlace("k.mlir", 3, 0), 5, 5, 1 / 113),
    )
    assert sum(line.cycles for line in found.lines) == sum(entry.cycles for entry in found.instructions)


@pytest.mark.parametrize(
    ("text", "precision", "operations", "peak"),
    [
        ("dpas.8x8 (16|M0) r16:f r16:f r32:bf r48:bf", "dpas bf", 2 * 8 * 16 * 16, 419.4e12),
        ("dpas.8x4 (16|M0) r16:f r16:f r32:hf r48:hf", "dpas hf", 2 * 4 * 16 * 16, 419.4e12),
        ("dpas.8x8 (16|M0) r16:f r16:f r32:tf32 r48:tf32", "dpas tf32", 2 * 8 * 16 * 8, 209.7e12),
        ("dpas.8x8 (16|M0) r16:d r16:d r32:s8 r48:s8".replace("s8", "b"), "dpas b", 2 * 8 * 16 * 32, 838.9e12),
        ("mad (16|M0) r2:f r4:f r6:f r8:f", "vector f", 32, 26.2e12),
        ("mad (16|M0) r2:df r4:df r6:df r8:df", "vector df", 32, 26.2e12),
        ("mul (32|M0) r2:hf r4:hf r6:hf", "vector hf", 16, 52.4e12),
        ("math.exp (16|M0) r2:f r4:f", "vector f", 16, 26.2e12),
    ],
)
def test_operations_and_peaks(text: str, precision: str, operations: int, peak: float) -> None:
    """Half of a device with two stacks; 16 of 32 channels are on where an instruction has so many."""
    found = profiled(f"{text}\neot").roofline
    assert found is not None
    assert (found.precision, found.operations) == (precision, operations)
    assert found.peak == pytest.approx(peak, rel=1e-3)
    assert found.bandwidth == PVC.timing.memory_bandwidth


def test_peak_of_the_other_target() -> None:
    found = profiled("dpas.8x8 (8|M0) r16:f r16:f r32:hf r48:hf\neot", target=ARC, simd=8, items=8).roofline
    assert found is not None
    assert found.peak == pytest.approx(128 * 512 * 2.4e9)


def test_a_roof_of_memory_and_one_of_arithmetic() -> None:
    load = "load.ugm.d32x64t.a64 (1|M0) r10:4 flat[r1]:1\n"
    streams = profiled(load * 3 + "add (16|M0) r4:f r10:f r11:f\neot").roofline
    assert streams is not None
    assert streams.bytes == 3 * 256
    assert streams.intensity == 16 / (3 * 256)
    assert streams.roof == pytest.approx(streams.intensity * PVC.timing.memory_bandwidth)
    computes = profiled("add (16|M0) r4:f r10:f r11:f\neot").roofline
    assert computes is not None
    assert computes.intensity == float("inf")
    assert computes.roof == computes.peak
    again = profiled(load * (2 * BUFFER_BYTES // 256) + "add (16|M0) r4:f r10:f r11:f\neot").roofline
    assert again is not None
    assert again.bytes == BUFFER_BYTES


def test_no_arithmetic_no_roofline() -> None:
    assert profiled("mov (16|M0) r2:f 1.0:f\nadd (16|M0) r4:d r4:d 1:d\neot").roofline is None


def test_utilisation_of_the_matrix_engine() -> None:
    dpas = "\n".join(f"dpas.8x8 (16|M0) r{n}:f r{n}:f r8:bf r4:bf" for n in range(16, 80, 8)) + "\n"
    alone, together = profiled(dpas * 20 + "eot"), profiled(dpas * 20 + "eot", (64, 1, 1), 1024)
    assert 0.5 < alone.dpas_utilisation < together.dpas_utilisation < 1
    assert together.utilisation["dpas"] == together.dpas_utilisation
