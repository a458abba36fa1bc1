"""Pieces of HTML from which objects build their display in notebooks (`_repr_html_`)."""

from xegpu.markup.html import figures, folded, heading, listing, table

__all__ = ["figures", "folded", "heading", "listing", "table"]
