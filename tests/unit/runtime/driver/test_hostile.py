"""Whatever a program in C passes, the answer is a result, and none that nobody has thought of."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.unit.runtime.driver.clients import Client, Route


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("seed", range(8))
def test_random_arguments(client: Client, kernels: str, seed: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    variables = {"XEGPU_DRIVER_LOG": str(log), "XEGPU_RUNTIME_DIR": str(tmp_path / "cards")}
    environment = client.environment(Route.STAND_IN, PYTHONPATH=str(ROOT), **variables)
    line = [sys.executable, "-X", "faulthandler", "-m", "tests.unit.runtime.driver.hostile", str(seed), "800", kernels]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in log.read_text()
    results = json.loads(done.stdout)
    assert results["ZE_RESULT_SUCCESS"] > 80
    assert "ZE_RESULT_ERROR_UNKNOWN" not in results
