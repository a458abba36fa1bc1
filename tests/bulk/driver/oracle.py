"""Asks the driver about a file, in a process of its own: the driver aborts on some files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.peer.test_zebin_driver import PROBE, run_probe

_TIME_LIMIT = 20
_RECOMPILED = "[-Wrecompiled-from-ir]"
"""The driver's remark that it did not take the code for this GPU and compiled the SPIR-V module in the file instead."""

_REFUSAL = re.compile(r"^error (ze\w+) (0x\w+)", re.MULTILINE)
_MESSAGE = re.compile(r"^(?!.*(?:Minor version|Unhandled SHT_NOTE)).*DeviceBinaryFormat.*$", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """The driver's answer to a file: it accepts it, refuses it in some function, or dies."""

    accepts: bool
    text: str


@dataclass(frozen=True)
class DriverOracle:
    """The compiled probe, and a folder for the files that driver and probe leave."""

    probe: Path
    folder: Path

    def verdict(self, data: bytes, device: str) -> Verdict:
        """Returns what the driver for a device does with a file."""
        path = self.folder / "module.zebin"
        path.write_bytes(data)
        try:
            done = run_probe(self.probe, path, device, self.folder, timeout=_TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return Verdict(False, f"takes more than {_TIME_LIMIT} seconds")
        messages = _MESSAGE.findall(done.stderr)
        detail = f": {messages[0].strip()}" if messages else ""
        if done.returncode < 0:
            return Verdict(False, f"dies of signal {-done.returncode}{detail}")
        refusal = _REFUSAL.search(done.stdout)
        if refusal is not None:
            return Verdict(False, f"{refusal[1]} returns {refusal[2]}{detail}")
        if _RECOMPILED in done.stderr:
            return Verdict(False, "does not take the code for this GPU")
        return Verdict(True, "accepts it")


@contextmanager
def driver_oracle() -> Iterator[DriverOracle]:
    """Compiles the probe into a temporary folder."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        probe = folder / "probe"
        subprocess.run(["gcc", str(PROBE), "-lze_loader", "-o", str(probe)], check=True)
        yield DriverOracle(probe, folder)
