"""Pieces of HTML, of which objects make the displays that notebooks show (`_repr_html_`)."""

from xegpu.markup.html import figures, folded, heading, listing, table

__all__ = ["figures", "folded", "heading", "listing", "table"]
