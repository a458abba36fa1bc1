"""ze-info: every property is there, in both forms, and no traceback."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys

import pytest

from runtime import ze
from runtime.ze.declaration import functions
from runtime.ze.inventory import DEVICE_QUERIES, inventory, plain
from tools.ze_info import main


def run(*arguments: str, stdout: int | None = subprocess.PIPE, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.ze_info", *arguments]
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, env=os.environ | environment, timeout=60
    )


class TestJson:
    @pytest.fixture
    def drivers(self) -> list[dict]:
        done = run("--json")
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)["drivers"]

    def test_is_what_the_api_says(self, drivers: list[dict]) -> None:
        assert drivers == inventory()
        ze.zeInit()
        (driver,) = ze.zeDriverGet()
        for device, found in zip(ze.zeDeviceGet(driver), drivers[0]["devices"], strict=True):
            expected = dataclasses.asdict(ze.zeDeviceGetComputeProperties(device))
            expected.pop("pNext", None)
            assert found["computeProperties"] == expected | {"subGroupSizes": list(expected["subGroupSizes"])}
            assert found["properties"]["name"] == ze.zeDeviceGetProperties(device).name
            assert found["properties"]["type"] == "ZE_DEVICE_TYPE_GPU"
            assert len(found["properties"]["uuid"]) == 32
            assert len(found["subDevices"]) == len(ze.zeDeviceGetSubDevices(device))

    def test_all_queries(self) -> None:
        """Each function of the API that asks a device for properties, and nothing else, is used."""
        queries = {name for name in functions() if name.startswith("zeDevice") and "Properties" in name}
        assert len(queries - {"zeDeviceGetP2PProperties"}) == len(set(DEVICE_QUERIES) - {"status"})


class TestText:
    def test_values(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([]) == 0
        text = capsys.readouterr().out
        assert "Device 0: Intel(R) Data Center GPU Max 1550" in text
        assert "  vendorId                  0x8086\n" in text
        assert "maxSharedLocalMemory  131072 (128 KiB)" in text
        assert "COMPUTE, COPY" in text

    def test_list(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["--list"]) == 0
        names = capsys.readouterr().out.splitlines()
        assert names[0] == "0: Intel(R) Data Center GPU Max 1550"
        assert names[-1] == "1: Intel(R) Arc(TM) A770 Graphics"


class TestFailures:
    def test_no_device(self) -> None:
        done = run(ZE_AFFINITY_MASK="17")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("ze-info: error: ZE_RESULT_ERROR_UNINITIALIZED: ")
        assert done.stderr.count("\n") == 1

    def test_wrong_environment(self) -> None:
        done = run(XEGPU_CHECKS="everything")
        assert done.returncode == 1
        assert "everything" in done.stderr and done.stderr.count("\n") == 1

    def test_wrong_usage(self) -> None:
        with pytest.raises(SystemExit) as ended:
            main(["--json", "--list"])
        assert ended.value.code == 2

    def test_full_disk(self) -> None:
        with open("/dev/full", "w") as full:
            done = run(stdout=full.fileno())
        assert (done.returncode, done.stderr) == (1, "<stdout>: error: cannot be written: No space left on device\n")

    def test_closed_pipe(self) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        done = run(stdout=writer)
        os.close(writer)
        assert (done.returncode, done.stderr) == (141, "")


def test_answers_of_no_known_type() -> None:
    with pytest.raises(TypeError, match="an answer of type object"):
        plain(object())
