"""The script that runs commands on an emulated CPU with AMX: what it says where it cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "scripts" / "emulated-amx"


def test_missing_programs_are_named(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), "--folder", str(tmp_path / "guest"), "--", "true"]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("emulated-amx: these programs are needed: apt-get, ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "guest").exists()
