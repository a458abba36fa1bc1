"""Prints the page."""

from __future__ import annotations

import sys

from xegpu.isa.document.page import page

if __name__ == "__main__":
    sys.stdout.write(page())
