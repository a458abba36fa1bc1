"""One script of calls has the same results from C and from Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT
from tests.unit.runtime.driver.clients import Client, Route


def test_results_of_c_and_python(client: Client, libraries: dict[Route, Path]) -> None:
    line = [sys.executable, "-m", "tests.unit.runtime.driver.replay", str(libraries[Route.STAND_IN])]
    environment = client.environment(Route.LOADER, PYTHONPATH=str(ROOT))
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    from_c, from_python = json.loads(done.stdout)
    assert from_c == from_python
    assert len({result for _, result in from_c}) > 8
