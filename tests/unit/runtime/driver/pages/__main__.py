"""Prints a page: `python -m tests.unit.runtime.driver.pages functions`, or `structures`."""

from __future__ import annotations

import sys

from tests.unit.runtime.driver.pages import functions, structures

print({"functions": functions.page, "structures": structures.page}[sys.argv[1]](), end="")
