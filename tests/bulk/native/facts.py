"""Properties of kernels here and in Intel's drivers of both generations, which one client asks without a GPU."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from runtime import ze
from tests.peer.generations import GENERATIONS
from tests.peer.test_zebin_driver import PROBE, Properties, reported, run_probe
from xegpu.targets import ARC, PVC

_TARGETS = {"pvc": PVC, "arc": ARC}


@cache
def _place(model: str) -> tuple[ze.ze_context_handle_t, ze.ze_device_handle_t]:
    driver = ze.simulated_driver((_TARGETS[model],))
    return ze.zeContextCreate(driver, ze.ze_context_desc_t()), ze.zeDeviceGet(driver)[0]


def ours(model: str, binary: bytes) -> dict[str, Properties]:
    """Returns what our driver says of the kernels of a binary. Raises `ZeError`."""
    context, device = _place(model)
    module, _ = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary))
    found = {}
    for name in ze.zeModuleGetKernelNames(module):
        kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t(name))
        p = ze.zeKernelGetProperties(kernel)
        group = (p.requiredGroupSizeX, p.requiredGroupSizeY, p.requiredGroupSizeZ)
        found[name] = Properties(
            p.numKernelArgs, p.maxSubgroupSize, p.localMemSize, p.privateMemSize, p.spillMemSize, group
        )
        ze.zeKernelDestroy(kernel)
    ze.zeModuleDestroy(module)
    return found


def rounded(kernels: Mapping[str, Properties]) -> dict[str, Properties]:
    """Returns properties with spilled registers in powers of two, at least a KiB, as the driver of 2022 has them."""
    return {
        name: found._replace(spill=found.spill and 1 << max((found.spill - 1).bit_length(), 10))
        for name, found in kernels.items()
    }


@dataclass(frozen=True)
class Drivers:
    """The compiled client, and a folder for its files; None if nothing shall be compared."""

    probe: Path | None
    folder: Path

    @classmethod
    @contextmanager
    def found(cls, are_asked: bool) -> Iterator[Drivers]:
        """Compiles the client if drivers shall be asked."""
        with TemporaryDirectory() as name:
            folder = Path(name)
            probe = folder / "probe"
            if are_asked:
                subprocess.run(["gcc", str(PROBE), "-lze_loader", "-o", str(probe)], check=True)
            yield cls(probe if are_asked else None, folder)

    def differences(self, model: str, family: str, binary: bytes) -> Iterator[str]:
        """Yields how what a driver for a family of products says differs from what we say."""
        if self.probe is None:
            return
        try:
            mine = ours(model, binary)
        except ze.ZeError as error:
            yield f"we refuse it: {error}"
            return
        path = self.folder / "module.zebin"
        path.write_bytes(binary)
        for generation in reversed(GENERATIONS):
            done = run_probe(self.probe, path, family, self.folder, generation=generation)
            theirs = reported([line.split(" ") for line in done.stdout.splitlines()])
            if generation != "today":
                mine, theirs = rounded(mine), rounded(theirs)
            if done.returncode == 0 and theirs != mine:
                yield f"the driver ({generation}) says {theirs}, we {mine}"
            elif done.returncode and generation == "today":
                yield f"the driver of today refuses it: {done.stdout.strip()} {done.stderr.strip()[-200:]}"
