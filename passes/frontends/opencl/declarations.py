"""Declarations of Intel's functions that clang's headers do not have, for the texts that use them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLOCK = re.compile(r"intel_sub_group_2d_block_(read|write|prefetch)(?:_transform|_transpose)?_\d+b_\d+r\d+x\d+c")
_PRODUCT = re.compile(r"intel_sub_group_(bf16|f16|tf32|[iu]8)_(?:bf16|f16|tf32|[iu]8)_matrix_mad_k\d+")
_BARRIER = re.compile(r"intel_work_group_barrier_(?:arrive|wait)")
_NAME = re.compile(f"{_BLOCK.pattern}|{_PRODUCT.pattern}|{_BARRIER.pattern}")
_ROWS = (1, 2, 4, 8)


def declarations(text: str) -> str:
    """Returns declarations, in one line, of the functions that a text uses and does not declare itself."""
    names = dict.fromkeys(found[0] for found in _NAME.finditer(text))
    return " ".join(line for name in names if not _declares(text, name) for line in _declared(name))


def _declares(text: str, name: str) -> bool:
    """Says whether a type stands before a name."""
    return any(found[1] != "return" for found in re.finditer(rf"(\w+)[\s)]+{name}\s*\(", text))


def _declared(name: str) -> Iterator[str]:
    head = "__attribute__((overloadable, convergent))"
    if _BARRIER.fullmatch(name):
        yield f"void {head} {name}(uint);"
        yield f"void {head} {name}(uint, memory_scope);"
    elif block := _BLOCK.fullmatch(name):
        memory = "" if block[1] == "prefetch" else ", private void *"
        yield f"void {head} {name}(global void *, int, int, int, int2{memory});"
    elif product := _PRODUCT.fullmatch(name):
        sum = "int" if product[1][1:] == "8" else "float"
        for rows in _ROWS:
            left = _vector("float", max(rows // 2, 1)) if product[1] == "tf32" else _vector("short", rows)
            right = "float8" if product[1] == "tf32" else "int8"
            result = _vector(sum, rows)
            yield f"{result} {head} {name}({left}, {right}, {result});"


def _vector(scalar: str, count: int) -> str:
    return scalar if count == 1 else f"{scalar}{count}"
