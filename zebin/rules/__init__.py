"""The rules a ZEBIN must satisfy for drivers to accept it and to interpret it as its compiler meant."""

from zebin.rules.code import check_code
from zebin.rules.kernels import check_kernels
from zebin.rules.limits import TargetLimits, limits_of
from zebin.rules.relocations import check_relocations
from zebin.rules.sections import check_sections
from zebin.rules.symbols import check_symbols

__all__ = [
    "TargetLimits",
    "check_code",
    "check_kernels",
    "check_relocations",
    "check_sections",
    "check_symbols",
    "limits_of",
]
