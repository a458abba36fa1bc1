"""Intel's Level Zero driver takes edited ZEBINs and sees the values that they were given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.peer.test_zebin_driver import load, probe
from tests.unit.zebin.support import sample
from zebin import edit

__all__ = ["probe"]


def test_values_are_those_of_the_edit(probe: Path, tmp_path: Path) -> None:
    data = sample("slm_reduce.pvc.zebin")
    before = load(probe, data, "pvc", tmp_path)["reduce_static"]
    editor = edit(data).set("kernels[reduce_static].execution_env.required_work_group_size", [64, 2, 1])
    editor.set("kernels[reduce_static].execution_env.slm_size", 4096)
    editor.append(
        "kernels[reduce_static].per_thread_memory_buffers",
        {"type": "scratch", "usage": "single_space", "size": 2048},
    )
    after = load(probe, editor.binary(), "pvc", tmp_path)
    assert after["reduce_static"] == before._replace(group_size=(64, 2, 1), local_memory=4096, spill=2048)
    assert after["reduce_dynamic"] == load(probe, data, "pvc", tmp_path)["reduce_dynamic"]


def test_less_than_before(probe: Path, tmp_path: Path) -> None:
    data = sample("reqd_attrs.pvc.zebin")
    editor = edit(data).delete("kernels_misc_info").delete("kernels[fixed_shape].user_attributes.reqd_work_group_size")
    editor.delete("kernels[fixed_shape].execution_env.required_work_group_size").delete("kernels[wide]")
    kernels = load(probe, editor.binary(), "pvc", tmp_path)
    assert sorted(kernels) == ["fixed_shape", "hinted"]
    assert kernels["fixed_shape"].group_size == (0, 0, 0)


def test_what_we_refuse_the_driver_refuses(probe: Path, tmp_path: Path) -> None:
    data = edit(sample("vadd.pvc.zebin")).set("kernels[vadd].execution_env.simd_size", 7).binary(force=True)
    with pytest.raises(AssertionError):
        load(probe, data, "pvc", tmp_path)
