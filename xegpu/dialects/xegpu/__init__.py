"""The XeGPU dialect, in the form of the RFC and in that of LLVM 22.

Its operations are those of a work-group, a subgroup, or a lane: descriptors of tiles in memory, loads and stores of
what they describe, gathers, matrices in shared local memory, matrix multiplication, named barriers and fences. Tiles
in registers are vectors. In the RFC the type of a descriptor has an `sg_map`, which distributes its tile over lanes,
and the descriptor has the offsets; in LLVM 22 operations have offsets and a `layout`, which distributes a value of any
rank over subgroups and lanes. Each operation is printed in the form in which it was read. What LLVM 19 writes is read,
and printed as the RFC has it; operations for later GPUs are refused by name.

| In the RFC | In LLVM 22 |
|---|---|
| `xegpu.create_nd_tdesc %m[%i, 0]`, `xegpu.load_nd %t` | `xegpu.create_nd_tdesc %m`, `xegpu.load_nd %t[%i, 0]` |
| `xegpu.update_nd_offset %t, [0, 16]` | the next access has other offsets |
| `xegpu.create_tdesc %m, %o`, `xegpu.load %t, %mask` | `xegpu.load %m[%o], %mask` |
| `!xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<...>>` | `<{layout = #xegpu.layout<...>}>` on the access |
| a lane has `vector<8x1xf16>` | a lane has `vector<8xf16>` |
| `xegpu.dpas ... {sg_map_a, sg_map_b, sg_map_c}` | `xegpu.dpas ... {layout_a, layout_b, layout_cd}` |
| `create_nd_tdesc %p[..], [%h, %w], [%ld, 1]` | `create_nd_tdesc %p, shape : [%h, %w], strides : [%ld, 1]` |
| chunks are `[chunk, lanes]`, with `transpose` | chunks are `[lanes, chunk]` |
| gathers from shared local memory | `xegpu.load_matrix`, `xegpu.store_matrix` |
| values of work-groups are XeTile's, with `wg_map` | layouts with `sg_layout`, slices, `xegpu.convert_layout` |
| one block, one product at a time | batches: blocks and products of rank 3 and more (main) |
| sizes of groups count subgroups, or work-items | sizes of groups count work-items |

Where the RFC and LLVM differ about what is valid, this is decided:

* The RFC gives stores no `cached`; LLVM takes it from 19 on, and so it is taken here.
* The RFC wants `transpose` wherever a descriptor has chunks; LLVM 20 and later load `[lanes, chunk]` without it. Both
  are valid, and the attribute says what the shape of the result has to be.
* The RFC lists a chunk of 3 for all elements; LLVM wants chunks of whole dwords, as messages have them, so 3 elements
  of 8 or 16 bits are refused.
* An access without `chunk_size` through a mask of a single `i1` is one element, in every LLVM.

`docs/upstream.md` says more about moving from one to the other.
"""

from xdsl.ir import Dialect

from xegpu.dialects.xegpu.atomic_kind import AtomicKind as AtomicKind
from xegpu.dialects.xegpu.attributes import (
    BlockTensorDescAttr as BlockTensorDescAttr,
    CacheHint as CacheHint,
    CacheHintAttr as CacheHintAttr,
    FenceScope as FenceScope,
    FenceScopeAttr as FenceScopeAttr,
    MemorySpace as MemorySpace,
    MemorySpaceAttr as MemorySpaceAttr,
    RangeAttr as RangeAttr,
    ScatterTensorDescAttr as ScatterTensorDescAttr,
)
from xegpu.dialects.xegpu.distribution import (
    Distribution as Distribution,
    FragmentPosition as FragmentPosition,
    LaneMap as LaneMap,
    Shape2D as Shape2D,
)
from xegpu.dialects.xegpu.generations.names import NEWER_OPS, OTHER_ATTRIBUTES, spelling
from xegpu.dialects.xegpu.lane_maps import (
    LLVM22_LANES as LLVM22_LANES,
    DistributionAttr as DistributionAttr,
    LaneMapAttr as LaneMapAttr,
    LayoutAttr as LayoutAttr,
    SgMapAttr as SgMapAttr,
    SliceAttr as SliceAttr,
)
from xegpu.dialects.xegpu.matrices import MemDescType as MemDescType, MemLayoutAttr as MemLayoutAttr
from xegpu.dialects.xegpu.memory import memory_space_number as memory_space_number, static_strides as static_strides
from xegpu.dialects.xegpu.ops.access import CacheHints as CacheHints
from xegpu.dialects.xegpu.ops.atomic_rmw import AtomicRMWOp as AtomicRMWOp
from xegpu.dialects.xegpu.ops.block_ops import (
    LoadNdOp as LoadNdOp,
    PrefetchNdOp as PrefetchNdOp,
    StoreNdOp as StoreNdOp,
)
from xegpu.dialects.xegpu.ops.convert_layout import ConvertLayoutOp as ConvertLayoutOp
from xegpu.dialects.xegpu.ops.descriptor_ops import (
    CreateNdDescOp as CreateNdDescOp,
    UpdateNdOffsetOp as UpdateNdOffsetOp,
)
from xegpu.dialects.xegpu.ops.detection import is_of_llvm22 as is_of_llvm22
from xegpu.dialects.xegpu.ops.dpas import DpasOp as DpasOp
from xegpu.dialects.xegpu.ops.fragment_ops import CollectOp as CollectOp, DistributeOp as DistributeOp
from xegpu.dialects.xegpu.ops.gather_ops import LoadOp as LoadOp, PrefetchOp as PrefetchOp, StoreOp as StoreOp
from xegpu.dialects.xegpu.ops.matrix_ops import (
    CreateMemDescOp as CreateMemDescOp,
    LoadMatrixOp as LoadMatrixOp,
    StoreMatrixOp as StoreMatrixOp,
)
from xegpu.dialects.xegpu.ops.scatter_descriptor_ops import (
    CreateDescOp as CreateDescOp,
    UpdateOffsetOp as UpdateOffsetOp,
)
from xegpu.dialects.xegpu.ops.synchronization_ops import (
    AllocNbarrierOp as AllocNbarrierOp,
    CompileHintOp as CompileHintOp,
    FenceOp as FenceOp,
    InitNbarrierOp as InitNbarrierOp,
    NbarrierArriveOp as NbarrierArriveOp,
    NbarrierWaitOp as NbarrierWaitOp,
)
from xegpu.dialects.xegpu.ownership import (
    OwnerGrid as OwnerGrid,
    distribution_obstacle as distribution_obstacle,
    instruction_shape as instruction_shape,
    lane_grid as lane_grid,
    subgroup_grid as subgroup_grid,
)
from xegpu.dialects.xegpu.syntax import integers as integers
from xegpu.dialects.xegpu.tdesc_attr import TensorDescAttr as TensorDescAttr
from xegpu.dialects.xegpu.types import (
    NbarrierType as NbarrierType,
    TensorDescType as TensorDescType,
    descriptor_type as descriptor_type,
    element_bits as element_bits,
    is_scalar as is_scalar,
    packing_factor as packing_factor,
)
from xegpu.mlir import definitions, extend

XeGPU = extend(
    Dialect("xegpu"),
    (
        *definitions(vars()),
        spelling("xegpu.load_gather", LoadOp),
        spelling("xegpu.store_scatter", StoreOp),
        *NEWER_OPS,
        *OTHER_ATTRIBUTES,
    ),
)
