"""Expressions of parameters and of arrays, and the templates that hold them."""

from __future__ import annotations

import numpy as np
import pytest

from tools.cli import UsageError
from tools.tune.expressions import ARRAY_FUNCTIONS, evaluate
from tools.tune.template import all_settings, fill

NAMES = {"m": 32, "n": 8, "type": "bf16"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("m // n", 4),
        ("m / n", 4),
        ("m / 3", 32 / 3),
        ("(m + n) * 2 % 7 - -n", 11),
        ("m ** 2 << 1 | 1", 2049),
        ("m >= n > 3 and not n == 7", True),
        ("m < n or n < 3", False),
        ("1 if m > n else 2", 1),
        ("max(m, n, 50) + min(1, 2) + abs(-1)", 52),
        ("type == 'bf16'", True),
        ("m & 48", 32),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluate(text, NAMES) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("m +", "is not an expression"),
        ("q", "there is no 'q', but m, n, type"),
        ("m // 0", "by zero"),
        ("m + type", "unsupported operand"),
        ("exp(m)", "there is no function 'exp', but min, max, abs"),
        ("__import__('os')", "there is no function '__import__'"),
        ("m.bit_length()", "is not allowed here"),
        ("[m for m in n]", "is not allowed here"),
        ("lambda: m", "is not allowed here"),
        ("m is n", "'is' and 'in' are not allowed here"),
        ("9 ** 9 ** 9", "larger exponent than 1024"),
        ("1 << 99999", "larger exponent than 1024"),
        ("-" * 5000 + "m", "more than 4096 characters"),
        ("\0", ""),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(UsageError) as raised:
        evaluate(text, NAMES)
    assert reason in str(raised.value)


def test_expressions_of_arrays() -> None:
    x = np.arange(12.0).reshape(3, 4)
    names = {"x": x, "n": 2}

    def value(text: str) -> object:
        return evaluate(text, names, ARRAY_FUNCTIONS)

    def same(text: str, expected: object) -> None:
        np.testing.assert_array_equal(np.asarray(value(text)), np.asarray(expected))

    same("x @ x.T", x @ x.T)
    same("exp(x) / sum(exp(x), axis=1, keepdims=True)", np.exp(x) / np.exp(x).sum(axis=1, keepdims=True))
    same("maximum(x * n - 3, 0)", np.maximum(x * 2 - 3, 0))
    same("x[1:, ::n]", x[1:, ::2])
    same("x[0, None]", x[0, None])
    same("where(x > 5, x, -x)", np.where(x > 5, x, -x))
    same("reshape(x, (2, -1))", x.reshape(2, -1))
    for text in ("x[1.5]", "x[9]", "x @ x", "x.dtype", "load('a')", "sum(x, axis=9)"):
        with pytest.raises(UsageError):
            value(text)


def test_templates_keep_all_but_their_places() -> None:
    text = "%a$b = ${m // n} : $m {x = ${ m / n }, t = ${type}, b = ${m > n}} $${n}"
    assert fill(text, NAMES) == "%a$b = 4 : $m {x = 4, t = bf16, b = 1} $8"


def test_all_settings_that_meet_conditions() -> None:
    space = {"m": (1, 2), "n": (1, 2, 3)}
    found = all_settings(space, ("n > m", "n * m < 6"))
    assert [tuple(settings.values()) for settings in found] == [(1, 2), (1, 3)]
    with pytest.raises(UsageError, match="1771561 combinations of parameters, at most"):
        all_settings(dict.fromkeys("abcdef", tuple(range(11))), ())
