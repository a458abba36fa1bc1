"""Operations on arrays, written for numpy and `dpctl.tensor` alike.

Each takes the module of the arrays and returns one array or several. Names that differ are in `ALIASES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

Operation = Callable[[Any], Any]

ALIASES = {"pow": "power", "concat": "concatenate", "permute_dims": "transpose", "bitwise_invert": "invert"}
"""Names of numpy for names of the array API, where numpy has only its own."""


class Arrays:
    """A module of arrays, and arrays of it with the same values in any."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name, None) or getattr(self.module, ALIASES[name])

    def of(self, values: object, dtype: str) -> Any:
        return self.module.asarray(np.asarray(values, dtype))

    def floats(self, count: int = 37, dtype: str = "f4", low: float = -3, high: float = 3) -> Any:
        return self.of(np.random.default_rng(count).uniform(low, high, count), dtype)

    def whole(self, count: int = 37, dtype: str = "i4", low: int = -50, high: int = 50) -> Any:
        return self.of(np.random.default_rng(count).integers(low, high, count), dtype)

    def matrix(self, rows: int, columns: int, dtype: str = "f4") -> Any:
        values = np.random.default_rng(rows).integers(-4, 5, (rows, columns))
        return self.of(values, dtype)


def _unary() -> dict[str, Operation]:
    anywhere = (
        "abs ceil cos exp expm1 floor isfinite isinf isnan negative positive round sign signbit sin square tan tanh"
    )
    found: dict[str, Operation] = {}
    for name in f"{anywhere} tanh trunc cbrt sinh cosh asinh atan exp2 reciprocal".split():
        found[name] = lambda xp, name=name: getattr(xp, name)(xp.floats())
    for name in ["log", "log1p", "log2", "log10", "sqrt"]:
        found[name] = lambda xp, name=name: getattr(xp, name)(xp.floats(low=0.1, high=9))
    for name in ["acos", "asin", "atanh"]:
        found[name] = lambda xp, name=name: getattr(xp, name)(xp.floats(low=-0.9, high=0.9))
    found["acosh"] = lambda xp: xp.acosh(xp.floats(low=1.1, high=9))
    for name in ["abs", "exp", "log1p", "sin", "sqrt", "square", "tanh"]:
        found[f"{name} f8"] = lambda xp, name=name: getattr(xp, name)(xp.floats(dtype="f8", low=0.1, high=2))
    for name in ["abs", "bitwise_invert", "negative", "sign", "square"]:
        found[f"{name} i4"] = lambda xp, name=name: getattr(xp, name)(xp.whole())
    found["logical_not"] = lambda xp: xp.logical_not(xp.whole(low=-1, high=2))
    for name in ["real", "imag", "conj", "abs"]:
        values = [1 + 2j, -3j, 0.5, -2 + 1j]
        found[f"{name} c8"] = lambda xp, name=name, values=values: getattr(xp, name)(xp.of(values, "c8"))
    return found


def _binary() -> dict[str, Operation]:
    found: dict[str, Operation] = {}
    for name in [
        "add",
        "subtract",
        "multiply",
        "divide",
        "maximum",
        "minimum",
        "hypot",
        "logaddexp",
        "copysign",
        "atan2",
        "remainder",
        "floor_divide",
        "nextafter",
        "equal",
        "not_equal",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
    ]:
        found[name] = lambda xp, name=name: getattr(xp, name)(xp.floats(), xp.floats(37, low=0.5)[::-1])
    found["pow"] = lambda xp: xp.pow(xp.floats(low=0.1), xp.floats()[::-1])
    for name in ["add", "subtract", "multiply", "floor_divide", "remainder", "maximum", "minimum", "equal", "less"]:
        found[f"{name} i4"] = lambda xp, name=name: getattr(xp, name)(xp.whole(), xp.whole(37, low=1)[::-1])
    for name in ["add", "multiply"]:
        for dtype in ("i1", "u2", "i8", "f8", "f2"):
            found[f"{name} {dtype}"] = lambda xp, name=name, dtype=dtype: getattr(xp, name)(
                xp.whole(dtype=dtype, low=0, high=11), xp.whole(dtype=dtype, low=0, high=11)[::-1]
            )
    for name in ["bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or", "logical_xor"]:
        found[name] = lambda xp, name=name: getattr(xp, name)(xp.whole(), xp.whole(low=-1, high=2))
    for name in ["bitwise_left_shift", "bitwise_right_shift"]:
        alias = name.removeprefix("bitwise_")
        found[name] = lambda xp, name=name, alias=alias: (getattr(xp.module, name, None) or getattr(xp.module, alias))(
            xp.whole(), xp.whole(low=0, high=5)
        )
    found["add c8"] = lambda xp: xp.add(xp.of([1 + 2j, 3j], "c8"), xp.of([2, 1j], "c8"))
    found["multiply c8"] = lambda xp: xp.multiply(xp.of([1 + 2j, 3j], "c8"), xp.of([2, 1j], "c8"))
    found["broadcast"] = lambda xp: xp.matrix(5, 7) + xp.floats(7)
    found["with a scalar"] = lambda xp: 2 * xp.floats() - 1
    found["in place"] = _in_place
    return found


def _in_place(xp: Any) -> Any:
    values = xp.floats()
    values += 1
    values *= xp.floats(low=1)
    return values


def _reductions() -> dict[str, Operation]:
    found: dict[str, Operation] = {}
    for name in ["sum", "max", "min", "argmax", "argmin", "mean", "std", "var"]:
        found[name] = lambda xp, name=name: getattr(xp, name)(xp.floats(1000))
        found[f"{name} of rows"] = lambda xp, name=name: getattr(xp, name)(xp.matrix(9, 33), axis=1)
    for name in ["sum", "prod", "max", "min"]:
        found[f"{name} i4"] = lambda xp, name=name: getattr(xp, name)(xp.whole(40, low=1, high=3))
        found[f"{name} of columns"] = lambda xp, name=name: getattr(xp, name)(xp.matrix(9, 33), axis=0)
    found["all"] = lambda xp: xp.all(xp.whole(low=1))
    found["any"] = lambda xp: xp.any(xp.matrix(4, 40) > 3, axis=1)
    found["count_nonzero"] = lambda xp: xp.count_nonzero(xp.whole(300, low=0, high=2))
    found["sum f8"] = lambda xp: xp.sum(xp.floats(1000, "f8"))
    return found


def _sorting() -> dict[str, Operation]:
    found: dict[str, Operation] = {
        "sort": lambda xp: xp.sort(xp.floats(1000)),
        "sort few": lambda xp: xp.sort(xp.floats(5)),
        "sort i4": lambda xp: xp.sort(xp.whole(300)),
        "sort rows": lambda xp: xp.sort(xp.matrix(6, 50), axis=1),
        "argsort": lambda xp: xp.argsort(xp.floats(300)),
        "searchsorted": lambda xp: xp.searchsorted(xp.sort(xp.floats(300)), xp.floats(20)),
        "unique_values": lambda xp: xp.sort(xp.unique_values(xp.whole(200, low=0, high=20))),
        "unique_counts": lambda xp: tuple(xp.unique_counts(xp.whole(200, low=0, high=20))),
        "unique_inverse": lambda xp: tuple(xp.unique_inverse(xp.whole(200, low=0, high=20))),
        "cumulative_sum": lambda xp: xp.cumulative_sum(xp.whole(300)),
        "cumulative_sum of rows": lambda xp: xp.cumulative_sum(xp.matrix(4, 70), axis=1),
        "cumulative_prod": lambda xp: xp.cumulative_prod(xp.whole(20, low=1, high=3)),
    }
    return found


def _algebra() -> dict[str, Operation]:
    return {
        "matmul": lambda xp: xp.matmul(xp.matrix(4, 4), xp.matrix(4, 4)),
        "matmul of a tall and a wide matrix": lambda xp: xp.matmul(xp.matrix(33, 7), xp.matrix(7, 65)),
        "matmul of a large matrix": lambda xp: xp.matmul(xp.matrix(64, 128), xp.matrix(128, 64)),
        "matmul i4": lambda xp: xp.matmul(xp.matrix(5, 6, "i4"), xp.matrix(6, 7, "i4")),
        "matmul f8": lambda xp: xp.matmul(xp.matrix(5, 6, "f8"), xp.matrix(6, 7, "f8")),
        "matmul with a vector": lambda xp: xp.matmul(xp.matrix(5, 9), xp.floats(9)),
        "matmul of several": lambda xp: xp.matmul(
            xp.reshape(xp.matrix(6, 20), (3, 8, 5)), xp.reshape(xp.matrix(6, 10), (3, 5, 4))
        ),
        "tensordot": lambda xp: xp.tensordot(xp.matrix(4, 5), xp.matrix(5, 6), axes=1),
        "vecdot": lambda xp: xp.vecdot(xp.matrix(4, 20), xp.matrix(4, 20)),
        "outer product": lambda xp: xp.floats(5)[:, None] * xp.floats(7)[None, :],
    }


def _masked(xp: Any) -> Any:
    values = xp.floats(50)
    values[values < 0] = 0
    return values


def _scattered(xp: Any) -> Any:
    values = xp.of(np.zeros(20), "f4")
    values[xp.of([3, 1, 19], "i8")] = xp.of([1, 2, 3], "f4")
    return values


def _sliced(xp: Any) -> Any:
    values = xp.of(np.zeros((6, 8)), "i4")
    values[1::2, ::3] = 7
    return values


def _indexing() -> dict[str, Operation]:
    return {
        "slice": lambda xp: xp.matrix(8, 9)[1::2, ::-3] + 0,
        "assignment to a slice": _sliced,
        "gather": lambda xp: xp.floats(30)[xp.of([4, 4, 29, 0], "i8")],
        "gather rows": lambda xp: xp.matrix(9, 5)[xp.of([4, 0, 8], "i8")],
        "scatter": _scattered,
        "mask": lambda xp: xp.floats(200)[xp.floats(200) > 0],
        "assignment to a mask": _masked,
        "take": lambda xp: xp.take(xp.matrix(5, 9), xp.of([8, 1], "i8"), axis=1),
        "take_along_axis": lambda xp: xp.take_along_axis(xp.matrix(3, 5), xp.of([[1], [0], [4]], "i8"), axis=1),
        "nonzero": lambda xp: tuple(xp.nonzero(xp.whole(200, low=0, high=2))),
        "extract": lambda xp: xp.extract(xp.floats(80) > 0, xp.floats(80)),
        "where": lambda xp: xp.where(xp.floats() > 0, xp.floats(), xp.of(-1, "f4")),
        "where of arrays": lambda xp: xp.where(xp.whole() > 0, xp.whole(), xp.whole()[::-1]),
        "clip": lambda xp: xp.clip(xp.floats(), -1, 1),
        "clip i4": lambda xp: xp.clip(xp.whole(), -10, 10),
    }


def _shapes() -> dict[str, Operation]:
    return {
        "arange": lambda xp: xp.arange(100, dtype="i4"),
        "arange of floats": lambda xp: xp.arange(1, 9, 0.5, dtype="f4"),
        "linspace": lambda xp: xp.linspace(0, 1, 33, dtype="f4"),
        "zeros": lambda xp: xp.zeros((3, 5), dtype="f4"),
        "ones": lambda xp: xp.ones(70, dtype="i8"),
        "full": lambda xp: xp.full((4, 4), 2.5, dtype="f4"),
        "full_like": lambda xp: xp.full_like(xp.floats(), 3),
        "eye": lambda xp: xp.eye(9, dtype="f4"),
        "tril": lambda xp: xp.tril(xp.matrix(7, 7)),
        "triu": lambda xp: xp.triu(xp.matrix(7, 9), k=1),
        "meshgrid": lambda xp: tuple(xp.meshgrid(xp.floats(4), xp.floats(5))),
        "reshape": lambda xp: xp.reshape(xp.matrix(6, 8), (4, 12)),
        "permute_dims": lambda xp: xp.permute_dims(xp.reshape(xp.matrix(6, 8), (2, 3, 8)), (2, 0, 1)) + 0,
        "moveaxis": lambda xp: xp.moveaxis(xp.matrix(6, 8), 0, 1) * 2,
        "flip": lambda xp: xp.flip(xp.floats()) + 0,
        "roll": lambda xp: xp.roll(xp.floats(), 5),
        "roll rows": lambda xp: xp.roll(xp.matrix(5, 7), 2, axis=0),
        "concat": lambda xp: xp.concat((xp.matrix(3, 5), xp.matrix(2, 5))),
        "stack": lambda xp: xp.stack((xp.floats(9), xp.floats(9)), axis=1),
        "tile": lambda xp: xp.tile(xp.floats(5), 3),
        "repeat": lambda xp: xp.repeat(xp.floats(5), 4),
        "expand_dims": lambda xp: xp.expand_dims(xp.floats(5), axis=0) + 0,
        "broadcast_to": lambda xp: xp.broadcast_to(xp.floats(5), (3, 5)) + 0,
        "diff": lambda xp: xp.diff(xp.whole(40)),
        "copy": lambda xp: xp.asarray(xp.matrix(5, 6)[:, ::2], copy=True),
        **{
            f"astype {old} to {new}": lambda xp, old=old, new=new: xp.astype(xp.whole(50, old, 0, 90), new)
            for old, new in (
                ("i4", "f4"),
                ("f4", "i4"),
                ("f4", "f8"),
                ("f8", "f4"),
                ("i8", "i2"),
                ("u1", "f4"),
                ("f4", "f2"),
            )
        },
    }


GROUPS: Mapping[str, Mapping[str, Operation]] = {
    "unary": _unary(),
    "binary": _binary(),
    "reductions": _reductions(),
    "sorting": _sorting(),
    "algebra": _algebra(),
    "indexing": _indexing(),
    "shapes": _shapes(),
}
"""The operations by kind and name."""
