"""Checks the scoreboard of native code."""

from __future__ import annotations

from tools.asm.command import AsmOptions
from tools.asm.native import requested_platform
from tools.cli import CommandError, ReportedError
from xegpu.isa import DecodeError, has_header
from xegpu.isa.native import find_hazards
from xegpu.targets import Platform


def hazard_report(kernels: dict[str, bytes], options: AsmOptions, platform: Platform | None = None) -> str:
    """Returns a line that says that kernels are free of hazards; raises `ReportedError` with a line for each of them.

    `kernels` are the codes by the name that reports have for them; without a platform the requested one counts.
    """
    platform = platform or requested_platform(options)
    found = []
    for name, code in kernels.items():
        if has_header(code):
            raise CommandError("code of the virtual ISA has no scoreboard: --check-hazards is for native code", name)
        try:
            found += [f"{name}: error: {hazard}" for hazard in find_hazards(platform, code)]
        except DecodeError as error:
            raise CommandError(str(error), name) from None
    if found:
        raise ReportedError("\n".join(found))
    return f"no hazards in {len(kernels)} kernel{'s' * (len(kernels) != 1)}\n"
