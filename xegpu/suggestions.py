"""Suggestions for misspelt words."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def suggestion(word: str, known: Iterable[str]) -> str:
    """Returns `; did you mean 'WORD'?` for the known word that is most alike; empty if none is."""
    found = get_close_matches(word, list(known), 1)
    return f"; did you mean '{found[0]}'?" if found else ""
