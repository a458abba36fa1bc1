"""Programs in C on the simulated GPU."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from runtime.driver.abi import signatures
from tests.paths import ROOT
from tests.unit.runtime.driver.clients import FOLDER, LAYERS, Client, Route
from tests.unit.runtime.ze import spirv_programs
from tools import xegpu_driver

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SUM = "Intel(R) Data Center GPU Max 1550: 524288.0\n"


HEADER = Path("/usr/include/level_zero/ze_api.h")


def test_every_function_is_called() -> None:
    """The program calls every core function of the system's headers; those of the fabric are not supported."""
    if not HEADER.exists():
        pytest.skip("needs the headers of Level Zero (libze-dev)")
    declared = set(re.findall(r"^(ze[A-Z]\w+)\($", HEADER.read_text(), re.MULTILINE))
    text = "".join((FOLDER / name).read_text() for name in ("every_function.c", "client.h"))
    assert {name for name in declared if f"{name}(" not in text and "Fabric" not in name} == set()


@pytest.mark.parametrize(
    ("route", "variables"),
    [
        (Route.LOADER, {}),
        (Route.STAND_IN, {}),
        (Route.LOADER, LAYERS),
    ],
    ids=["loader", "stand-in", "layers"],
)
def test_every_function(client: Client, kernels: str, route: Route, variables: Mapping[str, str]) -> None:
    assert client.run("every_function", kernels, route=route, **variables) == "done\n"


def test_a_kernel_runs_below_the_layers_of_the_loader(client: Client, kernels: str) -> None:
    assert client.run("vector_add", kernels, **LAYERS) == SUM


@pytest.fixture
def run(cache: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tools.xegpu_driver", *arguments]
        environment = os.environ | {"XEGPU_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)

    return run


def test_a_kernel_runs_behind_the_handles_of_the_loader(client: Client, kernels: str) -> None:
    assert client.run("vector_add", kernels, ZE_ENABLE_LOADER_INTERCEPT="1") == SUM


@pytest.mark.parametrize(
    ("route", "variables"),
    [
        (Route.LOADER, {}),
        pytest.param(Route.STAND_IN, {}, marks=pytest.mark.exhaustive),
        pytest.param(Route.LOADER, {"ZE_ENABLE_LOADER_INTERCEPT": "1"}, marks=pytest.mark.exhaustive),
    ],
    ids=["loader", "stand-in", "interception"],
)
class TestSuites:
    """Calls taken from public suites for drivers, also with the loader's own handles."""

    def test_corner_cases(self, client: Client, kernels: str, route: Route, variables: Mapping[str, str]) -> None:
        assert client.run("conformance", kernels, route=route, **variables) == "done\n"

    def test_samples(self, client: Client, kernels: str, route: Route, variables: Mapping[str, str]) -> None:
        assert client.run("samples", kernels, route=route, **variables) == "done\n"

    def test_processes_share(self, client: Client, route: Route, variables: Mapping[str, str]) -> None:
        assert client.run("ipc", route=route, **variables) == "done\n"


@pytest.mark.sampled(every=3)
def test_a_module_in_spirv(client: Client, tmp_path: Path) -> None:
    """Loaded from a file; with fills of all sizes, and times of kernels."""
    path = tmp_path / "count.spv"
    path.write_bytes(spirv_programs.counting())
    assert client.run("modules", str(path)) == "done\n"


@pytest.mark.sampled(every=3)
def test_metrics_of_a_launch(client: Client, kernels: str) -> None:
    """Eight work-groups of one thread each, of which each ends."""
    lines = client.run("tools", kernels, ZET_ENABLE_METRICS="1").splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines[:-1])
    assert lines[-1] == "done"
    assert values["XVE_COMPUTE_THREAD_COUNT"] == values["XVE_INST_EXECUTED_CONTROL_ALL"] == "8"
    assert values["L3_BYTE_WRITE"] == "0"
    assert int(values["GpuTime"]) > 0


def test_recent_functions_of_tools(client: Client) -> None:
    """Functions that the system's headers lack are called by name."""
    assert client.run("recent_tools") == "done\n"


def test_every_function_of_tools_is_called() -> None:
    """All but tracers, which are those of the loader."""
    text = "".join((FOLDER / f"{name}.c").read_text() for name in ("tools", "recent_tools", "debugger"))
    names = {name for name in signatures() if name.startswith("zet") and not name.startswith("zetTracerExp")}
    assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set()


def test_a_debugger_of_another_process(client: Client, kernels: str, tmp_path: Path) -> None:
    """It stops and steps a kernel, changes its registers and memory, and sees the program end."""
    tmp_path.chmod(0o700)
    assert client.run("debugger", kernels, XEGPU_RUNTIME_DIR=str(tmp_path)) == "done\n"


def test_kernels_print_in_order_with_the_program(client: Client, kernels: str) -> None:
    expected = "before\nfrom the kernel\nbetween\nfrom the kernel\nafter\n"
    assert client.run("launch", kernels, "talk") == expected


def test_kernels_have_printed_when_a_program_waited_for_them(client: Client, kernels: str) -> None:
    """A program that is killed afterwards loses what it has printed itself, at most."""
    assert client.run("launch", kernels, "talk", "quick") == "before\nfrom the kernel\nbetween\nfrom the kernel\n"


class TestCommand:
    @pytest.mark.parametrize("options", [(), ("--loader",)], ids=["stand-in", "loader"])
    def test_run(self, run: Run, client: Client, kernels: str, options: tuple[str, ...]) -> None:
        done = run("run", *options, "--device=pvc", "--", str(client.compiled("vector_add")), kernels)
        assert (done.returncode, done.stdout, done.stderr) == (0, SUM, "")

    def test_a_profile_and_a_trace(self, run: Run, client: Client, kernels: str, tmp_path: Path) -> None:
        options = [f"--profile={tmp_path}/p.json", "--trace=index=0", f"--trace-output={tmp_path}/trace"]
        done = run("run", *options, "--", str(client.compiled("launch")), kernels, "nothing")
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / "trace").read_text().count("eot\n") == 2
        assert [json.loads((tmp_path / name).read_text())["kernel"] for name in ("p.json", "p.1.json")] == [
            "nothing"
        ] * 2

    def test_failures_are_explained(self, run: Run, client: Client, kernels: str) -> None:
        done = run("run", "--device=arc", "--log=-", "--", str(client.compiled("vector_add")), kernels)
        assert done.returncode == 1
        assert "zeModuleCreate: ZE_RESULT_ERROR" in done.stderr

    @pytest.mark.sampled(every=3)
    def test_build(self, run: Run, client: Client, kernels: str, tmp_path: Path) -> None:
        done = run("build", "-o", f"{tmp_path}/libze_xegpu.so")
        assert done.stdout == f"{tmp_path}/libze_xegpu.so\n"
        assert (tmp_path / "libze_xegpu.so").stat().st_size > 10_000

    def test_environment(self, run: Run, client: Client, kernels: str) -> None:
        done = run("env", "--device=arc", "--check=races")
        library, *others = done.stdout.splitlines()
        assert library.startswith("export LD_LIBRARY_PATH=/")
        assert others == [
            "export SYCL_UR_USE_LEVEL_ZERO_V2=1",
            "export XEGPU_DEVICE=arc",
            "export XEGPU_CHECKS=races",
            "export XEGPU_DRIVER_LOG=-",
        ]

    def test_environment_for_a_loader(
        self, run: Run, client: Client, kernels: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The adapter of the SYCL runtime that the user has chosen stays."""
        monkeypatch.setenv("UR_LOADER_USE_LEVEL_ZERO_V2", "0")
        (library,) = run("env", "--loader").stdout.splitlines()
        assert library.startswith("export ZE_ENABLE_ALT_DRIVERS=/")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("run",), "expected -- PROGRAM"),
            (("path", "--", "x"), "path takes no PROGRAM"),
            (("run", "--output=x", "--", "y"), "--output is for build"),
            (("run", "--trace-output=x", "--", "y"), "--trace-output requires --trace"),
            (("run", "--check=all,none", "--", "y"), "unknown check 'none'"),
            (("run", "--trace=x=1", "--", "y"), "'x=1' is no part of a filter"),
            (("env", "--device=xyz"), "unknown device 'xyz', expected pvc, arc"),
            (("nonsense",), "invalid choice"),
        ],
    )
    def test_wrong_usage(
        self,
        client: Client,
        cache: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        arguments: tuple[str, ...],
        message: str,
    ) -> None:
        monkeypatch.setenv("XEGPU_CACHE_DIR", str(cache))
        with pytest.raises(SystemExit, match="2"):
            sys.exit(xegpu_driver.main(arguments))
        assert message in capsys.readouterr().err

    def test_a_program_that_is_not_there(self, run: Run, client: Client, kernels: str) -> None:
        done = run("run", "--", "./not-there")
        assert done.returncode == 1
        assert done.stderr == "./not-there: error: cannot be started: No such file or directory\n"
