"""How lanes share the values of a kernel: what an `sg_map` somewhere means for everything around it."""

from __future__ import annotations

from passes.support.fragments.assignment import Assignment
from passes.support.fragments.ownership import Ownership

__all__ = ["Assignment", "Ownership"]
