"""Bodies of functions on memory: vectors from and to arrays, halfs, old atomics, shuffles."""

from __future__ import annotations

from passes.frontends.builtins.bodies.body import Body, count_of, llvm, number, pointer_of, scalar_of, width_of, writes
from passes.frontends.builtins.mangling import Scalar, Type, Vector, demangle


def _vector(scalar: str, count: int) -> str:
    return f"<{count} x {scalar}>" if count > 1 else scalar


def _suffix(body: Body) -> tuple[int, str]:
    """Returns the number of components and the rounding mode in the name of the function."""
    found = demangle(body.symbol)
    assert found is not None
    rest = found[0].removeprefix(body.name)
    count, _, mode = rest.partition("_")
    if count not in ("", "2", "3", "4", "8", "16"):
        raise body.refuse()
    return int(count or 1), mode


def _address(body: Body, element: str, place: int, step: int) -> str:
    """Returns the address of a group of elements: the offset counts groups of `step`."""
    pointer = pointer_of(body.types[-1], body.symbol)
    kind = llvm(body.types[place])
    offset = body.arguments[place]
    if kind != "i64":
        offset = body.op(f"zext {kind} {offset} to i64")
    scaled = body.op(f"mul i64 {offset}, {step}")
    return body.op(f"getelementptr {element}, {llvm(pointer)} {body.arguments[-1]}, i64 {scaled}")


@writes("vload")
def _vload(body: Body) -> None:
    count, _ = _suffix(body)
    pointer = pointer_of(body.types[1], body.symbol)
    scalar = scalar_of(pointer.pointee, body.symbol)
    kind = _vector(scalar.llvm, count)
    address = _address(body, scalar.llvm, 0, count)
    loaded = body.op(f"load {kind}, {llvm(pointer)} {address}, align {width_of(scalar) // 8}")
    body.give(loaded, kind)


@writes("vstore")
def _vstore(body: Body) -> None:
    count, _ = _suffix(body)
    if body.count != count:
        raise body.refuse()
    address = _address(body, body.scalar.llvm, 1, count)
    pointer = llvm(body.types[2])
    body.do(f"store {body.type} {body.arguments[0]}, {pointer} {address}, align {body.width // 8}")
    body.end()


def _half_layout(body: Body, count: int) -> tuple[int, int]:
    """Returns the distance of groups of halfs, and their alignment in bytes."""
    if "a_" not in body.name:
        return count, 2
    step = 4 if count == 3 else count
    return step, 2 * step


@writes("vload_half", "vloada_half")
def _vload_half(body: Body) -> None:
    count, _ = _suffix(body)
    step, alignment = _half_layout(body, count)
    kind = _vector("half", count)
    address = _address(body, "half", 0, step)
    loaded = body.op(f"load {kind}, {llvm(body.types[1])} {address}, align {alignment}")
    goal = _vector("float", count)
    body.give(body.op(f"fpext {kind} {loaded} to {goal}"), goal)


@writes("vstore_half", "vstorea_half")
def _vstore_half(body: Body) -> None:
    count, mode = _suffix(body)
    if body.count != count or body.scalar.llvm not in ("float", "double"):
        raise body.refuse()
    step, alignment = _half_layout(body, count)
    address = _address(body, "half", 1, step)
    narrow = _narrow(body, mode)
    body.do(f"store {body.like('half')} {narrow}, {llvm(body.types[2])} {address}, align {alignment}")
    body.end()


def _narrow(body: Body, mode: str) -> str:
    """Returns the first argument as halfs: the nearest ones, moved by one where a mode wants the other neighbour."""
    x, kind, half, integer = body.arguments[0], body.type, body.like("half"), body.like("i16")
    near = body.op(f"fptrunc {kind} {x} to {half}")
    if mode in ("", "rte"):
        return near
    truth = body.like("i1")
    back = body.op(f"fpext {half} {near} to {kind}")
    bits = body.op(f"bitcast {half} {near} to {integer}")
    towards, away = body.splat("i16", "-1"), body.splat("i16", "1")
    step = towards
    if mode == "rtz":
        left, right = (body.intrinsic("fabs", kind, each) for each in (back, x))
        wrong = body.op(f"fcmp ogt {kind} {left}, {right}")
    else:
        wrong = body.op(f"fcmp {'olt' if mode == 'rtp' else 'ogt'} {kind} {back}, {x}")
        negative = body.op(f"icmp slt {integer} {bits}, {body.splat('i16', '0')}")
        first, second = (towards, away) if mode == "rtp" else (away, towards)
        step = body.op(f"select {truth} {negative}, {integer} {first}, {integer} {second}")
    moved = body.op(f"bitcast {integer} {body.op(f'add {integer} {bits}, {step}')} to {half}")
    return body.op(f"select {truth} {wrong}, {half} {moved}, {half} {near}")


@writes("prefetch")
def _prefetch(body: Body) -> None:
    body.end()


@writes("shuffle", "shuffle2")
def _shuffle(body: Body) -> None:
    source, count = body.arguments[0], body.count
    row = body.type
    if body.name == "shuffle2":
        places = ", ".join(f"i32 {place}" for place in range(2 * count))
        source = body.op(f"shufflevector {row} {source}, {row} {body.arguments[1]}, <{2 * count} x i32> <{places}>")
        count *= 2
        row = _vector(body.scalar.llvm, count)
    mask_type = body.types[-1]
    mask_scalar = scalar_of(mask_type, body.symbol)
    goal = _vector(body.scalar.llvm, count_of(mask_type))
    result = "poison"
    for place in range(count_of(mask_type)):
        index = body.op(f"extractelement {llvm(mask_type)} {body.arguments[-1]}, i32 {place}")
        # A vector of three counts as one of four, whose last component nobody sees.
        index = body.op(f"and {mask_scalar.llvm} {index}, {(1 << (count - 1).bit_length()) - 1}")
        part = body.op(f"extractelement {row} {source}, {mask_scalar.llvm} {index}")
        result = body.op(f"insertelement {goal} {result}, {body.scalar.llvm} {part}, i32 {place}")
    body.give(result, goal)


_UPDATES = {
    "atomic_add": "add",
    "atomic_sub": "sub",
    "atomic_inc": "add",
    "atomic_dec": "sub",
    "atomic_xchg": "xchg",
    "atomic_min": "min",
    "atomic_max": "max",
    "atomic_and": "and",
    "atomic_or": "or",
    "atomic_xor": "xor",
}

_RELAXED = 'syncscope("device") monotonic'


def _memory(body: Body) -> tuple[str, Scalar]:
    pointer = pointer_of(body.types[0], body.symbol)
    return f"{llvm(pointer)} {body.arguments[0]}", scalar_of(pointer.pointee, body.symbol)


@writes(*_UPDATES)
def _update(body: Body) -> None:
    memory, scalar = _memory(body)
    operation = _UPDATES[body.name]
    if operation in ("min", "max") and not scalar.signed:
        operation = f"u{operation}"
    value = body.arguments[1] if len(body.arguments) > 1 else number(scalar, 1)
    old = body.op(f"atomicrmw {operation} {memory}, {scalar.llvm} {value} {_RELAXED}")
    body.give(old, scalar.llvm)


@writes("atomic_cmpxchg")
def _exchange(body: Body) -> None:
    memory, scalar = _memory(body)
    expected, value = (f"{scalar.llvm} {each}" for each in body.arguments[1:])
    pair = body.op(f"cmpxchg {memory}, {expected}, {value} {_RELAXED} monotonic")
    body.give(body.op(f"extractvalue {{ {scalar.llvm}, i1 }} {pair}, 0"), scalar.llvm)


def scalarised(body: Body) -> None:
    """Writes the vector form of a function as calls of the scalar form, with pointers to single components."""
    components: list[str] = []
    scalar_result = body.result.strip("<>").rpartition(" x ")[2]
    for place in range(body.count):
        types: list[Type] = []
        texts: list[str] = []
        for kind, text in zip(body.types, body.arguments, strict=True):
            if isinstance(kind, Vector):
                types.append(kind.element)
                texts.append(body.op(f"extractelement {llvm(kind)} {text}, i32 {place}"))
            elif kind == body.types[-1] and not isinstance(kind, Scalar):
                pointer = pointer_of(kind, body.symbol)
                inner = scalar_of(pointer.pointee, body.symbol)
                types.append(type(pointer)(pointer.space, inner, pointer.qualifiers))
                texts.append(body.op(f"getelementptr {inner.llvm}, {llvm(pointer)} {text}, i64 {place}"))
            else:
                types.append(kind)
                texts.append(text)
        components.append(body.call(body.name, scalar_result, tuple(types), *texts))
    goal = _vector(scalar_result, body.count)
    result = "poison"
    for place, part in enumerate(components):
        result = body.op(f"insertelement {goal} {result}, {scalar_result} {part}, i32 {place}")
    body.give(result, goal)
