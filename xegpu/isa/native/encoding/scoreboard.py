"""Scoreboard fields (SWSB): what an instruction waits for, and the token that it sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from xegpu.isa.native.encoding.forms import NativeForm
from xegpu.isa.native.encoding.platforms import NativePlatform
from xegpu.records import dataclass

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


@dataclass(frozen=True)
class ScoreboardField:
    """The content of a scoreboard field: a `distance` in a `pipe` that is waited for, and a `token`.

    The distance is absent if there is none; the pipe is `A` for all of them, and empty if operands' types decide.
    The `kind` of a token is `.dst` or `.src` if it is waited for, and empty if the instruction sets it.
    """

    pipe: str = ""
    distance: int | None = None
    token: int | None = None
    kind: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        parts = [f"{self.pipe}@{self.distance}"] if self.distance is not None else []
        parts += [] if self.token is None else [f"${self.token}{self.kind}"]
        return ",".join([*parts, self.note] if self.note else parts)


@cache
def scoreboards(platform: NativePlatform, form: NativeForm) -> Mapping[int, ScoreboardField]:
    """Returns what each field says that means something, lowest first.

    It depends on the form because sends and matrix products set tokens.
    """
    found: dict[int, ScoreboardField] = {}
    tokens = range(platform.tokens)
    for code, pipe in _PIPES[platform].items():
        for distance in range(8):
            found[code << 3 | distance] = ScoreboardField(pipe, distance) if distance else NO_WAIT
    for kind, base in _TOKEN_BASES[platform].items():
        for token in tokens:
            found[base | token] = ScoreboardField(token=token, kind=kind)
    if platform is NativePlatform.XE_HPG:
        pipe, kind = _PAIR_HPG.get(form, ("", ".dst"))
        for distance in range(8):
            for token in tokens:
                found[0x80 | distance << 4 | token] = ScoreboardField(pipe, distance, token, kind)
        return found
    found[_NO_ACCUMULATOR] = ScoreboardField(note="NoAccSBSet")
    for index, (pipe, kind) in enumerate(_PAIRS.get(form, _OTHER_PAIRS), 1):
        for distance in range(8):
            for token in tokens:
                found[index << 8 | distance << 5 | token] = ScoreboardField(pipe, distance, token, kind)
    return found


NO_WAIT = ScoreboardField()
"""The field of an instruction that waits for nothing."""


@cache
def scoreboard_texts(platform: NativePlatform, form: NativeForm) -> Mapping[int, str]:
    """Returns the texts of the fields."""
    return {code: board.text for code, board in scoreboards(platform, form).items()}


@cache
def scoreboard_codes(platform: NativePlatform, form: NativeForm) -> Mapping[str, int]:
    """Returns the fields by text, the lowest of those that say the same."""
    return {text: code for code, text in reversed([*scoreboard_texts(platform, form).items()])}
