"""Pieces of HTML from which objects build their display in notebooks (`_repr_html_`)."""

from xegpu.markup.html import (
    figures as figures,
    folded as folded,
    heading as heading,
    listing as listing,
    table as table,
)
