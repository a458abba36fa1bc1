"""SYCL: `dpctl.tensor` on the simulated GPU against numpy, through the stand-in for the loader.

The kernels come as SPIR-V. Needs the extra `sycl`; dpctl compiles none of our code, so one process serves a group.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runtime.driver.library import LibraryKind, build
from tests.paths import ROOT
from tests.peer.sycl.operations import GROUPS

pytestmark = pytest.mark.skipif(importlib.util.find_spec("dpctl") is None, reason="needs dpctl: pip install .[sycl]")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("sycl")
    build(LibraryKind.STAND_IN, folder / LibraryKind.STAND_IN.value)
    environment = os.environ | {
        "LD_LIBRARY_PATH": str(folder),
        "ONEAPI_DEVICE_SELECTOR": "level_zero:*",
        "PYTHONPATH": str(ROOT),
        "XEGPU_CACHE_DIR": str(folder / "cache"),
    }

    def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, *words]
        return subprocess.run(
            line, env=environment | variables, capture_output=True, text=True, check=False, cwd=Path("/")
        )

    return run


def test_devices(run: Run) -> None:
    done = run("-c", "import dpctl; print([device.name for device in dpctl.get_devices()])")
    assert done.stdout == "['Intel(R) Data Center GPU Max 1550', 'Intel(R) Arc(TM) A770 Graphics']\n"


@pytest.mark.parametrize("adapter", ["0", "1"])
@pytest.mark.parametrize("device", [0, 1])
def test_arithmetic(run: Run, adapter: str, device: int) -> None:
    """Both adapters of the SYCL runtime, on both devices; the process ends without a word."""
    code = f"x = t.arange(9, dtype='f4', device='level_zero:{device}'); print(t.asnumpy(x * x + 1).sum())"
    done = run("-c", f"import dpctl.tensor as t; {code}", SYCL_UR_USE_LEVEL_ZERO_V2=adapter)
    assert (done.returncode, done.stdout, done.stderr) == (0, "213.0\n", "")


@pytest.mark.exhaustive
@pytest.mark.parametrize("group", GROUPS)
def test_operations(run: Run, group: str) -> None:
    done = run("-m", "tests.peer.sycl.worker", group)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"count": len(GROUPS[group]), "wrong": {}}
