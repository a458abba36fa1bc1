"""What distinguishes two ZEBINs in meaning: where things stand in a file, or what is left unsaid, is no difference."""

from zebin.diff.change import Change
from zebin.diff.files import diff

__all__ = ["Change", "diff"]
