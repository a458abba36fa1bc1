"""Operations, types and attributes in words: Markdown from the definitions and their doc strings."""

from xegpu.dialects.documentation.attributes import attribute_lines as attribute_lines
from xegpu.dialects.documentation.constraints import sigil as sigil
from xegpu.dialects.documentation.descriptions import (
    describe_attribute as describe_attribute,
    describe_op as describe_op,
)
from xegpu.dialects.documentation.markdown import anchor as anchor, code as code, table as table
from xegpu.dialects.documentation.operations import (
    form_of as form_of,
    heading as heading,
    operation as operation,
    signature as signature,
)
