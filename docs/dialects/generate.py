"""Writes the pages of this folder: `python docs/dialects/generate.py`."""

from __future__ import annotations

from pathlib import Path

from generator.folder import pages

if __name__ == "__main__":
    for name, text in pages().items():
        (Path(__file__).parent / name).write_text(text)
