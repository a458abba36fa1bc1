"""Native kernels for Xe-HPG that are compiled without optimizations, and blocks of subgroups."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from runtime import Device, Module
from tests.paths import ROOT

BOTH = pytest.mark.parametrize("engine", ["interpreter", "jit"])
FILES = pytest.mark.parametrize("file", ["plain", "plain-o0"])


@cache
def device(engine: str) -> Device:
    return Device("arc", engine=engine)


@cache
def module(engine: str, file: str) -> Module:
    return device(engine).load((ROOT / f"tests/data/native/{file}.dg2.zebin").read_bytes())


@BOTH
@FILES
def test_each_thread_has_memory_of_its_own(engine: str, file: str) -> None:
    """A barrier is a function then, with a frame in the memory of the thread, of which there are 32 in a group."""
    a = np.random.default_rng(1).integers(-100, 100, 512).astype(np.int32)
    wanted = a.reshape(2, 256)[:, ::-1] + 1
    module(engine, file)["turned"][2, (256,)](a)
    np.testing.assert_array_equal(a.reshape(2, 256), wanted)


@BOTH
@FILES
def test_descriptors_in_registers_name_images_and_samplers(engine: str, file: str) -> None:
    texels = np.random.default_rng(2).standard_normal((4, 8, 4)).astype(np.float32)
    source, target = (device(engine).image(each, "rgba32float") for each in (texels, np.zeros((8, 16, 4), np.float32)))
    module(engine, file)["enlarged"][(2, 4), (8, 2)](source, device(engine).sampler("clamp_edge", "nearest"), target)
    np.testing.assert_array_equal(target.numpy(), texels.repeat(2, 0).repeat(2, 1) * 2)


@BOTH
def test_blocks_of_subgroups(engine: str) -> None:
    """Offsets of reads count bytes, those of writes units of 16."""
    a = np.random.default_rng(3).integers(0, 1 << 30, 384).astype(np.uint32)
    b = np.zeros(384, np.uint32)
    module(engine, "plain")["moved"][3, (16,)](a, b)
    wanted = np.zeros((3, 128), np.uint32)
    wanted[:, 64:], wanted[:, :16] = a.reshape(3, 128)[:, :64], a.reshape(3, 128)[:, 48:64]
    np.testing.assert_array_equal(b.reshape(3, 128), wanted)


@BOTH
def test_blocks_of_local_memory(engine: str) -> None:
    a = np.random.default_rng(4).integers(-9, 9, (128, 4)).astype(np.float32)
    b = np.zeros(128, np.float32)
    module(engine, "plain")["summed"][2, (64,)](a, b)
    wanted = (a[:, 0] * a[:, 3]).reshape(2, 64).sum(1)
    np.testing.assert_array_equal(b.reshape(2, 64), np.repeat(wanted[:, None], 64, 1))
