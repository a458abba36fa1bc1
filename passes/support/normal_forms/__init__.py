"""Normal forms that host and device code share: operations written with fewer, simpler ones before they are lowered.

The host (`runtime.host`) and the device (`convert-xegpu-to-xe`) lower the same dialects. The meaning of an operation
that is a composition of others is stated here once; each side lowers the rest, and keeps the operations that it has an
instruction of its own for.
"""

from passes.support.normal_forms import arith, gpu, math, memref, vector
from passes.support.normal_forms.element_moves import (
    ELEMENT_MOVES as ELEMENT_MOVES,
    Origin as Origin,
    Origins as Origins,
    Shape as Shape,
    inserted as inserted,
    integers as integers,
    origins as origins,
    ravel as ravel,
    shape_of as shape_of,
    unravel as unravel,
)
from passes.support.normal_forms.index import INDEX as INDEX
from passes.support.normal_forms.loops import SignedBounds as SignedBounds
from passes.support.normal_forms.parallel_loops import ParallelLoops as ParallelLoops
from passes.support.normal_forms.rewriting import EXPANSIONS as EXPANSIONS, expand as expand
from passes.support.normal_forms.strided_views import (
    StridedView as StridedView,
    collapsed as collapsed,
    expanded as expanded,
    groups_of as groups_of,
    kept_dimensions as kept_dimensions,
    mixed as mixed,
    row_major as row_major,
    subview as subview,
)

assert arith and gpu and math and memref and vector, "importing them registers expansions"
