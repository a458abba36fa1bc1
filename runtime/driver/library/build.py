"""Compiles the libraries: the driver, and the stand-in for the loader.

They are kept in the user's cache directory under a key of everything that they are made of: the sources, the Python
that compiled them, and the compiler. The compiler is `CC`, the system's, or that of the package `ziglang`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from runtime.driver.abi import signatures
from runtime.driver.library.stubs import stubs
from runtime.private_files import open_private, private_directory, write_private
from xegpu.python_children import module_command


class DriverBuildError(Exception):
    """A library that cannot be compiled, and why."""


class LibraryKind(Enum):
    """The libraries, by their file names."""

    DRIVER = "libze_xegpu.so"
    STAND_IN = "libze_loader.so.1"


@dataclass(frozen=True)
class _Python:
    """The Python that a program without one of its own gets."""

    library: Path
    program: str
    version: str
    packages: tuple[str, ...]


_SOURCES = Path(__file__).parent

_COMPILERS = ("cc", "gcc", "clang")

_FLAGS = ("-std=gnu11", "-O2", "-Wall", "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-z,nodelete", "-Wl,-Bsymbolic")
"""The loader closes drivers, but Python cannot be unloaded; and calls within the library stay there."""


def _python() -> _Python:
    """Returns the Python that runs this.

    Raises:
        DriverBuildError: It has no shared library, which a C program could load.
    """
    folder, name = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
    library = Path(str(folder), str(name))
    if not sysconfig.get_config_var("Py_ENABLE_SHARED") or not library.exists():
        raise DriverBuildError(
            f"{sys.executable} has no shared library ({library}), which programs in C need; "
            "use a Python that was configured with --enable-shared"
        )
    root = str(_SOURCES.parents[2])
    packages = dict.fromkeys((root, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    return _Python(library, sys.executable, f"{sys.version_info[0]}, {sys.version_info[1]}", tuple(packages))


def compiler(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Returns the command of a C compiler.

    Raises:
        DriverBuildError: There is none.
    """
    if environment.get("CC"):
        return shlex.split(environment["CC"])
    for name in _COMPILERS:
        found = shutil.which(name)
        if found is not None:
            return [found]
    if importlib.util.find_spec("ziglang") is not None:
        return [*module_command("ziglang"), "cc"]
    raise DriverBuildError("there is no C compiler: install one (cc), or `pip install ziglang`")


def _quoted(text: str) -> str:
    """Returns a text as a literal of C."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _definitions(kind: LibraryKind, python: _Python) -> str:
    newest = max(signature.since for signature in signatures().values())
    lines = [
        f"#define PYTHON_LIBRARY {_quoted(str(python.library))}",
        f"#define PYTHON_PROGRAM {_quoted(python.program)}",
        f"#define PACKAGES {_quoted(', '.join(map(repr, python.packages)) + ',')}",
        f"#define VERSION {_quoted(python.version)}",
        f"#define NEWEST_VERSION {newest:#x}",
    ]
    if kind is LibraryKind.STAND_IN:
        lines.append("#define STAND_IN")
    return "\n".join(lines) + "\n"


def _cache_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Returns the folder that libraries are kept in: that of `XEGPU_CACHE_DIR`, or one of the user's cache directory.

    Raises:
        DriverBuildError: Nothing is to be kept.
    """
    named = environment.get("XEGPU_CACHE_DIR")
    if named == "":
        raise DriverBuildError("XEGPU_CACHE_DIR is empty, so nothing is kept: name a file with `build --output`")
    try:
        folder = named or Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache", "xegpu-toolkit")
        return Path(folder).expanduser() / "driver"
    except RuntimeError as error:
        message = f"no folder keeps the library: {error}; name one by XEGPU_CACHE_DIR, or a file with `build --output`"
        raise DriverBuildError(message) from None


def build(kind: LibraryKind, output: Path | None = None) -> Path:
    """Returns the path of a library, which is compiled unless it is in the cache.

    Args:
        kind: The library.
        output: The file for it; by default one in the cache.

    Raises:
        DriverBuildError: There is no compiler or no shared library of Python, or compiling fails.
    """
    python, command = _python(), compiler()
    sources = {
        "definitions.h": _definitions(kind, python),
        "stubs.c": stubs(),
        **{name: (_SOURCES / name).read_text("utf-8") for name in ("shim.c", "loader.c")},
    }
    if output is not None:
        return _compile(kind, command, sources, output)
    key = hashlib.sha256(repr((sorted(sources.items()), command, _FLAGS)).encode()).hexdigest()[:24]
    kept = _cache_directory() / key / kind.value
    return kept if _is_trusted(kept) else _compile(kind, command, sources, kept, is_kept=True)


def _is_trusted(kept: Path) -> bool:
    """Returns whether there is a library, which programs will run, and nobody but the user can have written it."""
    try:
        private_directory(kept.parent.parent)
        file = open_private(kept)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise DriverBuildError(f"{kept} is not to be trusted: {error}") from error
    if file is not None:
        file.close()
    return file is not None


def _link(target: Path) -> None:
    """Gives the stand-in the name without a version, too, by which some programs open it."""
    link = target.with_suffix("")
    link.unlink(missing_ok=True)
    link.symlink_to(target.name)


def _compile(
    kind: LibraryKind, command: Sequence[str], sources: Mapping[str, str], target: Path, *, is_kept: bool = False
) -> Path:
    """Compiles a library and returns its path; one that `is_kept` for later processes is the user's alone."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources.items():
            Path(folder, name).write_text(text, "utf-8")
        made = Path(folder, target.name)
        line = [*command, *_FLAGS, "-include", "definitions.h", f"-Wl,-soname,{kind.value}", "-o", made.name, "shim.c"]
        result = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
        if result.returncode:
            raise DriverBuildError(f"{shlex.join(line)} failed:\n{result.stderr.strip()}")
        try:
            if is_kept:
                write_private(target, made.read_bytes())
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                unfinished = target.with_suffix(f".{os.getpid()}")
                shutil.copyfile(made, unfinished)
                unfinished.replace(target)  # programs may run the one that is there
            if target.name == LibraryKind.STAND_IN.value:
                _link(target)
        except OSError as error:
            raise DriverBuildError(f"{target} cannot be written: {error}") from error
    return target
