"""The documentation site builds, and a link that leads nowhere is an error."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import DOCS

pytestmark = pytest.mark.docs


def build(pages: Path, output: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", *options, str(pages), str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.sampled(every=3)
def test_all_links_lead_somewhere(tmp_path: Path) -> None:
    """Docstrings are read by the whole build alone."""
    done = build(DOCS, tmp_path, "-b", "dummy", "-t", "links")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.exhaustive
def test_the_site_builds(tmp_path: Path) -> None:
    done = build(DOCS, tmp_path, "-b", "html")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Write a kernel for Intel Xe GPUs" in (tmp_path / "index.html").read_text()
    assert 'id="runtime.api.Device.compile"' in (tmp_path / "api" / "runtime.html").read_text()


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("# Home\n\n[gone](gone.md)\n", "cross-reference target not found: 'gone.md'"),
        ("# Home\n\n[gone](#gone)\n", "cross-reference target not found: 'gone'"),
        ("# Home\n\n```{toctree}\ngone\n```\n", "nonexisting document 'gone'"),
    ],
)
def test_broken_links_are_errors(tmp_path: Path, page: str, reason: str) -> None:
    for name in ("conf.py", "lexers.py"):
        shutil.copy(DOCS / name, tmp_path)
    (tmp_path / "index.md").write_text(page)
    done = build(tmp_path, tmp_path / "site", "-b", "dummy")
    assert done.returncode == 1
    assert reason in done.stderr
