"""Pictures of layouts: which lane, or which subgroup, has which element of a tile."""

from xegpu.view.html import MAX_BOXES as MAX_BOXES, page as page
from xegpu.view.layout import (
    LayoutPicture as LayoutPicture,
    layout_of as layout_of,
    layouts_in as layouts_in,
    types_in as types_in,
)
