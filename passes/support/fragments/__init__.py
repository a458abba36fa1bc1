"""Distribution of the values of a kernel over the lanes of a subgroup, as implied by the `sg_map`s in it."""

from __future__ import annotations

from passes.support.fragments.assignment import Assignment
from passes.support.fragments.ownership import Ownership

__all__ = ["Assignment", "Ownership"]
