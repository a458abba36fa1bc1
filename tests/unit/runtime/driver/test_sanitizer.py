"""The shim under the address sanitizer and under valgrind."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from runtime.driver.library import LibraryKind, build
from tests.unit.runtime.driver.clients import Client, Route

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        *(("every_function", ()), ("guest", ("threads",)), ("guest", ("fork",)), ("lenient", ())),
        *(("conformance", ()), ("samples", ()), ("tools", ())),
    ],
)
def test_no_wrong_access(
    program: str, arguments: tuple[str, ...], kernels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python keeps memory to the end, so leaks are not looked for."""
    monkeypatch.setenv("CC", "cc -fsanitize=address,undefined -fno-sanitize-recover=all")
    library = build(LibraryKind.DRIVER, tmp_path / LibraryKind.DRIVER.value)
    client = Client({Route.LOADER: library}, tmp_path)
    client.compiled(program, "-fsanitize=address,undefined")
    variables = {"ASAN_OPTIONS": "detect_leaks=0", "ZET_ENABLE_METRICS": "1"}
    assert client.run(program, *arguments, kernels, timeout=300, **variables).endswith("done\n")


@pytest.mark.parametrize(("program", "arguments"), [("vector_add", ()), ("guest", ("fork",))])
def test_valgrind(program: str, arguments: tuple[str, ...], client: Client, kernels: str, tmp_path: Path) -> None:
    """All errors that valgrind finds are in Python itself; none is in the shim or the program."""
    if shutil.which("valgrind") is None:
        pytest.skip("needs valgrind")
    log = tmp_path / "log"
    line = ["valgrind", "--leak-check=no", "--trace-children=no", f"--log-file={log}", str(client.compiled(program))]
    environment = client.environment(Route.LOADER, PYTHONMALLOC="malloc")
    done = subprocess.run([*line, *arguments, kernels], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    text = log.read_text()
    assert "ERROR SUMMARY" in text
    assert re.findall(rf" at 0x\w+: .*(?:libze_xegpu|shim\.c|stubs\.c|{program}).*", text) == []
