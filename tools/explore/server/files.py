"""The files of the page, which are read once: no address can name another file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "page"
_TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class PageFile:
    """A file of the page."""

    type: str
    data: bytes


def page_files() -> dict[str, PageFile]:
    """Returns the files of the page by their addresses; the empty one is that of the page itself."""
    paths = (path for path in _FOLDER.rglob("*") if path.suffix in _TYPES)
    found = {path.relative_to(_FOLDER).as_posix(): PageFile(_TYPES[path.suffix], path.read_bytes()) for path in paths}
    return {**found, "": found["index.html"]}
