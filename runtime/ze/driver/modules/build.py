"""Building modules: logs, flags, and the compilation of MLIR text to a ZEBIN."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, ParamSpec, TypeVar

from runtime.ze.driver.handle import Handle
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.on_demand import imports_on_demand
from xegpu.targets import Target

with imports_on_demand(globals()):  # loading binaries needs no compiler
    import runtime.mux as mux

P = ParamSpec("P")
T = TypeVar("T")


class ModuleBuildLog(Handle):
    """The warnings and errors of a build, whether it failed or not."""

    noun: ClassVar[str] = "module build log"

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class ModuleBuildError(ZeError):
    """A build that failed; `build_log` has its messages."""

    def __init__(self, result: ze_result_t, text: str) -> None:
        super().__init__(result, text)
        self.build_log = ModuleBuildLog(text)


_KNOWN_FLAG = re.compile(
    r"-ze-opt-disable|-ze-opt-level(=O?[0-3])?|-ze-opt-greater-than-4GB-buffer-required|-ze-opt-large-register-file|"
    r"-ze-opt-has-buffer-offset-arg|-ze-intel-\S+|-ze-exp-\S+|-ze-take-global-address|-library-compilation|"
    r"-vc-codegen|-disable-finalizer-msg|-doubleGRF|-Xfinalizer|"
    r"-xegpu-compiler=(xegpu|igc)|-ze-kernel-debug-enable|-g|-ze-fp\S+|-cl-\S+|-zet-profile-flags(=(0x)?[0-9a-fA-F]+)?|-(w|W\S*|[DIUO]\S*)"
)

_PROFILE = "-zet-profile-flags"

REGISTER_REALLOCATION, FREE_REGISTER_INFO = 1, 2
PROFILE_FLAGS = REGISTER_REALLOCATION | FREE_REGISTER_INFO
"""The data for tools that can be asked for, as bits of `-zet-profile-flags`."""

_NUMBER = re.compile(r"(0x)?[0-9a-fA-F]+")

_WITH_VALUE = {
    "-ze-opt-level": _NUMBER,
    _PROFILE: _NUMBER,
    "-Xfinalizer": re.compile(r".+"),
    **dict.fromkeys(("-D", "-I", "-U"), re.compile(r"\S+")),
}
"""The flags whose value is the next word, and that."""


_PROFILE_VALUE = re.compile(r"-zet-profile-flags[= ]\s*(?:0x)?([0-9a-fA-F]+)(?!\S)")


def profile_flags(text: str | None) -> int:
    """Returns the data for tools that `-zet-profile-flags` asks for, as bits; 0 without that flag.

    Raises:
        ModuleBuildError: There is no such data.
    """
    found = 0
    for number in _PROFILE_VALUE.findall(text or ""):
        found |= int(number, 16)
    if found & ~PROFILE_FLAGS:
        raise _refused(f"build flag '-zet-profile-flags' has {found:#x}, expected bits of {PROFILE_FLAGS:#x}")
    return found


_LARGE = "-ze-opt-large-register-file"
_ALSO_LARGE = "-doubleGRF"
"""The flag of the compiler of vector compute that means the same."""

_UNOPTIMISED = re.compile(r"-ze-opt-disable|-cl-opt-disable|-ze-opt-level(=O?| )0")

_EFFECTIVE = re.compile(rf"{_LARGE}|{_ALSO_LARGE}|{_PROFILE}.*|{_UNOPTIMISED.pattern}")
"""The flags, with their values, that change what is built."""


def code_options(flags: Sequence[str | None], target: Target) -> mux.CodeOptions:
    """Returns the choices about code that the flags of modules make, which become one: what one asks for holds for all.

    Threads have the most registers if flags ask for that, and as many as kernels need otherwise.
    """
    asked = {flag for text in flags for flag in _flags(text or "")}
    is_large = not asked.isdisjoint((_LARGE, _ALSO_LARGE))
    is_optimised = not any(map(_UNOPTIMISED.fullmatch, asked))
    return mux.CodeOptions(max(target.platform.grf_counts) if is_large else 0, is_optimised)


def _flags(text: str) -> Iterator[str]:
    """Yields the flags, each with its value; quotes hold words together where they are in pairs."""
    try:
        words = iter(shlex.split(text))
    except ValueError:
        words = iter(text.split())
    for flag in words:
        yield f"{flag} {next(words, '')}" if flag in _WITH_VALUE else flag


def check_build_flags(text: str) -> list[str]:
    """Returns warnings about flags that are known and have no effect.

    Raises:
        ModuleBuildError: A flag is unknown.
    """
    return _warnings(_flags(text))


def _warnings(flags: Iterable[str]) -> list[str]:
    """Returns warnings about flags without effect, each with its value. Raises `ModuleBuildError` for unknown ones."""
    warnings = []
    for flag in flags:
        name, _, value = flag.partition(" ")
        if not _KNOWN_FLAG.fullmatch(name):
            raise _refused(f"unknown build flag '{name}'")
        if name in _WITH_VALUE and not _WITH_VALUE[name].fullmatch(value):
            raise _refused(f"build flag '{name}' needs a {'number' if _WITH_VALUE[name] is _NUMBER else 'value'}")
        if not _EFFECTIVE.fullmatch(flag):
            warnings.append(f"warning: build flag '{flag}' has no effect")
    return warnings


def _refused(why: str) -> ModuleBuildError:
    return ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, f"error: {why}")


_IGC = "-xegpu-compiler=igc"
"""The flag that asks for native code by Intel's compiler."""

_IGC_OPTIONS = {
    **dict.fromkeys(("-ze-opt-disable", "-ze-opt-level 0", "-ze-opt-level=0", "-ze-opt-level=O0"), "-cl-opt-disable"),
    _LARGE: "-cl-intel-256-GRF-per-thread",
    "-ze-intel-enable-auto-large-GRF-mode": "-cl-intel-enable-auto-large-GRF-mode",
    "-ze-opt-greater-than-4GB-buffer-required": "-cl-intel-greater-than-4GB-buffer-required",
    **{flag: flag for flag in ("-vc-codegen", _ALSO_LARGE)},
}
"""Flags of modules as options of Intel's compiler."""


def wants_igc(flags: str | None) -> bool:
    """Returns whether flags ask for Intel's compiler."""
    return _IGC in (flags or "").split()


def compile_igc(data: bytes, flags: str, target: Target) -> tuple[bytes, list[str]]:
    """Compiles SPIR-V with Intel's compiler; returns the ZEBIN, and warnings, also about flags without effect.

    Raises:
        ModuleBuildError: A flag is unknown, or the module is refused; the log has the messages.
    """
    given = [flag for flag in _flags(flags) if flag != _IGC]
    options = [_IGC_OPTIONS.get(flag, flag) for flag in given if flag in _IGC_OPTIONS or flag.startswith("-cl-")]
    warnings = _warnings(flag for flag in given if _IGC_OPTIONS.get(flag, flag) not in options)
    binary, said = compiled(mux.compile_with_igc_log, data, target.name, "<module>", options)
    return binary, [*warnings, *said]


def compile_text(data: bytes, target: Target, flags: str | None) -> bytes:
    """Compiles MLIR text to a ZEBIN, whose code has the properties that flags ask for.

    Raises:
        ModuleBuildError: The text does not compile; the log has the compiler's message.
    """
    try:
        text = data.removesuffix(b"\0").decode()
    except UnicodeDecodeError as error:
        raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, f"error: no text: {error}") from error
    return compiled(mux.compile_text, text, target.name, "<module>", code_options([flags], target))


def compiled(compile: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Returns the compiler's result for a source. Raises `ModuleBuildError` with its message."""
    try:
        return compile(*args, **kwargs)
    except mux.CompileError as error:
        raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, str(error)) from error
