"""Times a workload in OpenCL, in a process of its own: prints the seconds of the best launch, and its error.

`python opencl_peer.py mandelbrot 4 --library /usr/lib/…/libpocl.so`: the library is that of an OpenCL driver.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from workloads import WORKLOADS, Workload


def seconds(workload: Workload, repeat: int, clock: Callable[[], float]) -> float:
    """Best time of a launch, data transfers not counted. The result is in the workload's last array."""
    import pyopencl  # behind the choice of the driver

    context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
    queue = pyopencl.CommandQueue(context)
    kernel = pyopencl.Kernel(pyopencl.Program(context, workload.opencl).build(), workload.name)
    flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
    buffers = [pyopencl.Buffer(context, flags, hostbuf=array) for array in workload.arrays]
    kernel.set_args(*buffers, *workload.opencl_scalars)
    items = tuple(g * n for g, n in zip(workload.opencl_grid, workload.opencl_group, strict=True))
    best = np.inf
    for _ in range(repeat):
        start = clock()
        pyopencl.enqueue_nd_range_kernel(queue, kernel, items, workload.opencl_group)
        queue.finish()
        best = min(best, clock() - start)
    pyopencl.enqueue_copy(queue, workload.arrays[-1], buffers[-1])
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("scale", type=int)
    parser.add_argument("--library", required=True)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1, help="threads of the driver")
    parser.add_argument("--cpu", action="store_true", help="measure processor time")
    options = parser.parse_args()
    os.environ |= dict.fromkeys(("POCL_MAX_PTHREAD_COUNT", "OCLGRIND_NUM_THREADS"), str(options.threads))
    workload = WORKLOADS[options.workload](options.scale)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "peer.icd").write_text(options.library)
        os.environ["OCL_ICD_VENDORS"] = folder
        best = seconds(workload, options.repeat, time.process_time if options.cpu else time.perf_counter)
    print(json.dumps({"seconds": best, "error": workload.error()}))


if __name__ == "__main__":
    main()
