"""The driver is a good guest: in programs with threads, forks, late calls and handlers of signals, and in Python's."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.driver.abi import signatures
from runtime.driver.library.stubs import LASTING, REORDERED, SETTLED
from tests.unit.runtime.driver.clients import Client, Route

VERSIONS = [0x10000 | minor for minor in range(18)]


@pytest.mark.parametrize("kind", ["threads", "fork", "signals", "reopen"])
def test_programs(client: Client, kernels: str, kind: str) -> None:
    assert client.run("guest", kind, kernels) == "done\n"


def test_calls_after_the_end(client: Client, kernels: str) -> None:
    """Destructors call while another thread still does."""
    assert re.fullmatch(r"done\n(late: (0|0x78000001)\n)*", client.run("guest", "late", kernels))


@pytest.mark.sampled(every=3)
def test_programs_that_do_what_intel_takes(client: Client, kernels: str) -> None:
    assert client.run("lenient", kernels) == "done\n"
    assert client.run("lenient", kernels, route=Route.STAND_IN) == "done\n"


def test_what_the_layer_reports(client: Client, kernels: str) -> None:
    """The first of it, with the reason: also the stand-in has the checks of parameters."""
    variables = {"ZE_ENABLE_VALIDATION_LAYER": "1", "ZE_ENABLE_PARAMETER_VALIDATION": "1", "XEGPU_DRIVER_LOG": "-"}
    done = subprocess.run(
        [client.compiled("lenient"), kernels],
        env=client.environment(Route.STAND_IN, **variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "ZE_RESULT_ERROR_INVALID_ENUMERATION: zeInit, flags: " in done.stderr
    assert "(called at a program in C)" in done.stderr


class TestTables:
    """The tables that the loader has the driver fill, without Python."""

    GUARD = 0xABAD_1DEA

    def fill(self, library: Path, table: str, version: int) -> list[int]:
        words = (ctypes.c_uint64 * 80)(*[self.GUARD] * 80)
        assert getattr(ctypes.CDLL(str(library)), table)(ctypes.c_uint32(version), words) == 0
        return list(words)

    @pytest.mark.parametrize("version", VERSIONS, ids=lambda version: f"1.{version & 0xFFFF}")
    def test_slots_of_a_version(self, libraries: dict[Route, Path], version: int) -> None:
        for table in {signature.table for signature in signatures().values()}:
            found = self.fill(libraries[Route.LOADER], table, version)
            slots = {signature.slot: signature for signature in signatures().values() if signature.table == table}
            for slot, word in enumerate(found):
                known = slot in slots and slots[slot].since <= version
                if table in REORDERED and not (version in SETTLED or version >= LASTING):
                    known = False
                assert (word != self.GUARD) == known, (table, slot)

    @pytest.mark.sampled(every=6)
    @pytest.mark.parametrize("version", [0x10004, 0x10009, 0x10011, 0x10063], ids=["1.4", "1.9", "1.17", "unknown"])
    def test_calls_through_tables(self, client: Client, libraries: dict[Route, Path], version: int) -> None:
        """A loader of any version finds functions, and no handles that it would have to look into."""
        library = str(libraries[Route.LOADER])
        assert client.run("table_loader", library, f"{version:x}", route=Route.STAND_IN) == "done\n"

    def test_refusals(self, libraries: dict[Route, Path]) -> None:
        fill = ctypes.CDLL(str(libraries[Route.LOADER])).zeGetDriverProcAddrTable
        assert fill(0x10004, None) == 0x78000007
        assert fill(0x20000, (ctypes.c_uint64 * 80)()) == 0x78000002


PYTHON = """
import ctypes, sys, threading
before = list(sys.path)
loader = ctypes.CDLL("libze_loader.so.1")
call = lambda: loader.zeInit(0) or results.append(loader.zeDriverGet(ctypes.byref(count), None))
results, count = [], ctypes.c_uint32(0)
first = loader.zeInit(0)
threads = [threading.Thread(target=call) for _ in range(4)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
assert sys.path[:len(before)] == before
print(hex(first), results, count.value)
"""


def interpreter(minor: int) -> str:
    """Returns a Python of a version, that of the system first."""
    installed = Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3.{minor}")
    for path in (Path(f"/usr/bin/python3.{minor}"), *installed):
        if path.exists():
            return str(path)
    pytest.skip(f"needs python3.{minor}")


class TestPython:
    def run(self, client: Client, python: str, *options: str) -> str:
        line = [python, *options, "-c", PYTHON]
        environment = client.environment(Route.LOADER)
        environment.pop("PYTHONPATH", None)
        done = subprocess.run(line, env=environment, cwd="/", capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def test_joins_the_python_of_a_program(self, client: Client) -> None:
        assert self.run(client, sys.executable) == "0x0 [0, 0, 0, 0] 1\n"

    def test_joins_a_python_without_our_packages(self, client: Client) -> None:
        """One of the same version, whose own packages are none of ours."""
        assert self.run(client, interpreter(sys.version_info[1]), "-I") == "0x0 [0, 0, 0, 0] 1\n"

    @pytest.mark.parametrize("minor", [10, 11, 12, 13, 14])
    def test_another_version_without_our_packages_is_told(self, client: Client, minor: int) -> None:
        if minor == sys.version_info[1]:
            pytest.skip("has our packages")
        assert self.run(client, interpreter(minor), "-I").startswith("0x78000001 [")
