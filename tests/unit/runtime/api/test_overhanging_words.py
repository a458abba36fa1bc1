"""Atomic updates of elements of one and two bytes at the ends of memory, where words are exchanged that overhang it."""

from __future__ import annotations

import struct

import ml_dtypes
import numpy as np
import pytest

from runtime import Device, ZeError
from runtime.simulator import DeviceFault, Dispatch, Memory, Simulator
from tests.unit.runtime.simulator.described import described
from xegpu.isa import assemble
from xegpu.targets import PVC

DTYPES = {
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
}
ITEMS = 20
ENGINES = pytest.mark.parametrize("engine", ["interpreter", "jit"])
DEVICES = pytest.mark.parametrize(
    ("target", "engine", "checks"),
    [
        (target, engine, checks)
        for target in ("pvc", "arc")
        for engine, checks in (
            ("interpreter", ""),
            ("jit", ""),
            ("interpreter", "all"),
            ("interpreter", "memory,races"),
        )
    ],
)


def program(element: str, count: int, index: int) -> str:
    """Each work-item adds one to an element of two arrays."""
    kind, one = ("addf", "1.0") if "f" in element else ("addi", "1")
    memref = f"memref<{count}x{element}>"
    return f"""
gpu.module @m {{
  gpu.func @k(%x: {memref}, %y: {memref}) kernel {{
    %at = arith.constant {index} : index
    %one = arith.constant {one} : {element}
    %old = memref.atomic_rmw {kind} %one, %x[%at] : ({element}, {memref}) -> {element}
    %older = memref.atomic_rmw {kind} %one, %y[%at] : ({element}, {memref}) -> {element}
    gpu.return
  }}
}}"""


@pytest.mark.sampled(every=6)
@DEVICES
def test_last_elements(target: str, engine: str, checks: str) -> None:
    """The elements behind an array of the caller stay, and nothing but the update is seen in either array."""
    with Device(target, engine, checks=checks) as device:
        for element, count in (("i8", 5), ("i8", 1), ("i8", 7), ("i16", 3), ("f16", 3), ("bf16", 1)):
            kernel = device.compile(program(element, count, count - 1))["k"]
            whole = np.arange(count + 4).astype(DTYPES[element])
            buffer = device.array(whole[:count])
            kernel[1, (ITEMS,)](whole[:count], buffer)
            expected = np.arange(count + 4).astype(DTYPES[element])
            expected[count - 1] += DTYPES[element].type(ITEMS)
            assert whole.tolist() == expected.tolist()
            assert buffer.numpy().tolist() == expected[:count].tolist()


@DEVICES
def test_words_outside_fault(target: str, engine: str, checks: str) -> None:
    """A word that only follows an allocation is out of bounds."""
    with Device(target, engine, checks=checks) as device:
        kernel = device.compile(program("i8", 5, 8))["k"]
        with pytest.raises(ZeError, match="out-of-bounds"):
            kernel[1, (ITEMS,)](np.zeros(5, np.int8), np.zeros(5, np.int8))


EXCHANGE = """
    (W) mov (1|M0) r10.0<1>:ud {expected}:ud
    (W) mov (1|M0) r11.0<1>:ud {new}:ud
    (W) atomic_icas.ugm.d32.a64 (1|M0) r20 flat[r1] r10
    (W) mov (1|M0) r6.0<1>:uq r1.1<0;1,0>:uq
    (W) store.ugm.d32.a64 (1|M0) flat[r6] r20
    eot
"""


def exchange(engine: str, expected: int, new: int, ranges: list[tuple[int, int, bool]]) -> tuple[int, bytes]:
    """Exchanges a word of the bytes 1, 2, 3 and 4, of which `ranges` are live: first byte, size, and whether they may
    be written. Returns what the exchange finds, and the bytes after it.
    """
    memory = Memory()
    word = np.array([0x04030201], np.uint32)
    for first, size, writable in ranges:
        memory.register(word.ctypes.data + first, size, "host", writable=writable)
    found = memory.allocate(4)
    simulator = Simulator(PVC, memory, engine)
    code = assemble(EXCHANGE.format(expected=expected, new=new), grf_bytes=PVC.platform.grf_bytes)
    executable = simulator.load(described("kernel", code, PVC, 1, 128, cross_thread_size=16))
    simulator.run(executable, Dispatch((1, 1, 1), (1, 1, 1), struct.pack("<QQ", word.ctypes.data, found.address)))
    return int(found.data.view(np.uint32)[0]), word.tobytes()


@ENGINES
def test_bytes_outside_are_zero_and_stay(engine: str) -> None:
    for ranges, inside in (
        ([(0, 4, True)], 0xFFFFFFFF),
        ([(0, 1, True)], 0x000000FF),
        ([(3, 1, True)], 0xFF000000),
        ([(1, 2, True)], 0x00FFFF00),
        ([(0, 1, True), (1, 3, True)], 0xFFFFFFFF),
        ([(0, 2, True), (2, 2, False)], 0x0000FFFF),
        ([(0, 1, False), (3, 8, True)], 0xFF000000),
    ):
        seen = 0x04030201 & inside
        after = 0x04030201 & ~inside | 0x55667788 & inside
        assert exchange(engine, seen, 0x55667788, ranges) == (seen, after.to_bytes(4, "little"))
        assert exchange(engine, seen ^ inside & 0x01010101, 0x55667788, ranges) == (seen, bytes([1, 2, 3, 4]))


@ENGINES
def test_faults(engine: str) -> None:
    for ranges, message in (
        ([(4, 4, True)], "out-of-bounds"),
        ([(0, 4, False)], "read-only"),
        ([(1, 2, False)], "out-of-bounds"),
        ([], "out-of-bounds"),
    ):
        with pytest.raises(DeviceFault, match=message):
            exchange(engine, 0, 0, ranges)
