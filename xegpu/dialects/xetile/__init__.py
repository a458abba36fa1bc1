"""The XeTile dialect: tiles of memory and 2-D vectors of any size, for subgroups and for work groups.

A tile with a `wg_map` belongs to a work group, whose subgroups share it as the map says; without one it belongs to a
subgroup. Sizes are not bound to those of the hardware: lowering to `xegpu` cuts tiles and vectors into blocks.
"""

from xdsl.ir import Dialect

from xegpu.dialects.xegpu.atomic_kind import AtomicKind as AtomicKind
from xegpu.dialects.xegpu.generations.names import spelling
from xegpu.dialects.xetile.attributes import (
    CacheHintAttr as CacheHintAttr,
    SgMapAttr as SgMapAttr,
    TileAttr as TileAttr,
    WgMapAttr as WgMapAttr,
)
from xegpu.dialects.xetile.block_ops import (
    LoadTileOp as LoadTileOp,
    PrefetchTileOp as PrefetchTileOp,
    StoreTileOp as StoreTileOp,
)
from xegpu.dialects.xetile.gather_ops import AtomicRMWOp as AtomicRMWOp, LoadOp as LoadOp, StoreOp as StoreOp
from xegpu.dialects.xetile.init_tile import InitTileOp as InitTileOp
from xegpu.dialects.xetile.obsolete import OBSOLETE_OPS, XeMapAttr
from xegpu.dialects.xetile.types import PLAIN as PLAIN, TileType as TileType, tile_type as tile_type
from xegpu.dialects.xetile.update_tile_offset import UpdateTileOffsetOp as UpdateTileOffsetOp
from xegpu.dialects.xetile.vector_ops import (
    BroadcastOp as BroadcastOp,
    ConvertLayoutOp as ConvertLayoutOp,
    ReductionOp as ReductionOp,
    TileMMAOp as TileMMAOp,
    TransposeOp as TransposeOp,
)

XeTile = Dialect(
    "xetile",
    [
        AtomicRMWOp,
        BroadcastOp,
        ConvertLayoutOp,
        InitTileOp,
        LoadOp,
        LoadTileOp,
        PrefetchTileOp,
        ReductionOp,
        StoreOp,
        StoreTileOp,
        TileMMAOp,
        TransposeOp,
        UpdateTileOffsetOp,
        *OBSOLETE_OPS,
        spelling("xetile.load_gather", LoadOp),
        spelling("xetile.store_scatter", StoreOp),
    ],
    [CacheHintAttr, SgMapAttr, TileAttr, TileType, WgMapAttr, XeMapAttr],
)
