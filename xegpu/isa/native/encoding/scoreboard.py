"""Scoreboard fields (SWSB): what an instruction waits for, and the token that it sets."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.isa.native.encoding.forms import NativeForm
from xegpu.isa.native.encoding.platforms import NativePlatform

_PIPES: Mapping[NativePlatform, Mapping[int, str]] = {
    NativePlatform.XE_HPC: {0: "", 1: "A", 2: "F", 3: "I", 4: "L", 5: "M"},
    NativePlatform.XE_HPG: {0: "", 1: "A", 2: "F", 3: "I", 10: "L"},
}
"""The pipe of a distance, by the bits above it."""

_TOKEN_BASES: Mapping[NativePlatform, Mapping[str, int]] = {
    NativePlatform.XE_HPC: {".dst": 0x80, ".src": 0xA0, "": 0xC0},
    NativePlatform.XE_HPG: {".dst": 0x20, ".src": 0x30, "": 0x40},
}
_NO_ACCUMULATOR = 0xF0
"""The field of an Xe-HPC instruction that sets no dependence on the accumulator."""

_PAIRS: Mapping[NativeForm, tuple[tuple[str, str], ...]] = {
    NativeForm.SEND: (("A", ""), ("F", ""), ("I", "")),
    NativeForm.DPAS: (("", ""), ("", ".src"), ("", ".dst")),
}
_OTHER_PAIRS = (("", ".dst"), ("", ".src"), ("A", ".dst"))
"""The pipe and the kind of token of fields that hold both, on Xe-HPC, by the top bits of the field less one."""

_PAIR_HPG: Mapping[NativeForm, tuple[str, str]] = {
    NativeForm.SEND: ("A", ""),
    NativeForm.DPAS: ("", ""),
    NativeForm.MATH: ("", ""),
}


def _encodings(platform: NativePlatform, form: NativeForm) -> dict[int, str]:
    """Returns the text of each field that means something, lowest first."""
    found: dict[int, str] = {}
    tokens = range(platform.tokens)
    for code, pipe in _PIPES[platform].items():
        for distance in range(8):
            found[code << 3 | distance] = f"{pipe}@{distance}" if distance else ""
    for kind, base in _TOKEN_BASES[platform].items():
        for token in tokens:
            found[base | token] = f"${token}{kind}"
    if platform is NativePlatform.XE_HPG:
        pipe, kind = _PAIR_HPG.get(form, ("", ".dst"))
        for distance in range(8):
            for token in tokens:
                found[0x80 | distance << 4 | token] = f"{pipe}@{distance},${token}{kind}"
        return found
    found[_NO_ACCUMULATOR] = "NoAccSBSet"
    for index, (pipe, kind) in enumerate(_PAIRS.get(form, _OTHER_PAIRS), 1):
        for distance in range(8):
            for token in tokens:
                found[index << 8 | distance << 5 | token] = f"{pipe}@{distance},${token}{kind}"
    return found


SCOREBOARD_TEXTS = {(platform, form): _encodings(platform, form) for platform in NativePlatform for form in NativeForm}
"""The texts of scoreboard fields, which depend on the form because sends and matrix products set tokens."""

SCOREBOARD_CODES = {
    key: {text: code for code, text in reversed(list(texts.items()))} for key, texts in SCOREBOARD_TEXTS.items()
}
"""The fields by text."""
