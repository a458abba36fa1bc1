"""The rules a ZEBIN must satisfy for drivers to accept it and to interpret it as its compiler meant."""

from zebin.rules.code import check_code as check_code
from zebin.rules.kernels import check_kernels as check_kernels
from zebin.rules.limits import limits_of as limits_of
from zebin.rules.relocations import check_relocations as check_relocations
from zebin.rules.sections import check_sections as check_sections
from zebin.rules.symbols import check_symbols as check_symbols
from zebin.rules.text import parse_ze_info as parse_ze_info
