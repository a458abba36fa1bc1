"""Options of a compilation: OpenCL's, and those of the compiler for a device (specification: `compiler::Options`)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from runtime.mux.options.device import device_options
from runtime.mux.results import MuxError, Result
from xegpu import targets

Size = tuple[int, int, int]


class OptionsMode(Enum):
    """The step that options are for, with its own result for wrong options (specification: `Options::Mode`)."""

    BUILD = Result.INVALID_BUILD_OPTIONS
    COMPILE = Result.INVALID_COMPILER_OPTIONS
    LINK = Result.INVALID_LINKER_OPTIONS


@dataclass(frozen=True)
class Options:
    """The options of a module.

    Attributes:
        compiler: The words for the compiler of OpenCL C.
        is_optimised: Whether finalisation makes kernels faster beyond what they need to be compiled.
        create_library: Whether linking makes a library, which imports what others define.
        precache_local_sizes: The sizes of work-groups that kernels are compiled for in advance.
        device: The values of the device's own options by their names; empty for those without value.

    """

    compiler: tuple[str, ...] = ()
    is_optimised: bool = True
    create_library: bool = False
    precache_local_sizes: tuple[Size, ...] = ()
    device: Mapping[str, str] = field(default_factory=dict)


_STANDARDS = frozenset({"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CLC++", "CLC++1.0", "CLC++2021"})
_STANDARD = "-cl-std="
_PRECACHE = "-cl-precache-local-sizes="
_SIZES = re.compile(r"\d{1,9},\d{1,9},\d{1,9}(:\d{1,9},\d{1,9},\d{1,9})*")
_FLAGS = frozenset(
    {
        "-cl-denorms-are-zero",
        "-cl-fast-relaxed-math",
        "-cl-finite-math-only",
        "-cl-intel-greater-than-4GB-buffer-required",
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-kernel-arg-info",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
        "-cl-no-subgroup-ifp",
        "-cl-opt-disable",
        "-cl-single-precision-constant",
        "-cl-strict-aliasing",
        "-cl-uniform-work-group-size",
        "-cl-unsafe-math-optimizations",
        "-g",
        "-w",
        "-Werror",
    }
)
"""The options of OpenCL for compilation that are one word."""

_FOR_LINKING = frozenset(
    {
        "-cl-denorms-are-zero",
        "-cl-fast-relaxed-math",
        "-cl-finite-math-only",
        "-cl-no-signed-zeros",
        "-cl-no-signed-zeroes",
        "-cl-no-subgroup-ifp",
        "-cl-unsafe-math-optimizations",
        "-create-library",
        "-enable-link-options",
    }
)
"""The options of OpenCL for linking; those for arithmetic permit what this compiler never does."""

_WITH_TEXT = re.compile(r"-([DI])(.*)", re.DOTALL)


def parse_options(text: str, mode: OptionsMode, gpu: str) -> Options:
    """Returns the options in a text, as programs pass it to OpenCL.

    Args:
        text: Words, of which quotes may hold several together.
        mode: The step that they are for: a build takes those of both others.
        gpu: The GPU, whose compiler has options of its own.

    Raises:
        MuxError: The result of `mode`, with the word that is wrong.
    """
    try:
        words = iter(shlex.split(text))
    except ValueError as error:
        raise MuxError(mode.value, f"options {text!r}: {error}") from error
    options = Options()
    for word in words:
        options = _with(options, word, words, mode, gpu)
    return options


def _with(options: Options, word: str, words: Iterator[str], mode: OptionsMode, gpu: str) -> Options:
    """Returns options with one more, whose value may be the next word."""
    if word.startswith("--"):
        name, value = _of_device(word, words, mode, gpu)
        return replace(options, device={**options.device, name: value})
    if mode is not OptionsMode.COMPILE and word in _FOR_LINKING:
        return replace(options, create_library=True) if word == "-create-library" else options
    if mode is OptionsMode.LINK:
        raise _unknown(word, mode)
    if word in _FLAGS:
        if word == "-cl-opt-disable":
            return replace(options, is_optimised=False)
        return replace(options, compiler=(*options.compiler, word))
    if word.startswith(_STANDARD):
        if word.removeprefix(_STANDARD) not in _STANDARDS:
            raise MuxError(mode.value, f"option '{word}': expected {', '.join(sorted(_STANDARDS))}")
        return replace(options, compiler=(*options.compiler, word))
    if word.startswith(_PRECACHE):
        return replace(options, precache_local_sizes=(*options.precache_local_sizes, *_sizes(word, mode)))
    found = _WITH_TEXT.fullmatch(word)
    if found is None:
        raise _unknown(word, mode)
    value = found[2] or next(words, "")
    if not value:
        raise MuxError(mode.value, f"option '{word}' needs a value")
    return replace(options, compiler=(*options.compiler, f"-{found[1]}{value}"))


def _unknown(word: str, mode: OptionsMode) -> MuxError:
    return MuxError(mode.value, f"unknown option '{word}'")


def _sizes(word: str, mode: OptionsMode) -> Iterator[Size]:
    text = word.removeprefix(_PRECACHE)
    if not _SIZES.fullmatch(text):
        raise MuxError(mode.value, f"option '{word}': expected sizes such as 16,1,1:8,8,1")
    for part in text.split(":"):
        x, y, z = map(int, part.split(","))
        if not x * y * z:
            raise MuxError(mode.value, f"option '{word}': no dimension of a work-group is 0")
        yield x, y, z


def _of_device(word: str, words: Iterator[str], mode: OptionsMode, gpu: str) -> tuple[str, str]:
    """Returns the name and the value of an option of the device's compiler."""
    name, equal, value = word.partition("=")
    known = device_options(targets.get(gpu))
    if name not in known:
        raise _unknown(name, mode)
    values = known[name]
    if values is None:
        if equal:
            raise MuxError(mode.value, f"option '{name}' takes no value")
        return name, ""
    value = value if equal else next(words, "")
    if value not in values:
        raise MuxError(mode.value, f"option '{name}': expected {' or '.join(values)}, got '{value}'")
    return name, value
