"""The order of work-groups in compiled code: `runtime.simulator.machine.group_order`, group after group."""

from __future__ import annotations

from runtime.llvm import IRBlock, IRFunction, Value, integer
from runtime.simulator.jit.state.launch_records import LaunchRecord
from runtime.simulator.jit.state.routines import load_field


class OrderCode:
    """Emits the coordinates of groups in one function: of any group by divisions, of the next one by additions.

    They are variables: the coordinates, and the bounds of the patch, of which `right` and `bottom` are exclusive.
    """

    def __init__(self, code: IRFunction, launch: Value):
        self._code = code
        self._columns, self._rows, self._width, self._height = (
            load_field(code, launch, LaunchRecord, name) for name in ("groups_x", "groups_y", "patch_x", "patch_y")
        )
        self._x, self._y, self._z, self._left, self._right, self._top, self._bottom = (
            code.variable("i64", name, 8) for name in ("x", "y", "z", "left", "right", "top", "bottom")
        )

    @property
    def position(self) -> tuple[Value, Value, Value]:
        """The coordinates of the current group, as i32."""
        code = self._code
        x, y, z = (code.cast("trunc", code.load("i64", each, 8), "i32") for each in (self._x, self._y, self._z))
        return x, y, z

    def go_to(self, number: Value) -> None:
        """Makes a group the current one, given its number in the order."""
        code = self._code

        def divide(value: Value, by: Value) -> tuple[Value, Value]:
            return code.binary("udiv", value, by), code.binary("urem", value, by)

        layer, rest = divide(number, code.binary("mul", self._columns, self._rows))
        strip, rest = divide(rest, code.binary("mul", self._columns, self._height))
        bottom = self._begin_strip(code.binary("mul", strip, self._height))
        height = code.binary("sub", bottom, code.load("i64", self._top, 8))
        patch, rest = divide(rest, code.binary("mul", self._width, height))
        right = self._begin_patch(code.binary("mul", patch, self._width))
        left = code.load("i64", self._left, 8)
        row, column = divide(rest, code.binary("sub", right, left))
        code.store(code.binary("add", left, column), self._x, 8)
        code.store(code.binary("add", code.load("i64", self._top, 8), row), self._y, 8)
        code.store(layer, self._z, 8)

    def go_on(self, then: IRBlock) -> None:
        """Makes the next group the current one, and goes to `then`."""
        code = self._code
        self._step(self._x, self._right, then)
        code.store(code.load("i64", self._left, 8), self._x, 8)
        self._step(self._y, self._bottom, then)
        code.store(code.load("i64", self._top, 8), self._y, 8)
        right = code.load("i64", self._right, 8)
        code.store(right, self._x, 8)
        with code.if_(code.compare("icmp uge", right, self._columns)):
            code.store(integer(0), self._x, 8)
            bottom = code.load("i64", self._bottom, 8)
            code.store(bottom, self._y, 8)
            with code.if_(code.compare("icmp uge", bottom, self._rows)):
                code.store(integer(0), self._y, 8)
                code.store(code.binary("add", code.load("i64", self._z, 8), integer(1)), self._z, 8)
            self._begin_strip(code.load("i64", self._y, 8))
        self._begin_patch(code.load("i64", self._x, 8))
        code.jump(then)

    def _step(self, variable: Value, end: Value, then: IRBlock) -> None:
        """Adds one to a coordinate, and goes to `then` if it is still before its end."""
        code = self._code
        following = code.binary("add", code.load("i64", variable, 8), integer(1))
        code.store(following, variable, 8)
        code.jump_if(code.compare("icmp ult", following, code.load("i64", end, 8)), then)

    def _begin_strip(self, top: Value) -> Value:
        code = self._code
        code.store(top, self._top, 8)
        return self._bound(top, self._height, self._rows, self._bottom)

    def _begin_patch(self, left: Value) -> Value:
        code = self._code
        code.store(left, self._left, 8)
        return self._bound(left, self._width, self._columns, self._right)

    def _bound(self, first: Value, size: Value, end: Value, variable: Value) -> Value:
        code = self._code
        bound = code.call("llvm.umin.i64", "i64", code.binary("add", first, size), end)
        code.store(bound, variable, 8)
        return bound
