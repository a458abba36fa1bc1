"""`dlti`: data layouts in the form of LLVM 19, `#dlti.dl_entry<index, 32 : i32>`, beside today's, `index = 32 : i32`.

xDSL reads today's form only, which is also what is printed.

https://mlir.llvm.org/docs/Dialects/DLTIDialect/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import dlti as base
from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.parser import AttrParser

from xegpu.mlir import extend


def _parse_entry(parser: AttrParser) -> base.DataLayoutEntryAttr:
    """Parses `key = value`, `key : value`, or an entry as an attribute of its own."""
    key = parser.parse_attribute()
    if isinstance(key, base.DataLayoutEntryAttr):
        return key
    if parser.parse_optional_punctuation(":") is None:
        parser.parse_punctuation("=")
    return base.DataLayoutEntryAttr.new((key, parser.parse_attribute()))


def _reading(kind: type[base.DLTIEntryMap]) -> type[Attribute]:
    """Returns the class that is registered so that the name of `kind` is read in both forms."""

    def parse_parameters(parser: AttrParser) -> Sequence[Attribute]:
        return [ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: _parse_entry(parser)))]

    members = {
        "name": kind.name,
        "parse_parameters": staticmethod(parse_parameters),
        "new": staticmethod(kind.new),
        "__doc__": f'`#{kind.name}<"key" = 32 : i32>`: entries with `=`, or `:` in older texts.',
    }
    result = type(f"{kind.__name__}Form", (ParametrizedAttribute,), members)
    assert issubclass(result, ParametrizedAttribute)
    return result


def _entry() -> type[Attribute]:
    """Returns the class that reads `#dlti.dl_entry<key, value>`."""

    def parse_parameters(parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            key = parser.parse_attribute()
            parser.parse_punctuation(",")
            return [key, parser.parse_attribute()]

    kind = base.DataLayoutEntryAttr
    members = {
        "name": kind.name,
        "parse_parameters": staticmethod(parse_parameters),
        "new": staticmethod(kind.new),
        "__doc__": '`#dlti.dl_entry<"key", 32 : i32>`: an entry that is an attribute of its own, as in LLVM 19.',
    }
    result = type("DataLayoutEntryForm", (ParametrizedAttribute,), members)
    assert issubclass(result, ParametrizedAttribute)
    return result


_MAPS = [kind for kind in base.DLTI.attributes if issubclass(kind, base.DLTIEntryMap)]
DLTI = extend(base.DLTI, [_entry(), *map(_reading, _MAPS)])
