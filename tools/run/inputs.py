"""The input of `xegpu-run`: a ZEBIN, or kernels in any language that we know."""

from __future__ import annotations

from dataclasses import dataclass

import zebin
from tools.cli import ReportedError, display_name, read_bytes
from xegpu.targets import DEFAULT_TARGET, TARGETS, Target

MAX_INPUT = 256 << 20
"""The maximum size of the input in bytes."""

_ELF_MAGIC = b"\x7fELF"
_SPIRV_MAGICS = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
_SPIRV_SUFFIX = ".spv"


@dataclass(frozen=True)
class RunInput:
    """Source, SPIR-V or one ZEBIN, with the GPU to run it on."""

    name: str
    data: bytes
    target: Target

    @property
    def is_binary(self) -> bool:
        """Returns whether the input is a ZEBIN, which needs no compiler."""
        return self.data.startswith(_ELF_MAGIC)

    @property
    def is_spirv(self) -> bool:
        """Returns whether the input is, or claims to be, SPIR-V."""
        return self.data.startswith(_SPIRV_MAGICS) or self.name.endswith(_SPIRV_SUFFIX)


def read_input(file: str, wanted: str | None, kernel: str | None = None) -> RunInput:
    """Returns the contents of a file, or the device code in it.

    The GPU is the requested one, or else the one that a ZEBIN was built for. It chooses among the device code of a fat
    binary, program or library, and the kernel among several pieces for one GPU.

    Raises:
        CommandError: If the file cannot be read.
    """
    name, data = display_name(file), read_bytes(file, MAX_INPUT)
    target = TARGETS[wanted or DEFAULT_TARGET]
    try:
        if zebin.is_container(data):
            image = zebin.image_in(data, zebin.TargetDevice.of_target(target), kernel=kernel, or_spirv=True)
            name, data = f"{name}({image.name})", bytes(image.data)
        if data.startswith(_ELF_MAGIC):
            binary = zebin.read(data, lenient=True)
            target = target if wanted else binary.target.gpu or target
    except zebin.ZebinError as error:
        raise ReportedError("\n".join(f"{name}: {finding}" for finding in error.findings)) from None
    return RunInput(name, data, target)
