"""Normal forms that host and device code share: operations written with fewer, simpler ones before they are lowered.

The host (`runtime.host`) and the device (`convert-xegpu-to-xe`) lower the same dialects. The meaning of an operation
that is a composition of others is stated here once; each side lowers the rest, and keeps the operations that it has an
instruction of its own for.
"""

from passes.support.normal_forms import arith, index, math, memref, vector
from passes.support.normal_forms.element_moves import (
    ELEMENT_MOVES,
    Origin,
    Origins,
    Shape,
    inserted,
    integers,
    origins,
    ravel,
    shape_of,
    unravel,
)
from passes.support.normal_forms.loops import SignedBounds
from passes.support.normal_forms.parallel_loops import ParallelLoops
from passes.support.normal_forms.rewriting import Expansions, expand
from passes.support.normal_forms.strided_views import (
    StridedView,
    collapsed,
    expanded,
    groups_of,
    kept_dimensions,
    mixed,
    row_major,
    subview,
)

INDEX = index.EXPANSIONS
"""`index` operations as `arith` operations on values of type `index`."""
ALL: Expansions = {
    **INDEX,
    **arith.EXPANSIONS,
    **math.EXPANSIONS,
    **memref.EXPANSIONS,
    **vector.EXPANSIONS,
}
"""Every expansion, by the name of the operation."""

__all__ = [
    "ALL",
    "ELEMENT_MOVES",
    "INDEX",
    "Expansions",
    "Origin",
    "Origins",
    "ParallelLoops",
    "Shape",
    "SignedBounds",
    "StridedView",
    "collapsed",
    "expand",
    "expanded",
    "groups_of",
    "inserted",
    "integers",
    "kept_dimensions",
    "mixed",
    "origins",
    "ravel",
    "row_major",
    "shape_of",
    "subview",
    "unravel",
]
