"""Expectations that many tests share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from runtime import ze


@contextmanager
def fails(result: str, *texts: str) -> Iterator[None]:
    """The block raises `ZeError` with ZE_RESULT_ERROR_`result`, and its text contains each of `texts`."""
    with pytest.raises(ze.ZeError) as caught:
        yield
    assert caught.value.result.name.removeprefix("ZE_RESULT_").removeprefix("ERROR_") == result
    for text in texts:
        assert text in caught.value.text
