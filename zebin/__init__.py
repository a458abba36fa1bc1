"""ZEBIN, the container of Intel GPU programs: read, check, build and write it.

>>> zebin = read("gemm.zebin")
>>> zebin.kernels["gemm"].execution_env.simd_size
"""

from __future__ import annotations

from zebin.archive import ArchiveMember, choose_member, is_archive, read_archive, write_archive
from zebin.builder import build
from zebin.debug import line_tables
from zebin.device import Device
from zebin.disassembly import Listing, disassemble
from zebin.editing import EditError, Editor, edit
from zebin.errors import Finding, Place, Severity, ZebinError, excerpt
from zebin.files import map_file
from zebin.model import Kernel, Zebin
from zebin.reader import read
from zebin.writer import write

__all__ = [
    "ArchiveMember",
    "Device",
    "EditError",
    "Editor",
    "Finding",
    "Kernel",
    "Listing",
    "Place",
    "Severity",
    "Zebin",
    "ZebinError",
    "build",
    "choose_member",
    "disassemble",
    "edit",
    "excerpt",
    "is_archive",
    "line_tables",
    "map_file",
    "read",
    "read_archive",
    "write",
    "write_archive",
]
