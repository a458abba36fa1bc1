"""Types of images and samplers in LLVM IR of clang 15, which has pointers to structures where later ones have types."""

from __future__ import annotations

import re

_DIMENSIONS = {"1d": 0, "2d": 1, "3d": 2, "1d_buffer": 5}
_ACCESSES = ("ro", "wo", "rw")
_IMAGE = re.compile(
    rf"%opencl\.image(?P<shape>{'|'.join(sorted(_DIMENSIONS, reverse=True, key=len))})(?P<array>_array)?"
    rf"(?P<samples>_msaa)?(?P<depth>_depth)?_(?P<access>{'|'.join(_ACCESSES)})_t(?:\.\d+)? addrspace\(1\)\*"
)
_SAMPLER = re.compile(r"%opencl\.sampler_t(?:\.\d+)? addrspace\(2\)\*")


def with_types(text: str) -> str:
    """Returns a module in whose text images and samplers have types of their own, as since clang 16."""
    if "%opencl." not in text:
        return text
    return _SAMPLER.sub('target("spirv.Sampler")', _IMAGE.sub(_type, text))


def _type(found: re.Match[str]) -> str:
    flags = [int(found[name] is not None) for name in ("depth", "array", "samples")]
    numbers = (_DIMENSIONS[found["shape"]], *flags, 0, 0, _ACCESSES.index(found["access"]))
    return f'target("spirv.Image", void, {", ".join(map(str, numbers))})'
