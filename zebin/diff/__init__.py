"""The differences in meaning between two ZEBINs. File offsets and unstated defaults do not count."""

from zebin.diff.change import Change
from zebin.diff.files import diff

__all__ = ["Change", "diff"]
