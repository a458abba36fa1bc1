"""The pages that hovering shows, of every operation and attribute that can be named."""

from __future__ import annotations

import pytest

from tools.lsp.catalogue import Catalogue
from xegpu.dialects import DIALECTS

XDSL = ("acc", "cf", "complex", "omp", "tensor")
"""Some dialects that xDSL has and we leave as they are."""


@pytest.mark.parametrize("prefix", [*DIALECTS, *XDSL])
def test_everything_has_a_page(prefix: str) -> None:
    catalogue = Catalogue()
    for name in catalogue.operations(prefix):
        page = catalogue.operation_page(name)
        op = catalogue.operation(name)
        assert page is None if op is None else page is not None and page.startswith(f"### `{op.name}`")
        catalogue.defines_symbol(name)
    for mark in "#!":
        for name in catalogue.attributes(prefix, mark):
            page = catalogue.attribute_page(name, mark)
            assert page is not None
            assert page.startswith(f"### `{mark}{name}`")


def test_unknown_names() -> None:
    catalogue = Catalogue()
    assert catalogue.operation_page("xegpu.nothing") is None
    assert catalogue.operation_page("nothing.at_all") is None
    assert catalogue.attribute_page("xegpu.layout", "!") is None
    assert catalogue.values("xegpu.layout") == []
