"""Programs in C on the simulated GPU."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.unit.runtime.driver.clients import LAYERS, Client, Route

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SUM = "Intel(R) Data Center GPU Max 1550: 524288.0\n"


@pytest.mark.parametrize("route", Route)
def test_a_kernel_runs(client: Client, kernels: str, route: Route) -> None:
    assert client.run("vector_add", kernels, route=route) == SUM


def test_a_kernel_runs_below_the_layers_of_the_loader(client: Client, kernels: str) -> None:
    assert client.run("vector_add", kernels, **LAYERS) == SUM


def test_a_kernel_runs_behind_the_handles_of_the_loader(client: Client, kernels: str) -> None:
    assert client.run("vector_add", kernels, ZE_ENABLE_LOADER_INTERCEPT="1") == SUM


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run(cache: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tools.xegpu_driver", *arguments]
        environment = os.environ | {"XEGPU_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)

    return run


class TestCommand:
    @pytest.mark.parametrize("options", [(), ("--stand-in",)], ids=["loader", "stand-in"])
    def test_run(self, run: Run, client: Client, kernels: str, options: tuple[str, ...]) -> None:
        done = run("run", *options, "--device=pvc", "--", str(client.compiled("vector_add")), kernels)
        assert (done.returncode, done.stdout, done.stderr) == (0, SUM, "")

    def test_failures_are_explained(self, run: Run, client: Client, kernels: str) -> None:
        done = run("run", "--device=arc", "--log=-", "--", str(client.compiled("vector_add")), kernels)
        assert done.returncode == 1
        assert "zeModuleCreate: ZE_RESULT_ERROR" in done.stderr

    def test_build(self, run: Run, client: Client, kernels: str, tmp_path: Path) -> None:
        done = run("build", "-o", f"{tmp_path}/libze_xegpu.so")
        assert done.stdout == f"{tmp_path}/libze_xegpu.so\n"
        assert (tmp_path / "libze_xegpu.so").stat().st_size > 10_000

    def test_environment(self, run: Run, client: Client, kernels: str) -> None:
        done = run("env", "--device=arc", "--check=races")
        lines = done.stdout.splitlines()
        assert lines[0].startswith("export ZE_ENABLE_ALT_DRIVERS=/")
        assert lines[1:] == ["export XEGPU_DEVICE=arc", "export XEGPU_CHECKS=races", "export XEGPU_DRIVER_LOG=-"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("run",), "expected -- PROGRAM"),
            (("path", "--", "x"), "path takes no PROGRAM"),
            (("run", "--output=x", "--", "y"), "--output is for build"),
            (("nonsense",), "invalid choice"),
        ],
    )
    def test_wrong_usage(self, run: Run, arguments: tuple[str, ...], message: str) -> None:
        done = run(*arguments)
        assert done.returncode == 2
        assert message in done.stderr

    def test_a_program_that_is_not_there(self, run: Run, client: Client, kernels: str) -> None:
        done = run("run", "--", "./not-there")
        assert done.returncode == 1
        assert done.stderr == "./not-there: error: cannot be started: No such file or directory\n"
