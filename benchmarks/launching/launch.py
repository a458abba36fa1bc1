"""Measures a launch of an empty kernel from Python, in microseconds and as a ratio to PoCL's in the same run.

Each way is timed after it was used once, many launches at a time, of which the fastest batch counts. PoCL needs
`pyopencl` and its library: `--pocl /usr/lib/x86_64-linux-gnu/libpocl.so`; without it there is no ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from runtime import Device, ze, zet
from runtime.ze import layers
from runtime.ze.layers import Layers
from runtime.ze.layers.validation import ValidationCheck

EMPTY = """
gpu.module @kernels {
  gpu.func @empty() kernel attributes {VectorComputeFunctionINTEL} {
    gpu.return
  }
}
"""

OPENCL = "kernel void empty(void) {}"


def microseconds(launch: Callable[[], object], count: int, batches: int) -> float:
    """Time of one launch in the fastest of some batches, after a first one."""
    launch()
    best = float("inf")
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(count):
            launch()
        best = min(best, time.perf_counter() - start)
    return best / count * 1e6


def ways(target: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """The ways to launch an empty kernel, each with what is called."""
    with Device(target) as device:
        module = device.compile(EMPTY)
        kernel = module["empty"][1]
        yield "kernel[1]()", kernel
        with device.stream() as stream:
            yield "kernel[1](stream=stream), wait", lambda: kernel(stream=stream).wait()
        binary = module.binary
    ze.zeInit()
    handle = next(found for found in ze.zeDeviceGet(ze.zeDriverGet()[0]) if found.target.name == target)
    context = ze.zeContextCreate(ze.zeDriverGet()[0], ze.ze_context_desc_t())
    native = ze.ze_module_format_t.ZE_MODULE_FORMAT_NATIVE
    raw, _ = ze.zeModuleCreate(context, handle, ze.ze_module_desc_t(native, binary))
    empty = ze.zeKernelCreate(raw, ze.ze_kernel_desc_t("empty"))
    groups = ze.ze_group_count_t(1)
    synchronous = ze.ze_command_queue_desc_t(mode=ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
    immediate = ze.zeCommandListCreateImmediate(context, handle, synchronous)

    def launch() -> None:
        ze.zeCommandListAppendLaunchKernel(immediate, empty, groups)

    yield "immediate list, synchronous", launch
    queued = ze.zeCommandListCreateImmediate(context, handle, ze.ze_command_queue_desc_t())

    def launch_and_wait() -> None:
        ze.zeCommandListAppendLaunchKernel(queued, empty, groups)
        ze.zeCommandListHostSynchronize(queued)

    yield "immediate list, asynchronous, wait", launch_and_wait
    layers.install(Layers(tracing=True))
    yield "synchronous, tracing layer without tracers", launch
    tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(1))
    zet.zelTracerCommandListAppendLaunchKernelRegisterCallback(
        tracer, zet.zel_tracer_reg_t.ZEL_REGISTER_PROLOGUE, lambda *_: None
    )
    zet.zelTracerSetEnabled(tracer, True)
    yield "synchronous, one tracer", launch
    zet.zelTracerSetEnabled(tracer, False)
    zet.zelTracerDestroy(tracer)
    layers.install(Layers(checks=frozenset(ValidationCheck)))
    yield "synchronous, all checks of the validation layer", launch
    layers.install(Layers())


def pocl(library: str) -> Callable[[], object]:
    """A launch with PoCL, waited for."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "peer.icd").write_text(library)
        os.environ["OCL_ICD_VENDORS"] = folder
        import pyopencl  # behind the choice of the driver

        context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
    queue = pyopencl.CommandQueue(context)
    kernel = pyopencl.Kernel(pyopencl.Program(context, OPENCL).build(), "empty")

    def launch() -> None:
        pyopencl.enqueue_nd_range_kernel(queue, kernel, (1,), (1,))
        queue.finish()

    return launch


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=("pvc", "arc"), default="pvc")
    parser.add_argument("--count", type=int, default=50, help="launches in a batch")
    parser.add_argument("--batches", type=int, default=100)
    parser.add_argument("--pocl", metavar="LIBRARY", help="PoCL's library, to compare with")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratios to a file, too")
    arguments = parser.parse_args()
    rows: list[dict[str, object]] = []
    peer = None
    if arguments.pocl is not None:
        peer = microseconds(pocl(arguments.pocl), arguments.count, arguments.batches)
        print(f"{'PoCL':<50} {peer:>7.1f} us")
    for name, launch in ways(arguments.target):
        taken = microseconds(launch, arguments.count, arguments.batches)
        ratio = "" if peer is None else f"  {taken / peer:.2f} x PoCL"
        print(f"{name:<50} {taken:>7.1f} us{ratio}")
        if peer is not None:
            rows.append({"workload": name, "peer": "PoCL", "ratio": peer / taken})
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
