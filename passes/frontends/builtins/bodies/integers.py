"""Bodies of integer functions, and of those that choose between values."""

from __future__ import annotations

from passes.frontends.builtins.bodies.body import Body, llvm, writes


def _prefix(body: Body) -> str:
    return "s" if body.scalar.signed else "u"


def _shift_right(body: Body) -> str:
    return "ashr" if body.scalar.signed else "lshr"


def _two(body: Body, operation: str, left: str, right: str) -> str:
    return body.op(f"{operation} {body.type} {left}, {right}")


@writes("abs")
def _abs(body: Body) -> None:
    (x,) = body.arguments
    body.give(body.intrinsic("abs", body.type, x, flag=False) if body.scalar.signed else x)


@writes("abs_diff")
def _abs_diff(body: Body) -> None:
    x, y = body.arguments
    high = body.intrinsic(f"{_prefix(body)}max", body.type, x, y)
    low = body.intrinsic(f"{_prefix(body)}min", body.type, x, y)
    body.give(_two(body, "sub", high, low))


@writes("add_sat", "sub_sat")
def _saturating(body: Body) -> None:
    body.give(body.intrinsic(f"{_prefix(body)}{body.name[:3]}.sat", body.type, *body.arguments))


@writes("hadd", "rhadd")
def _half_sum(body: Body) -> None:
    x, y = body.arguments
    differ = _two(body, _shift_right(body), _two(body, "xor", x, y), body.constant(1))
    common = _two(body, "and" if body.name == "hadd" else "or", x, y)
    body.give(_two(body, "add" if body.name == "hadd" else "sub", common, differ))


@writes("min", "max")
def _extreme(body: Body) -> None:
    kind = f"{body.name}num" if body.floats else f"{_prefix(body)}{body.name}"
    body.give(body.intrinsic(kind, body.type, body.arguments[0], body.whole(1)))


@writes("clamp")
def _clamp(body: Body) -> None:
    low, high = ("maxnum", "minnum") if body.floats else (f"{_prefix(body)}max", f"{_prefix(body)}min")
    raised = body.intrinsic(low, body.type, body.arguments[0], body.whole(1))
    body.give(body.intrinsic(high, body.type, raised, body.whole(2)))


@writes("clz", "ctz")
def _zeros(body: Body) -> None:
    body.give(body.intrinsic("ctlz" if body.name == "clz" else "cttz", body.type, *body.arguments, flag=False))


@writes("popcount")
def _popcount(body: Body) -> None:
    body.give(body.intrinsic("ctpop", body.type, *body.arguments))


@writes("rotate")
def _rotate(body: Body) -> None:
    x, amount = body.arguments
    body.give(body.intrinsic("fshl", body.type, x, x, amount))


@writes("mul24")
def _mul24(body: Body) -> None:
    body.give(_two(body, "mul", *body.arguments))


@writes("mad24")
def _mad24(body: Body) -> None:
    x, y, z = body.arguments
    body.give(_two(body, "add", _two(body, "mul", x, y), z))


def _wide_product(body: Body) -> tuple[str, str]:
    """Returns the product of the first two arguments in twice the width, and its type."""
    wide = body.like(f"i{2 * body.width}")
    extend = "sext" if body.scalar.signed else "zext"
    x, y = (body.op(f"{extend} {body.type} {each} to {wide}") for each in body.arguments[:2])
    return body.op(f"mul {wide} {x}, {y}"), wide


def upper_half(body: Body) -> str:
    """Returns the upper half of the product of the first two arguments."""
    if body.width < 64:
        product, wide = _wide_product(body)
        shift = body.splat(f"i{2 * body.width}", str(body.width))
        return body.op(f"trunc {wide} {body.op(f'lshr {wide} {product}, {shift}')} to {body.type}")
    # Four products of 32-bit halves; signs are corrected afterwards.
    x, y = body.arguments[:2]
    mask, half = body.constant(0xFFFFFFFF), body.constant(32)
    x_low, y_low = (_two(body, "and", each, mask) for each in (x, y))
    x_high, y_high = (_two(body, "lshr", each, half) for each in (x, y))
    low = _two(body, "mul", x_low, y_low)
    middle = _two(body, "add", _two(body, "mul", x_high, y_low), _two(body, "lshr", low, half))
    other = _two(body, "add", _two(body, "mul", x_low, y_high), _two(body, "and", middle, mask))
    high = _two(body, "add", _two(body, "mul", x_high, y_high), _two(body, "lshr", middle, half))
    high = _two(body, "add", high, _two(body, "lshr", other, half))
    if body.scalar.signed:
        for one, another in ((x, y), (y, x)):
            sign = _two(body, "ashr", one, body.constant(63))
            high = _two(body, "sub", high, _two(body, "and", sign, another))
    return high


@writes("mul_hi")
def _mul_hi(body: Body) -> None:
    body.give(upper_half(body))


@writes("mad_hi")
def _mad_hi(body: Body) -> None:
    body.give(_two(body, "add", upper_half(body), body.arguments[2]))


@writes("mad_sat")
def _mad_sat(body: Body) -> None:
    signed, width = body.scalar.signed, body.width
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    addend = body.arguments[2]
    if width < 64:
        product, wide = _wide_product(body)
        extended = body.op(f"{'sext' if signed else 'zext'} {body.type} {addend} to {wide}")
        total = body.op(f"add {wide} {product}, {extended}")
        scalar = f"i{2 * width}"
        if signed:
            total = body.intrinsic("smax", wide, total, body.splat(scalar, str(least)))
        total = body.intrinsic("smin" if signed else "umin", wide, total, body.splat(scalar, str(most)))
        body.give(body.op(f"trunc {wide} {total} to {body.type}"))
        return
    truth = body.like("i1")
    high = upper_half(body)
    low = _two(body, "mul", *body.arguments[:2])
    total = _two(body, "add", low, addend)
    carried = body.op(f"icmp ult {body.type} {total}, {low}")
    high = _two(body, "add", high, body.op(f"zext {truth} {carried} to {body.type}"))
    limit = body.constant(-1)
    fitting = body.constant(0)
    if signed:
        high = _two(body, "add", high, _two(body, "ashr", addend, body.constant(63)))
        fitting = _two(body, "ashr", total, body.constant(63))
        negative = body.op(f"icmp slt {body.type} {high}, {body.constant(0)}")
        limit = body.op(
            f"select {truth} {negative}, {body.type} {body.constant(least)}, {body.type} {body.constant(most)}"
        )
    fits = body.op(f"icmp eq {body.type} {high}, {fitting}")
    body.give(body.op(f"select {truth} {fits}, {body.type} {total}, {body.type} {limit}"))


@writes("upsample")
def _upsample(body: Body) -> None:
    wide, scalar = body.like(f"i{2 * body.width}"), f"i{2 * body.width}"
    if body.width == 64:
        raise body.refuse()
    high, low = (body.op(f"zext {body.type} {each} to {wide}") for each in body.arguments)
    placed = body.op(f"shl {wide} {high}, {body.splat(scalar, str(body.width))}")
    body.give(body.op(f"or {wide} {placed}, {low}"), wide)


@writes("bitselect")
def _bitselect(body: Body) -> None:
    integer = body.like(f"i{body.width}")
    a, b, c = body.arguments
    if body.floats:
        a, b, c = (body.op(f"bitcast {body.type} {each} to {integer}") for each in (a, b, c))
    ones = body.splat(f"i{body.width}", "-1")
    kept = body.op(f"and {integer} {a}, {body.op(f'xor {integer} {c}, {ones}')}")
    result = body.op(f"or {integer} {kept}, {body.op(f'and {integer} {b}, {c}')}")
    body.give(body.op(f"bitcast {integer} {result} to {body.type}") if body.floats else result)


@writes("select")
def _select(body: Body) -> None:
    a, b, c = body.arguments
    kind = llvm(body.types[2])
    zero = "zeroinitializer" if body.count > 1 else "0"
    chosen = body.op(f"icmp {'slt' if body.count > 1 else 'ne'} {kind} {c}, {zero}")
    body.give(body.op(f"select {body.like('i1')} {chosen}, {body.type} {b}, {body.type} {a}"))
