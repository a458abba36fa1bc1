"""The XeTile dialect: tiles of memory and 2-D vectors of any size, for subgroups and for work groups.

A tile with a `wg_map` belongs to a work group, whose subgroups share it as the map says; without one it belongs to a
subgroup. Sizes are not bound to those of the hardware: lowering to `xegpu` cuts tiles and vectors into blocks.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from xegpu.dialects.xegpu.atomic_kind import AtomicKind
from xegpu.dialects.xegpu.generations.spellings import spelling
from xegpu.dialects.xetile.attributes import CacheHintAttr, SgMapAttr, TileAttr, WgMapAttr
from xegpu.dialects.xetile.block_ops import LoadTileOp, PrefetchTileOp, StoreTileOp
from xegpu.dialects.xetile.gather_ops import AtomicRMWOp, LoadOp, StoreOp
from xegpu.dialects.xetile.init_tile import InitTileOp
from xegpu.dialects.xetile.obsolete import OBSOLETE_OPS, XeMapAttr
from xegpu.dialects.xetile.types import PLAIN, TileType, tile_type
from xegpu.dialects.xetile.update_tile_offset import UpdateTileOffsetOp
from xegpu.dialects.xetile.vector_ops import BroadcastOp, ConvertLayoutOp, ReductionOp, TileMMAOp, TransposeOp

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

__all__ = [
    "PLAIN",
    "AtomicKind",
    "AtomicRMWOp",
    "BroadcastOp",
    "CacheHintAttr",
    "ConvertLayoutOp",
    "InitTileOp",
    "LoadOp",
    "LoadTileOp",
    "PrefetchTileOp",
    "ReductionOp",
    "SgMapAttr",
    "StoreOp",
    "StoreTileOp",
    "TileAttr",
    "TileMMAOp",
    "TileType",
    "TransposeOp",
    "UpdateTileOffsetOp",
    "WgMapAttr",
    "XeTile",
    "tile_type",
]
