"""Text with a few words or lines damaged, as by a slip of the hand or of another tool."""

from __future__ import annotations

import re

from hypothesis import strategies as st

_WORD = re.compile(r'"[^"\n]*"|[%@#!^]?[\w.$]+|->|\S')

WORDS = (
    *("0", "-1", "1", "2", "3", "17", "1.5", "4294967296", "9223372036854775808", "-9223372036854775808", "9" * 40),
    *("?", "x", "*", "<", ">", "(", ")", "[", "]", "{", "}", "<{", "}>", ",", ":", "=", "->", "%", "@", "#", "!", "^"),
    *("true", "unit", "dense", "array<i64: 1, 0>", "[1, 0]", '"word"', '"', "// word", "loc(unknown)", "\0", "é"),
    *("index", "i1", "i8", "f16", "f32", "tf32", "none", "vector<8x16xf32>", "memref<?x?xf32>", "tensor<4xf32>"),
    *("%c0", "%undefined", "%0#1", "^bb0", "@kernels", "!xegpu.tensor_desc<8x16xf32>", "!xetile.tile<8x16xf32>"),
    *("#xegpu.block_tdesc_attr<>", "#xegpu.scatter_tdesc_attr<>", "#xegpu.cache_hint<cached>", "xegpu.fence"),
)
"""The words that damage puts in the place of others."""


def kind(word: str) -> str:
    """Returns the class of a word; words of a class often stand in the same places."""
    return "0" if word[0].isdigit() else "a" if word[0].isalpha() else word[0]


@st.composite
def damaged(draw: st.DrawFn, text: str, *, max_changes: int = 3) -> str:
    """`text` with words deleted, repeated, exchanged or replaced, lines deleted or repeated, or its end cut off."""
    for _ in range(draw(st.integers(1, max_changes))):
        if draw(st.integers(0, 9)):
            text = draw(_with_damaged_word(text))
        else:
            text = draw(_with_damaged_line(text))
    return text


@st.composite
def _with_damaged_word(draw: st.DrawFn, text: str) -> str:
    words = list(_WORD.finditer(text))
    if not words:
        return text
    start, end = draw(st.sampled_from(words)).span()
    change = draw(st.sampled_from(("delete", "repeat", "replace", "copy", "copy", "copy", "cut")))
    match change:
        case "delete":
            new = ""
        case "repeat":
            new = f"{text[start:end]} {text[start:end]}"
        case "replace":
            new = draw(st.sampled_from(WORDS))
        case "copy":
            new = draw(st.sampled_from([word[0] for word in words if kind(word[0]) == kind(text[start:end])]))
        case _:
            return text[:start]
    return text[:start] + new + text[end:]


@st.composite
def _with_damaged_line(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    lines[at : at + 1] = [lines[at]] * draw(st.sampled_from((0, 1, 2)))
    moves_last = draw(st.booleans())
    if lines and moves_last:
        lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop())
    return "\n".join(lines)
