"""The trip count of a loop, as lowering knows it, for the cost model."""

from __future__ import annotations

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from xegpu.isa.cost import TripCount

_DEFAULTS = {"argument": None, "scale": 0, "offset": 0, "step": 1}


@irdl_attr_definition
class TripCountAttr(Data[TripCount]):
    """`#xe.trip_count<argument = 3, scale = 2, offset = -5, step = 16>`: (2 x argument 3 - 5) / 16, rounded up.

    Without an argument the count is a constant: `#xe.trip_count<offset = 64>`.
    """

    name = "xe.trip_count"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TripCount:
        numbers: dict[str, int] = {}
        start = parser.pos

        def entry() -> None:
            position = parser.pos
            key = parser.parse_identifier(context_msg="a field of a trip count")
            if key not in _DEFAULTS:
                parser.raise_error(f"unknown field '{key}', expected one of {', '.join(_DEFAULTS)}", position)
            parser.parse_punctuation("=")
            position = parser.pos
            numbers[key] = parser.parse_integer()
            if (key == "step" and numbers[key] < 1) or (key == "argument" and numbers[key] < 0):
                parser.raise_error(f"{key} {numbers[key]}, expected at least {int(key == 'step')}", position)

        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, entry)
        if ("argument" in numbers) != ("scale" in numbers):
            parser.raise_error("an argument and its scale go together", start)
        return TripCount(
            numbers.get("offset", 0), numbers.get("step", 1), numbers.get("argument"), numbers.get("scale", 0)
        )

    def print_parameter(self, printer: Printer) -> None:
        fields = {name: getattr(self.data, name) for name in _DEFAULTS}
        texts = [f"{name} = {value}" for name, value in fields.items() if value != _DEFAULTS[name]]
        with printer.in_angle_brackets():
            printer.print_string(", ".join(texts or ["offset = 0"]))
