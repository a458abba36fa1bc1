"""The libraries in C: their sources, generated and by hand, and how they are compiled."""

from runtime.driver.library.build import (
    DriverBuildError as DriverBuildError,
    LibraryKind as LibraryKind,
    build as build,
)
from runtime.driver.library.stubs import stubs as stubs
