"""Values of `.ze_info`, and what files say, as one line of text."""

from __future__ import annotations

from zebin.yaml import nodes


def printable(text: str) -> str:
    """The text with control characters escaped: what a file says must not command a terminal."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def inline(node: nodes.Node) -> str:
    """A value of any kind on one line."""
    match node:
        case nodes.Scalar(text):
            return text
        case nodes.Sequence(items):
            return f"[{', '.join(inline(item) for item in items)}]"
        case nodes.Mapping(entries):
            return f"{{{', '.join(f'{key}: {inline(value)}' for key, value in entries.items())}}}"
