"""The native encodings of generations, a module for each."""

from __future__ import annotations

from functools import cache

from xegpu.isa.native.layouts.encoding import NativeEncoding
from xegpu.isa.native.platforms import xe_hpc, xe_hpg
from xegpu.targets import NativeConventions, Platform

ENCODINGS = {encoding.name: encoding for encoding in (xe_hpc.ENCODING, xe_hpg.ENCODING)}


class UnknownEncoding(ValueError):
    """A platform whose native words are not known; the text names it."""


def has_encoding(platform: Platform) -> bool:
    """Returns whether the native words of a platform are known."""
    return platform.native is not None and platform.native.encoding in ENCODINGS


def conventions_of(platform: Platform) -> NativeConventions:
    """Returns the ways of the native code of a platform. Raises `UnknownEncoding`."""
    if platform.native is None or platform.native.encoding not in ENCODINGS:
        raise UnknownEncoding(f"no native encoding for platform {platform.title}")
    return platform.native


@cache
def encoding_of(platform: Platform) -> NativeEncoding:
    """Returns the tables of the native words of a platform. Raises `UnknownEncoding`."""
    return ENCODINGS[conventions_of(platform).encoding]
