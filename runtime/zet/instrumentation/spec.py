"""Data of the specification of program instrumentation: enumerations and structures, under its names."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import IntEnum, IntFlag

from runtime.ze.conversion import declare_structures
from runtime.ze.driver import FREE_REGISTER_INFO, REGISTER_REALLOCATION
from runtime.ze.spec import ExtensibleProperties


class zet_module_debug_info_format_t(IntEnum):
    ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF = 0


class zet_profile_flags_t(IntFlag):
    ZET_PROFILE_FLAG_REGISTER_REALLOCATION = REGISTER_REALLOCATION
    ZET_PROFILE_FLAG_FREE_REGISTER_INFO = FREE_REGISTER_INFO


zet_profile_flag_t = zet_profile_flags_t


class zet_profile_token_type_t(IntEnum):
    ZET_PROFILE_TOKEN_TYPE_FREE_REGISTER = 0


class zet_profile_info_version_t(IntEnum):
    """The version that 0.91 has of its structure; the one of 1.x has a type."""

    ZET_PROFILE_INFO_VERSION_CURRENT = 0x5B


@dataclass
class zet_profile_properties_t(ExtensibleProperties):
    """The data for tools that a module was built with, and the number of tokens."""

    flags: zet_profile_flags_t
    numTokens: int


declare_structures(sys.modules[__name__])
