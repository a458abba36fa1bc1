"""Scoreboard fields (SWSB): what an instruction waits for, and the token that it sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from xegpu.isa.native.layouts.encoding import NativeEncoding
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.on_demand import dataclass


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
def scoreboards(encoding: NativeEncoding, form: NativeForm) -> Mapping[int, ScoreboardField]:
    """Returns what each field says that means something, lowest first.

    It depends on the form because sends and matrix products set tokens.
    """
    found: dict[int, ScoreboardField] = {}
    tokens, distances = range(encoding.tokens), range(8)
    for code, pipe in encoding.pipes.items():
        for distance in distances:
            found[code << 3 | distance] = ScoreboardField(pipe, distance) if distance else NO_WAIT
    for kind, base in encoding.token_bases.items():
        for token in tokens:
            found[base | token] = ScoreboardField(token=token, kind=kind)
    found |= {code: ScoreboardField(note=note) for code, note in encoding.scoreboard_notes.items()}
    pairs = encoding.pairs
    for base, (pipe, kind) in pairs.by_form.get(form, pairs.others).items():
        for distance in distances:
            for token in tokens:
                found[base | distance << pairs.shift | token] = ScoreboardField(pipe, distance, token, kind)
    return found


NO_WAIT = ScoreboardField()
"""The field of an instruction that waits for nothing."""


@cache
def scoreboard_texts(encoding: NativeEncoding, form: NativeForm) -> Mapping[int, str]:
    """Returns the texts of the fields."""
    return {code: board.text for code, board in scoreboards(encoding, form).items()}


@cache
def scoreboard_codes(encoding: NativeEncoding, form: NativeForm) -> Mapping[str, int]:
    """Returns the fields by text, the lowest of those that say the same."""
    return {text: code for code, text in reversed([*scoreboard_texts(encoding, form).items()])}
