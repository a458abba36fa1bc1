"""The generations of a tool: the one that the distribution has, and today's, which `scripts/peers` fetches."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

FETCHED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "xegpu-toolkit", "peers")
GENERATIONS = ("installed", "today")


def program(name: str, generation: str) -> str | None:
    """Returns the path of a program of a generation; None if it is not here."""
    return shutil.which(name) if generation == "installed" else shutil.which(name, path=str(FETCHED / "programs"))


def either(name: str) -> str | None:
    """Returns the path of a program, the system's or else the one that was fetched; None if neither is here."""
    return next((path for generation in GENERATIONS if (path := program(name, generation))), None)


def missing(name: str, package: str, generation: str) -> str:
    """Returns the reason for which tests are skipped without a program."""
    source = f"package {package}" if generation == "installed" else "scripts/peers"
    return f"{name} ({source}) is not installed"
