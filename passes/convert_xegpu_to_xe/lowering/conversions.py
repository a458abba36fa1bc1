"""Conversions of numbers between forms: constants, elements for the subgroup, and elements for each lane."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import element_count


class LaneConversions:
    """Gives numbers the form that an operation needs them in; `lanes` are those of the kernel."""

    def __init__(self, emit: XeEmitter, lanes: int):
        self.emit = emit
        self.lanes = lanes

    def in_registers(self, value: Number, type: Attribute, lanes: int) -> Elements:
        """Returns the elements of a value of a type, once or for each of the kernel's lanes."""
        if isinstance(value, Elements) and value.lanes == lanes:
            return value
        assert isinstance(value, UniformConstant) or value.lanes < lanes
        if lanes == 1:
            return self.emit.alu("mov", value.type, [value], element_count(type))
        return self._spread(value, type)

    def in_lanes(self, value: Number, type: Attribute, lanes: int) -> Number:
        """Returns the value as `in_registers` does, except that a constant stays one."""
        return value if isinstance(value, UniformConstant) else self.in_registers(value, type, lanes)

    def by_channel(self, value: Number, type: Attribute, lanes: int) -> Number:
        """Returns the value as `in_lanes` does, except that a uniform scalar stays one: all channels can read it."""
        scalar = isinstance(value, Elements) and value.count == 1
        return value if scalar else self.in_lanes(value, type, lanes)

    def _spread(self, value: Number, type: Attribute) -> Elements:
        """Returns a uniform value as a divergent one: element [f][e] is repeated for every lane."""
        if isinstance(value, UniformConstant):
            count = element_count(type) * self.lanes
            spread = self.emit.alu("mov", value.type, [value], count)
        elif value.count == 1 and element_count(type) == 1:
            spread = self.emit.alu("mov", value.type, [value], self.lanes)
        else:
            register = self.emit.undefined(value.count * self.lanes * value.type.size)
            moves = [(place, index) for place, index, _ in self._places(type)]
            register = self.emit.copy(register, value, moves, value.type)
            spread = Elements(register, value.type, value.count * self.lanes)
        return Elements(spread.register, spread.type, spread.count, spread.offset, self.lanes)

    def repeat(self, value: Elements, type: Attribute) -> Elements:
        """Repeats a divergent scalar, the condition of a choice, in every element of a divergent vector of a type."""
        count = element_count(type) * self.lanes
        moves = sorted((place, lane) for place, _, lane in self._places(type))
        register = self.emit.copy(self.emit.undefined(count * value.type.size), value, moves, value.type)
        return Elements(register, value.type, count, 0, self.lanes)

    def _places(self, type: Attribute) -> Iterator[tuple[int, int, int]]:
        """Yields (place, index, lane) for each element of a value of a type in each lane."""
        inner = inner_elements(type)
        for index in range(element_count(type)):
            for lane in range(self.lanes):
                yield (index // inner * self.lanes + lane) * inner + index % inner, index, lane


def inner_elements(type: Attribute) -> int:
    """Returns the number of elements in a lane's box: the innermost dimension of a fragment."""
    return int(type.get_shape()[-1]) if isinstance(type, VectorType) and len(type.get_shape()) > 1 else 1
