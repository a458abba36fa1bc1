"""ZEBIN, the container of Intel GPU programs: reads, checks, builds and writes it.

>>> zebin = read("gemm.zebin")
>>> zebin.kernels["gemm"].execution_env.simd_size
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu import __version__
from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from zebin.binary.archive import GENERIC_IR, ArchiveMember, choose_member, is_archive, read_archive, write_archive
    from zebin.binary.disassembly import CodeListing, disassemble, native_platform
    from zebin.binary.file import map_file, read, write
    from zebin.binary.model import Zebin, ZebinKernel
    from zebin.building.builder import build, pack
    from zebin.debug import line_tables
    from zebin.debug.image import FIRST_ADDRESS, code_addresses, debug_image
    from zebin.debug.options import DebugOptions
    from zebin.device import TargetDevice
    from zebin.editing import EditError, Editor, edit
    from zebin.elf.foreign import ForeignFileError
    from zebin.errors import BinaryLocation, Finding, FindingSeverity, ZebinError, excerpt
    from zebin.facts.reader import FactsError, read_facts
    from zebin.products import config_name, core_name, family_name

__all__ = [
    "FIRST_ADDRESS",
    "GENERIC_IR",
    "ArchiveMember",
    "BinaryLocation",
    "CodeListing",
    "DebugOptions",
    "EditError",
    "Editor",
    "FactsError",
    "Finding",
    "FindingSeverity",
    "ForeignFileError",
    "TargetDevice",
    "Zebin",
    "ZebinError",
    "ZebinKernel",
    "__version__",
    "build",
    "choose_member",
    "code_addresses",
    "config_name",
    "core_name",
    "debug_image",
    "disassemble",
    "edit",
    "excerpt",
    "family_name",
    "is_archive",
    "line_tables",
    "map_file",
    "native_platform",
    "pack",
    "read",
    "read_archive",
    "read_facts",
    "write",
    "write_archive",
]

__getattr__ = public_names(
    __name__,
    {
        ".binary.archive": "GENERIC_IR ArchiveMember choose_member is_archive read_archive write_archive",
        ".building.builder": "build pack",
        ".debug": "line_tables",
        ".debug.image": "FIRST_ADDRESS code_addresses debug_image",
        ".debug.options": "DebugOptions",
        ".device": "TargetDevice",
        ".binary.disassembly": "CodeListing disassemble native_platform",
        ".editing": "EditError Editor edit",
        ".elf.foreign": "ForeignFileError",
        ".errors": "BinaryLocation Finding FindingSeverity ZebinError excerpt",
        ".binary.file": "map_file read write",
        ".facts.reader": "FactsError read_facts",
        ".binary.model": "Zebin ZebinKernel",
        ".products": "config_name core_name family_name",
    },
)
