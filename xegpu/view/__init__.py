"""Pictures of layouts: which lane, or which subgroup, has which element of a tile."""

from __future__ import annotations

from xegpu.view.html import MAX_BOXES, page
from xegpu.view.layout import LayoutPicture, OwnedBox, layout_of, layouts_in, types_in

__all__ = ["MAX_BOXES", "LayoutPicture", "OwnedBox", "layout_of", "layouts_in", "page", "types_in"]
