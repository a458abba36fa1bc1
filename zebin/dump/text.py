"""Values of `.ze_info`, and what files say, as one line of text."""

from __future__ import annotations

from zebin.yaml import nodes as yaml


def printable(text: str) -> str:
    """The text with control characters escaped: what a file says must not command a terminal."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def inline(node: yaml.Node) -> str:
    """A value of any kind on one line."""
    match node:
        case yaml.Scalar(text):
            return text
        case yaml.Sequence(items):
            return f"[{', '.join(inline(item) for item in items)}]"
        case yaml.Mapping(entries):
            return f"{{{', '.join(f'{key}: {inline(value)}' for key, value in entries.items())}}}"
