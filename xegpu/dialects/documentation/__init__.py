"""Operations, types and attributes in words: Markdown from the definitions and their doc strings."""

from __future__ import annotations

from xegpu.dialects.documentation.attributes import attribute_lines
from xegpu.dialects.documentation.constraints import sigil
from xegpu.dialects.documentation.descriptions import describe_attribute, describe_op
from xegpu.dialects.documentation.markdown import anchor, code, table
from xegpu.dialects.documentation.operations import form_of, heading, operation, signature

__all__ = [
    "anchor",
    "attribute_lines",
    "code",
    "describe_attribute",
    "describe_op",
    "form_of",
    "heading",
    "operation",
    "sigil",
    "signature",
    "table",
]
