"""Bodies of functions on fields of bits, on bytes that are packed, and on the bits of bfloat16."""

from __future__ import annotations

from passes.frontends.builtins.bodies.body import Body, llvm, scalar_of, writes
from passes.frontends.builtins.mangling import Scalar, Type, Vector

_BYTES = {"s": Vector(4, Scalar("c")), "u": Vector(4, Scalar("h"))}


@writes("bit_reverse")
def _bit_reverse(body: Body) -> None:
    body.give(body.intrinsic("bitreverse", body.type, *body.arguments))


def _amount(body: Body, place: int) -> str:
    """Returns a number of bits as a value of the first argument's type."""
    given, wanted = body.like("i32"), body.type
    text = body.whole(place)
    if body.width == 32:
        return text
    return body.op(f"{'trunc' if body.width < 32 else 'zext'} {given} {text} to {wanted}")


@writes("bitfield_insert")
def _insert(body: Body) -> None:
    base, field = body.arguments[:2]
    offset, count = _amount(body, 2), _amount(body, 3)
    mask = body.op(f"shl {body.type} {_low_bits(body, count)}, {offset}")
    placed = body.op(f"and {body.type} {body.op(f'shl {body.type} {field}, {offset}')}, {mask}")
    kept = body.op(f"and {body.type} {base}, {body.op(f'xor {body.type} {mask}, {body.constant(-1)}')}")
    _give_unless_empty(body, count, body.op(f"or {body.type} {placed}, {kept}"), base)


@writes("bitfield_extract_signed", "bitfield_extract_unsigned")
def _extract(body: Body) -> None:
    offset, count = _amount(body, 1), _amount(body, 2)
    above = body.op(f"sub {body.type} {body.constant(body.width)}, {count}")
    left = body.op(f"shl {body.type} {body.arguments[0]}, {body.op(f'sub {body.type} {above}, {offset}')}")
    shift = "ashr" if body.name.endswith("_signed") else "lshr"
    _give_unless_empty(body, count, body.op(f"{shift} {body.type} {left}, {above}"), body.constant(0))


def _low_bits(body: Body, count: str) -> str:
    """Returns as many ones as a field has bits, at the lower end; there must be some."""
    zeros = body.op(f"sub {body.type} {body.constant(body.width)}, {count}")
    return body.op(f"lshr {body.type} {body.constant(-1)}, {zeros}")


def _give_unless_empty(body: Body, count: str, text: str, empty: str) -> None:
    """Returns a value from the body, or another one for a field without bits, for which shifts go too far."""
    is_empty = body.op(f"icmp eq {body.type} {count}, {body.constant(0)}")
    body.give(body.op(f"select {body.like('i1')} {is_empty}, {body.type} {empty}, {body.type} {text}"))


def dot_of_integers(body: Body) -> None:
    """Writes the sum of the products of four bytes each."""
    body.give(_dot(body, body.types[0], body.types[1], *body.arguments[:2]), "i32")


@writes("dot_acc_sat")
def _accumulated(body: Body) -> None:
    _give_sum(body, _dot(body, body.types[0], body.types[1], *body.arguments[:2]), body.types[:2])


@writes(*(f"dot_4x8packed_{signs}_{'u' if signs == 'uu' else ''}int" for signs in ("uu", "ss", "us", "su")))
def _packed(body: Body) -> None:
    total, _ = _packed_dot(body)
    body.give(total, "i32")


@writes(*(f"dot_acc_sat_4x8packed_{signs}_{'u' if signs == 'uu' else ''}int" for signs in ("uu", "ss", "us", "su")))
def _packed_accumulated(body: Body) -> None:
    _give_sum(body, *_packed_dot(body))


def _packed_dot(body: Body) -> tuple[str, tuple[Type, Type]]:
    """Returns the product of two words of bytes, whose signs the name has, and the types of the bytes."""
    signs = body.name.split("_")[-2]
    kinds = _BYTES[signs[0]], _BYTES[signs[1]]
    rows = (body.op(f"bitcast i32 {text} to <4 x i8>") for text in body.arguments[:2])
    return _dot(body, *kinds, *rows), kinds


def _give_sum(body: Body, total: str, kinds: tuple[Type, ...]) -> None:
    """Returns the saturated sum of a product and the last argument, signed unless all bytes are unsigned."""
    is_signed = any(scalar_of(kind, body.symbol).signed for kind in kinds)
    body.give(body.intrinsic("sadd.sat" if is_signed else "uadd.sat", "i32", total, body.arguments[2]), "i32")


def _dot(body: Body, first: Type, second: Type, *rows: str) -> str:
    if {llvm(first), llvm(second)} != {"<4 x i8>"}:
        raise body.refuse()
    wide = [
        body.op(f"{'sext' if scalar_of(kind, body.symbol).signed else 'zext'} <4 x i8> {row} to <4 x i32>")
        for kind, row in zip((first, second), rows, strict=True)
    ]
    products = body.op(f"mul <4 x i32> {', '.join(wide)}")
    total, *others = (body.op(f"extractelement <4 x i32> {products}, i32 {place}") for place in range(4))
    for other in others:
        total = body.op(f"add i32 {total}, {other}")
    return total


COUNTS = ("", "2", "3", "4", "8", "16")


@writes(*(f"intel_convert_bfloat16{count}_as_ushort{count}" for count in COUNTS))
def _to_bits(body: Body) -> None:
    kind = body.like("i16")
    body.give(body.call("__spirv_ConvertFToBF16INTEL", kind, body.types, *body.arguments), kind)


@writes(*(f"intel_convert_as_bfloat16{count}_float{count}" for count in COUNTS))
def _from_bits(body: Body) -> None:
    kind = body.like("float")
    body.give(body.call("__spirv_ConvertBF16ToFINTEL", kind, body.types, *body.arguments), kind)
