"""Kernels on images: the simulator of ARC, and PoCL on the CPU, in one run.

`copies` reads and writes texels, `smooth` reads them through a sampler that mixes four. The images are square and have
four channels. A message is what a subgroup of 16 reads or writes; both kernels have two.

`python benchmarks/speed/images.py [--size 1024] [--repeat 5] [--library /usr/lib/…/libpocl.so]`
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from runtime import Device

SOURCE = """
kernel void copies(read_only image2d_t in, sampler_t smooth, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, p) * 0.5f);
}
kernel void smooth(read_only image2d_t in, sampler_t smooth, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 size = convert_float2(get_image_dim(out));
  write_imagef(out, p, read_imagef(in, smooth, (convert_float2(p) + 0.25f) / size));
}
"""
KERNELS = ("copies", "smooth")
FORMATS = {"rgba8unorm": np.uint8, "rgba16float": np.float16, "rgba32float": np.float32}
GROUP = 64
LANES, MESSAGES = 16, 2


def texels(name: str, size: int) -> NDArray[np.generic]:
    return (np.random.default_rng(1).random((size, size, 4)) * 200).astype(FORMATS[name])


def best(launch: Callable[[], object], repeat: int) -> float:
    """Seconds of the fastest of some launches; the first one is not counted."""

    def timed() -> float:
        start = time.perf_counter()
        launch()
        return time.perf_counter() - start

    launch()
    return min(timed() for _ in range(repeat))


def simulated(size: int, repeat: int) -> list[float]:
    device = Device("arc")
    module, sampler = device.compile(SOURCE, "images.cl"), device.sampler("clamp_edge", "linear", normalized=True)
    seconds = []
    for name in FORMATS:
        image, out = device.image(texels(name, size), name), device.empty_image((size, size), name)
        for kernel in KERNELS:
            launch = module[kernel][(size // GROUP, size), (GROUP, 1)]
            seconds.append(best(lambda: launch(image, sampler, out), repeat))  # noqa: B023 - called at once
    return seconds


def peer(size: int, repeat: int) -> list[float]:
    """Returns the seconds of the OpenCL driver that `OCL_ICD_VENDORS` names."""
    import pyopencl as cl  # behind the choice of the driver

    context = cl.Context(cl.get_platforms()[0].get_devices())
    queue, program = cl.CommandQueue(context), cl.Program(context, SOURCE).build()
    sampler = cl.Sampler(context, True, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.LINEAR)
    types = (cl.channel_type.UNORM_INT8, cl.channel_type.HALF_FLOAT, cl.channel_type.FLOAT)
    seconds = []
    for name, type in zip(FORMATS, types, strict=True):
        form, flags = cl.ImageFormat(cl.channel_order.RGBA, type), cl.mem_flags
        given = flags.READ_ONLY | flags.COPY_HOST_PTR
        image = cl.create_image(context, given, form, shape=(size, size), hostbuf=texels(name, size))
        out = cl.create_image(context, flags.WRITE_ONLY, form, shape=(size, size))
        for kernel in KERNELS:
            made = cl.Kernel(program, kernel)
            made.set_args(image, sampler, out)
            launch = (queue, made, (size, size), (GROUP, 1))
            seconds.append(best(lambda: cl.enqueue_nd_range_kernel(*launch).wait(), repeat))  # noqa: B023
    return seconds


def peer_seconds(library: str, size: int, repeat: int) -> list[float]:
    """Returns the seconds of a driver, which runs in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "peer.icd").write_text(library)
        command = [sys.executable, __file__, "--peer", "--size", str(size), "--repeat", str(repeat)]
        done = subprocess.run(
            command, env=os.environ | {"OCL_ICD_VENDORS": folder}, capture_output=True, text=True, check=True
        )
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--library", default=next(iter(sorted(map(str, Path("/usr/lib").rglob("libpocl.so*")))), None))
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        print(json.dumps(peer(options.size, options.repeat)))
        return
    ours = simulated(options.size, options.repeat)
    theirs = [float("nan")] * len(ours)
    if options.library is not None:
        theirs = peer_seconds(options.library, options.size, options.repeat)
    messages = MESSAGES * options.size**2 / LANES
    print(f"{'format':<12} {'kernel':<8} {'launch':>10} {'a message':>10}  pocl (times as fast)")
    rows = [(form, kernel) for form in FORMATS for kernel in KERNELS]
    for (form, kernel), own, other in zip(rows, ours, theirs, strict=True):
        print(f"{form:<12} {kernel:<8} {own * 1e3:7.2f} ms {own / messages * 1e6:7.2f} us {other / own:7.2f}")
    print(f"{'all':<21} {sum(ours) * 1e3:7.2f} ms {'':>10} {sum(theirs) / sum(ours):7.2f}")


if __name__ == "__main__":
    main()
