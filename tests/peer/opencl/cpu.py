"""Runs cases with an OpenCL driver for CPUs, in a process of its own: `python cpu.py DRIVER IN OUT`.

The input is a pickled list of `(name, text, options, items, group, arguments, results)`. The output has, one behind the
other, the arrays that each kernel has written, or what the driver says against it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.peer.generations import FETCHED
from tests.peer.opencl.cases import Array, Launch

Answer = list[Array] | str
_STANDARD = "-cl-std=CL3.0"


@cache
def drivers() -> dict[str, Path]:
    """Returns the drivers that are here: Intel's (package `intel-opencl-rt`), PoCL of the system and of today."""
    folders = {"intel": (Path(sys.prefix) / "lib", "libintelocl.so"), "pocl": (Path("/usr/lib"), "libpocl.so*")}
    folders["pocl of today"] = (FETCHED / "usr/lib", "libpocl.so*")
    found = {name: next(iter(sorted(folder.rglob(pattern))), None) for name, (folder, pattern) in folders.items()}
    return {name: path for name, path in found.items() if path is not None}


def driver() -> str | None:
    """Returns the name of the driver to compare with where one is enough; None if there is none."""
    return next(iter(drivers()), None)


def run(cases: Sequence[Launch], name: str | None = None) -> list[Answer]:
    """Runs kernels on the CPU. Returns what each has written, or why it did not run: drivers crash now and then."""
    name = name or driver()
    assert name is not None
    found = drivers()[name]
    answers: list[Answer] = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "cpu.icd").write_text(f"{found}\n")
        # What ends with a slash is a folder to some loaders only.
        environment = os.environ | {"OCL_ICD_VENDORS": f"{folder}/"}
        command = [sys.executable, "-m", __name__, f"{folder}/in", f"{folder}/out"]
        if found.is_relative_to(FETCHED):
            command.insert(0, str(FETCHED / "run"))
        else:
            environment["LD_LIBRARY_PATH"] = str(found.parent)
        while len(answers) < len(cases):
            rest = cases[len(answers) :]
            jobs = [
                (case.name, case.text, [*case.options], case.items, case.group, case.arguments(), case.results)
                for case in rest
            ]
            (Path(folder) / "in").write_bytes(pickle.dumps(jobs))
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            with Path(folder, "out").open("rb") as file:
                while file.peek(1):
                    answers.append(pickle.load(file))
            if len(answers) < len(cases):
                answers.append(f"the driver has crashed: {done.stderr[-300:]}")
    return answers


def main(source: str, target: str) -> None:
    """Runs jobs."""
    import pyopencl  # behind the choice of the driver

    from tests.peer.opencl import cpu_objects

    with Path(target).open("wb") as file:
        context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
        queue = pyopencl.CommandQueue(context)
        for name, text, options, items, group, values, results in pickle.loads(Path(source).read_bytes()):
            try:
                kernel = pyopencl.Kernel(pyopencl.Program(context, text).build([_STANDARD, *options]), name)
                passed = [cpu_objects.made(context, value) for value in values]
                kernel.set_args(*passed)
                pyopencl.enqueue_nd_range_kernel(queue, kernel, items, group)
                answer: Answer = [cpu_objects.content(queue, values[p], passed[p]) for p in results]
            except pyopencl.Error as error:
                answer = str(error)
            pickle.dump(answer, file)
            file.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
