"""Pieces of HTML are well formed and escape what they show."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from xegpu.markup import figures, folded, heading, listing, table

HOSTILE = "</pre><script>alert('1 & 2')</script>"


@pytest.mark.parametrize(
    "html",
    [
        heading(HOSTILE),
        listing(HOSTILE),
        table([HOSTILE], [[HOSTILE]], HOSTILE),
        table([], [], HOSTILE),
        figures({HOSTILE: HOSTILE}),
        folded(HOSTILE, listing(HOSTILE)),
    ],
)
def test_text_is_escaped(html: str) -> None:
    tree = ElementTree.fromstring(f"<div>{html}</div>")
    assert not list(tree.iter("script"))
    assert HOSTILE in "".join(tree.itertext())


def test_columns_of_numbers_are_aligned_to_the_right() -> None:
    """A column with anything else in it is text."""
    rows = [("a", 1, 0.25, "7.5%", "1"), ("b", 20, 1e9, "100.0%", "none")]
    tree = ElementTree.fromstring(table(("name", "count", "ratio", "share", "mixed"), rows))
    for cells in (tree.findall("thead/tr/th"), *(row.findall("td") for row in tree.findall("tbody/tr"))):
        assert ["style" in cell.attrib for cell in cells] == [True, False, False, False, True]
    assert [cell.text for cell in tree.findall("tbody/tr/td")][2::5] == ["0.25", "1e+09"]


def test_a_table_without_rows_says_so() -> None:
    assert table(("a",), []) == "<p>none</p>"
    assert table(("a",), [], "Arguments") == "<p>Arguments: none</p>"
