"""The shim under the address sanitizer."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime.driver.library import LibraryKind, build
from tests.unit.runtime.driver.clients import Client, Route

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize(
    ("program", "arguments"), [("every_function", ()), ("guest", ("threads",)), ("guest", ("fork",)), ("lenient", ())]
)
def test_no_wrong_access(
    program: str, arguments: tuple[str, ...], kernels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python keeps memory to the end, so leaks are not looked for."""
    monkeypatch.setenv("CC", "cc -fsanitize=address,undefined -fno-sanitize-recover=all")
    library = build(LibraryKind.DRIVER, tmp_path / LibraryKind.DRIVER.value)
    client = Client({Route.LOADER: library}, tmp_path)
    client.compiled(program, "-fsanitize=address,undefined")
    assert client.run(program, *arguments, kernels, ASAN_OPTIONS="detect_leaks=0") == "done\n"
