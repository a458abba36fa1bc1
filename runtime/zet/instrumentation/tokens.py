"""Tokens of the profile of a kernel, which C has in memory behind its properties. Only Python has them as members."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.ze.spec import OlderProperties
from runtime.zet.instrumentation.spec import zet_profile_properties_t, zet_profile_token_type_t


@dataclass(frozen=True, slots=True)
class zet_profile_register_sequence_t:
    """`count` registers, from `start` on."""

    start: int
    count: int


@dataclass(frozen=True, slots=True)
class zet_profile_free_register_token_t:
    """The registers that a kernel leaves free; `sequences` follow the structure in memory."""

    type: zet_profile_token_type_t
    size: int
    count: int
    sequences: tuple[zet_profile_register_sequence_t, ...]


@dataclass
class zet_profile_info_t(zet_profile_properties_t, OlderProperties):
    """The properties with the tokens that follow them in memory; 0.91 calls the structure so."""

    tokens: tuple[zet_profile_free_register_token_t, ...] = ()
