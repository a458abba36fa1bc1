"""Intel's driver on every example for every target that it is for, and on the same files read and written again.

    python -m tests.bulk.driver.examples --only gemm

Needs what the peer tests of ZEBINs need. Prints each file with what is wrong; ends with 1 if something is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import zebin
from passes.pipelines import compile_to_kernels
from tests.paths import EXAMPLES
from tests.peer.test_zebin_driver import PROBE, claimed, load
from xegpu.diagnostics import CompileError
from xegpu.targets import TARGETS, Target


def differences(path: Path, target: Target, probe: Path, directory: Path) -> str:
    """Returns how the driver's facts differ from ours; empty if they agree or the example is not for the target."""
    try:
        kernels = compile_to_kernels(path.read_text(), target, str(path))
    except CompileError as error:
        return str(error) if target.name == _written_for(path) else ""
    data = zebin.build(target, kernels)
    expected = {kernel.name: claimed(kernel) for kernel in kernels}
    for what, binary in (("as built", data), ("written again", zebin.write(zebin.read(data, strict=True)))):
        found = load(probe, binary, target.name, directory)
        if found != expected:
            return f"{what}: the driver says {found}, expected {expected}"
    return ""


def _written_for(path: Path) -> str:
    """The target that an example must compile for: `name.arc.mlir` says so, others are for PVC at least."""
    return path.name.split(".")[1] if path.name.count(".") > 1 else "pvc"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a part of the names of the files")
    arguments = parser.parse_args()
    paths = [path for path in sorted(EXAMPLES.rglob("*.mlir")) if arguments.only in str(path.relative_to(EXAMPLES))]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        probe = directory / "probe"
        subprocess.run(["gcc", str(PROBE), "-lze_loader", "-o", str(probe)], check=True)
        for path in paths:
            for target in TARGETS.values():
                wrong = differences(path, target, probe, directory)
                failures += bool(wrong)
                print(f"{path.relative_to(EXAMPLES)} {target.name}: {wrong or 'ok'}", flush=True)
    print(f"{len(paths)} files, {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
