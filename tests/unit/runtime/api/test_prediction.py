"""Predictions of the cost model against the counts of runs."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device, LaunchError

NESTED = """
gpu.module @m {
  gpu.func @nested(%out: memref<1024xf32>, %n: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %m = arith.index_cast %n : i32 to index
    %one = arith.constant 1.0 : f32
    %id = gpu.global_id x
    %sum = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %one) -> (f32) {
      %inner = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> (f32) {
        %c = arith.addf %b, %one : f32
        scf.yield %c : f32
      }
      scf.yield %inner : f32
    }
    memref.store %sum, %out[%id] : memref<1024xf32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_loops_are_predicted_from_their_bounds(target: str) -> None:
    """Predicted and executed instructions differ by those that enter and leave loops."""
    kernel = Device(target, profile=True).compile(NESTED)["nested"]
    for groups, count in ((4, 9), (64, 1), (16, 200)):
        out = np.zeros(1024, np.float32)
        predicted = kernel[groups, (16,)].predict(out, count)
        assert not out.any()
        found = kernel[groups, (16,)](out, count).profile
        assert found is not None
        assert predicted.statistics.threads == found.statistics.threads
        assert predicted.statistics.instructions == pytest.approx(found.statistics.instructions, rel=0.2)
        assert predicted.estimate.cycles == pytest.approx(found.estimate.cycles, rel=0.2)
        assert predicted.estimate.bound == found.estimate.bound


def test_predictions_check_their_arguments() -> None:
    kernel = Device("pvc").compile(NESTED)["nested"]
    with pytest.raises(LaunchError, match=r"kernel 'nested' takes 2 argument\(s\)"):
        kernel[4, (16,)].predict(1)


def test_no_work_groups_take_the_launch_only() -> None:
    device = Device("pvc")
    profile = device.compile(NESTED)["nested"][0, (16,)].predict(np.zeros(1024, np.float32), 3)
    assert profile.estimate.cycles == device.target.timing.launch
    assert profile.statistics.instructions == 0
