"""ZEBIN, the container of Intel GPU programs: read, check, build and write it.

>>> zebin = read("gemm.zebin")
>>> zebin.kernels["gemm"].execution_env.simd_size
"""

from zebin.archive import ArchiveMember, choose_member, is_archive, read_archive, write_archive
from zebin.builder import build
from zebin.debug import line_tables
from zebin.device import Device
from zebin.editing import EditError, Editor, edit
from zebin.errors import Finding, Place, Severity, ZebinError
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
    "Place",
    "Severity",
    "Zebin",
    "ZebinError",
    "build",
    "choose_member",
    "edit",
    "is_archive",
    "line_tables",
    "read",
    "read_archive",
    "write",
    "write_archive",
]
