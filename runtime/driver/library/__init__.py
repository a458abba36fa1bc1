"""The libraries in C: their sources, generated and by hand, and how they are compiled."""

from __future__ import annotations

from runtime.driver.library.build import DriverBuildError, LibraryKind, build, compiler
from runtime.driver.library.stubs import stubs

__all__ = ["DriverBuildError", "LibraryKind", "build", "compiler", "stubs"]
