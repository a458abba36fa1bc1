"""Distribution of the values of a kernel over the lanes of a subgroup, as implied by the `sg_map`s in it."""

from passes.support.fragments.assignment import Assignment as Assignment
from passes.support.fragments.ownership import Ownership as Ownership
