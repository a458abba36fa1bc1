"""All pages of the folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xegpu.dialects import DIALECTS
from xegpu.dialects.documentation import table

from .page import DialectPage
from .replaced import replaced_page

_INTRODUCTION = """\
<!-- Made by `python docs/dialects/generate.py`. -->
# Dialects

What xegpu-toolkit reads, checks and prints: dialects of its own, and MLIR's dialects, where ours add to what xDSL has.
All other dialects of xDSL (`builtin`, `cf`, ...) can be used as they are; [a table](replaced.md) says why operations of
xDSL are replaced.
"""

_READING = """
The pages are made from the dialects and from the tests of their rules; after a change of either run

```
python docs/dialects/generate.py
```

On each page, an operation has

- its syntax, where it is declared, in the notation of MLIR's own pages: literals in backticks, operands and attributes
  with `$`, `(...)?` for what may be absent, depending on the part that is marked with `^`;
- examples, each of which a test parses, verifies and prints again;
- operands, attributes and results with what their types must be. *float-like* is a float, or a vector or tensor of
  floats; likewise for other element types. Where *any type* stands, the rules say which;
- the errors that break its rules, each with a line that a test refuses with this error. Values belong to that line.
"""


def pages() -> dict[str, str]:
    """Names and texts of the files."""
    found = [DialectPage(prefix) for prefix in sorted(DIALECTS)]
    texts = {f"{page.prefix}.md": _text(page.lines()) for page in found}
    return {"README.md": _text(_index(found)), "replaced.md": _text(replaced_page()), **texts}


def _text(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _index(found: Sequence[DialectPage]) -> Iterator[str]:
    yield _INTRODUCTION.rstrip()
    rows = [(f"[`{page.prefix}`]({page.prefix}.md)", _first_sentence(page.introduction)) for page in found]
    yield from table(("Dialect", "What it is"), rows)
    yield _READING.rstrip()


def _first_sentence(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())
