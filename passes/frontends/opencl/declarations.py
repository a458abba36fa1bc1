"""Declarations of functions that some versions of clang's headers lack, for the texts that use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

_BLOCK = re.compile(r"intel_sub_group_2d_block_(read|write|prefetch)(?:_transform|_transpose)?_\d+b_\d+r\d+x\d+c")
_PRODUCT = re.compile(r"intel_sub_group_(bf16|f16|tf32|[iu][48])_(bf16|f16|tf32|[iu][48])_matrix_mad_k(\d+)")
_BARRIER = re.compile(r"intel_work_group_barrier_(?:arrive|wait)")
_MEDIA = re.compile(r"intel_sub_group_media_block_(read|write)_(uc|us|ui|ul)(2|4|8|16)?\b")
_CLOCK = re.compile(r"clock_read_(hilo_)?(?:device|work_group|sub_group)\b")
_BFLOAT = re.compile(
    r"intel_convert_(?:bfloat16(2|3|4|8|16)?_as_ushort|as_bfloat16(2|3|4|8|16)?_float)(?:2|3|4|8|16)?\b"
)
_NAME = re.compile(
    f"{_BLOCK.pattern}|{_PRODUCT.pattern}|{_BARRIER.pattern}|{_MEDIA.pattern}|{_CLOCK.pattern}|{_BFLOAT.pattern}"
)
_SHUFFLE = re.compile(r"intel_sub_group_shuffle(?:_(up|down|xor))?\b")
_LINE = re.compile(r"intel_sub_group_block_(read|write)(?:_(uc|us|ui|ul))?(2|4|8|16)?\b")
_OF_VENDORS = re.compile(f"{_SHUFFLE.pattern}|{_LINE.pattern}")
_ELEMENTS = {"uc": "uchar", "us": "ushort", "ui": "uint", "ul": "ulong", None: "uint"}
_SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double")
_ROWS = (1, 2, 4, 8)


def declarations(text: str, *, has_whole_header: bool) -> str:
    """Returns declarations, in one line, of the functions that a text uses and does not declare itself.

    Clang's whole header has shuffles and blocks of lines; its table of functions has not.
    """
    patterns = [_NAME] if has_whole_header else [_NAME, _OF_VENDORS]
    names = dict.fromkeys(found[0] for pattern in patterns for found in pattern.finditer(text))
    return " ".join(line for name in names if not _declares(text, name) for line in _declared(name))


def _declares(text: str, name: str) -> bool:
    """Says whether a type stands before a name."""
    return any(found[1] != "return" for found in re.finditer(rf"(\w+)[\s)]+{name}\s*\(", text))


def _declared(name: str) -> Iterator[str]:
    head = "__attribute__((overloadable, convergent))"
    if _BARRIER.fullmatch(name):
        yield f"void {head} {name}(uint);"
        yield f"void {head} {name}(uint, memory_scope);"
    elif clock := _CLOCK.fullmatch(name):
        yield f"{'uint2' if clock[1] else 'ulong'} __attribute__((overloadable)) {name}(void);"
    elif bfloat := _BFLOAT.fullmatch(name):
        count = bfloat[1] or bfloat[2] or ""
        bits, number = f"ushort{count}", f"float{count}"
        result, value = (bits, number) if "_as_ushort" in name else (number, bits)
        yield f"{result} __attribute__((overloadable, const)) {name}({value});"
    elif block := _BLOCK.fullmatch(name):
        memory = "" if block[1] == "prefetch" else ", private void *"
        yield f"void {head} {name}(global void *, int, int, int, int2{memory});"
    elif factors := _PRODUCT.fullmatch(name):
        yield from _of_products(head, name, *factors.groups())
    elif shuffle := _SHUFFLE.fullmatch(name):
        for scalar in _SCALARS:
            for count in (1, 2, 3, 4, 8, 16):
                type = _vector(scalar, count)
                values = f"{type}, {type}" if shuffle[1] in ("up", "down") else type
                yield f"{type} {head} {name}({values}, uint);"
    elif line := _LINE.fullmatch(name):
        element = _ELEMENTS[line[2]]
        type = _vector(element, int(line[3] or 1))
        for space in ("global", "local"):
            if line[1] == "read":
                yield f"{type} {head} {name}({space} const {element} *);"
            else:
                yield f"void {head} {name}({space} {element} *, {type});"
        yield from _of_images(head, name, line[1] == "read", type, "int2")
    elif media := _MEDIA.fullmatch(name):
        type = _vector(_ELEMENTS[media[2]], int(media[3] or 1))
        yield from _of_images(head, name, media[1] == "read", type, "int2, int, int")


_SUMS = {"bf16": ("float", "short"), "f16": ("float", "half"), "tf32": ("float",)}
"""Sums of products by the elements of the factors: bf16 as its bits; others have sums of integers."""
_PACKED = {8: "char", 16: "short", 32: "int"}


def _of_products(head: str, name: str, a: str, b: str, depth: str) -> Iterator[str]:
    """Yields the forms of a product in subgroups of 16 and of 8: a lane has parts of rows of A, and columns of B."""
    k, a_bits, b_bits = int(depth), _bits(a), _bits(b)
    right = _vector("float" if b == "tf32" else "int", k * b_bits // 32)
    for lanes, rows, sum in product((16, 8), _ROWS, _SUMS.get(a, ("int",))):
        part = k * a_bits // lanes
        if a == "tf32":
            left = _vector("float", max(rows * k // lanes, 1))
        elif part in _PACKED:
            left = _vector(_PACKED[part], rows)
        else:
            continue
        total = _vector(sum, rows)
        if sum == "half":
            yield '_Pragma("OPENCL EXTENSION cl_khr_fp16 : enable")'
        yield f"{total} {head} {name}({left}, {right}, {total});"


def _bits(element: str) -> int:
    return int(element.lstrip("abcdefghijklmnopqrstuvwxyz"))


def _of_images(head: str, name: str, reads: bool, type: str, place: str) -> Iterator[str]:
    """Yields the forms of a function that reads or writes a block of an image."""
    for access in ("read_only" if reads else "write_only", "read_write"):
        if reads:
            yield f"{type} {head} {name}({access} image2d_t, {place});"
        else:
            yield f"void {head} {name}({access} image2d_t, {place}, {type});"


def _vector(scalar: str, count: int) -> str:
    return scalar if count == 1 else f"{scalar}{count}"
