"""Translates OpenCL C to LLVM IR; clang's messages become errors and warnings with places."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from passes.frontends.opencl.compilers import OLDEST, Compiler, find_compiler, header_folders
from passes.frontends.opencl.declarations import declarations
from passes.frontends.opencl.features import REFUSED, feature_option, macros
from xegpu.diagnostics import CompileError, Severity, diagnose, warn

_FIXED = (
    *("-x", "cl", "-target", "spir64", "-emit-llvm", "-S", "-o", "-"),
    # LLVM's optimisations come later; below -O2, functions and loops are marked as not to be inlined or unrolled.
    *("-O2", "-Xclang", "-disable-llvm-passes"),
    *("-Xclang", feature_option(), "-Xclang", "-finclude-default-header"),
    *(
        "-fno-discard-value-names",
        "-gline-tables-only",
        "-fdebug-compilation-dir=.",
        "-fno-caret-diagnostics",
        "-fno-color-diagnostics",
    ),
)
_STANDARD = "-cl-std="
_DEFAULT_STANDARD = "CL3.0"
_ALLOWED = re.compile(r"-[DUI].+|-[DUI]|-w|-W[\w=-]*|-O[0-3]|-cl-[\w=.+-]+|-g")
_WITH_WORD = frozenset({"-D", "-U", "-I"})
_WITHOUT_EFFECT = frozenset({"-cl-no-subgroup-ifp", "-cl-intel-greater-than-4GB-buffer-required"})
"""Options of drivers that clang does not know: subgroups never rely on each other, and all addresses have 64 bits."""
_WHOLE_HEADER = "-cl-no-stdinc"
"""Clang's table of builtins, which is faster than the header, lacks the functions of vendors."""
_VENDORS = re.compile(r"\b(?:intel_|arm_)")
_MESSAGE = re.compile(r"(.+?):(\d+):(\d+): (fatal error|error|warning): (.*)")
_IGNORED = re.compile(r"unsupported OpenCL extension '(\w+)'.*")
_TIME_LIMIT = 120.0


_closed: ContextVar[bool] = ContextVar("sources include no files", default=False)


@contextmanager
def own_headers_only() -> Iterator[None]:
    """Within the block, sources include and embed no files but the headers that come with the compiler."""
    token = _closed.set(True)
    try:
        yield
    finally:
        _closed.reset(token)


@contextmanager
def _visible_files(compiler: Compiler) -> Iterator[Sequence[str]]:
    """Yields options that restrict the files that the compiler sees, if they are to be restricted.

    It looks all of them up in a file system of its own, whatever way a source finds to name them.
    """
    if not _closed.get():
        yield ()
        return
    roots = [
        {"type": "directory-remap", "name": folder, "external-contents": folder} for folder in header_folders(compiler)
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as overlay:
        json.dump({"version": 0, "redirecting-with": "redirect-only", "roots": roots}, overlay)
        overlay.flush()
        yield ("-ivfsoverlay", overlay.name)


def compile_opencl(
    text: str, filename: str = "<string>", options: Sequence[str] = (), headers: Mapping[str, str] | None = None
) -> str:
    """Returns kernels in OpenCL C as LLVM IR.

    Args:
        text: The source.
        filename: The name of the source in messages, and in the debug information.
        options: Options of clang: `-D`, `-U`, `-I`, `-W`, `-w`, and those that begin with `-cl-`.
        headers: The texts of headers by the names with which the source includes them.

    Raises:
        CompileError: There is no clang, or the source is wrong; it has the messages about all errors.

    """
    if not headers:
        return _translate(text, filename, options)
    with tempfile.TemporaryDirectory() as folder:
        for name, header in headers.items():
            path = Path(folder, name)
            if not name or not path.resolve().is_relative_to(Path(folder).resolve()) or path.is_dir():
                raise CompileError(
                    _place(filename, 1, 1), f"has a header with the name {name!r}, which is no path below a folder"
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(header, errors="surrogatepass")
        return _translate(text, filename, [*options, f"-I{folder}"])


def _translate(text: str, filename: str, options: Sequence[str]) -> str:
    start = _place(filename, 1, 1)
    compiler = find_compiler()
    if compiler is None:
        raise CompileError(
            start,
            f"cannot be compiled: OpenCL C needs clang {OLDEST} or newer on the search path, "
            "or that of `pip install xegpu-toolkit[opencl]`",
        )
    chosen = list(_checked(start, options))
    if not any(option.startswith(_STANDARD) for option in chosen):
        chosen.append(f"{_STANDARD}{_DEFAULT_STANDARD}")
    if _VENDORS.search(text) and compiler.has_whole_header:
        chosen.append(_WHOLE_HEADER)
    name = filename.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    before = (*macros(), declarations(text, has_whole_header=compiler.has_whole_header), f'#line 1 "{name}"')
    whole = "\n".join((*before, text))
    try:
        with _visible_files(compiler) as restrictions:
            result = subprocess.run(
                [*compiler.command, *_FIXED, *chosen, *restrictions, "-"],
                input=whole,
                capture_output=True,
                text=True,
                timeout=_TIME_LIMIT,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired, UnicodeError) as error:
        raise CompileError(start, f"cannot be compiled: {compiler.path}: {error}") from error
    messages = list(_messages(result.stderr))
    for place, kind, reason in messages:
        if kind == "warning":
            warn(place, reason)
    if result.returncode:
        refused = [(place, why) for place, _, reason in messages if (why := _refusal(reason)) is not None]
        wrong = [*refused, *((place, reason) for place, kind, reason in messages if kind != "warning")]
        errors = [diagnose(Severity.ERROR, place, reason) for place, reason in wrong]
        if not errors:
            raise CompileError(start, f"clang failed: {' '.join(result.stderr.split())[:500]}")
        raise CompileError.of(errors)
    return result.stdout


def _refusal(reason: str) -> str | None:
    """Returns why a source that enables an extension has errors, if clang ignores one that kernels do not have."""
    found = _IGNORED.fullmatch(reason)
    about = REFUSED.get(found[1]) if found else None
    return f"enables '{found[1]}': {about} are not supported" if found and about else None


def _checked(start: FileLineColLoc, options: Sequence[str]) -> Iterator[str]:
    """Yields options; refuses those that would make clang do something else."""
    words = iter(options)
    for word in words:
        if not _ALLOWED.fullmatch(word):
            raise CompileError(start, f"option {word!r} is not supported: expected -D, -U, -I, -W, -w, -O, -g or -cl-*")
        if word not in _WITHOUT_EFFECT:
            yield word
        if word in _WITH_WORD:
            yield next(words, "")


def _messages(text: str) -> Iterator[tuple[FileLineColLoc, str, str]]:
    """Yields places, kinds and texts of clang's messages."""
    for line in text.splitlines():
        if match := _MESSAGE.fullmatch(line):
            file, row, column, kind, reason = match.groups()
            yield _place(file, int(row), int(column)), kind, reason


def _place(file: str, line: int, column: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
