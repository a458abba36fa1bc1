"""System management from C: every function on both cards, with the answers that Python gets."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.driver.abi import signatures
from tests.paths import ROOT
from tests.unit.runtime.driver.clients import FOLDER, LAYERS, Client, Route


def test_every_function_is_called() -> None:
    text = (FOLDER / "sysman.c").read_text()
    assert [name for name in signatures() if name.startswith("zes") and not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.parametrize(
    ("route", "way"), [(Route.STAND_IN, "init"), (Route.LOADER, "cast")], ids=["stand-in", "loader"]
)
def test_answers_of_c_and_python(client: Client, tmp_path: Path, route: Route, way: str) -> None:
    """The loader of Debian has no `zesInit`: devices of the core API are used there, as before version 1.5."""
    managed = {"XEGPU_SYSMAN_RIGHTS": "write"} | ({"ZES_ENABLE_SYSMAN": "1"} if way == "cast" else {})
    output = tmp_path / "output"
    output.write_text(client.run("sysman", way, route=route, XEGPU_RUNTIME_DIR=str(tmp_path / "c"), **managed))
    called = {line.split()[0] for line in output.read_text().splitlines()}
    assert len(called) > (150 if way == "init" else 100)
    line = [sys.executable, "-m", "tests.unit.runtime.driver.sysman_replay", str(output)]
    environment = client.environment(route, XEGPU_RUNTIME_DIR=str(tmp_path / "python"), PYTHONPATH=str(ROOT), **managed)
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.exhaustive
def test_below_the_layers_of_the_loader(client: Client, tmp_path: Path) -> None:
    """The parameter validation of the loader sees nothing wrong but what is wrong on purpose."""
    managed = {"XEGPU_SYSMAN_RIGHTS": "write", "ZES_ENABLE_SYSMAN": "1"}
    outputs = [
        client.run("sysman", "cast", XEGPU_RUNTIME_DIR=str(tmp_path / str(index)), **managed, **layers)
        for index, layers in enumerate(({}, LAYERS))
    ]
    plain, layered = ([line.split()[:2] for line in output.splitlines()] for output in outputs)
    assert plain == layered
