"""Atomic messages: one function per operation, element size and number of lanes, which performs the lanes in order.

Every lane is one atomic access of the host, so that work-groups on other host threads never see a part of it.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.llvm import IRFunction, IRModule, Value, constant, conversions, integer, vector
from runtime.simulator.jit.alu.primitives import PRIMITIVES
from runtime.simulator.jit.state import routines
from runtime.simulator.machine.overhang import WORD_BYTES, may_overhang
from xegpu.isa import DataType, OpSpec

_DIRECT = {
    "store": "xchg",
    "iadd": "add",
    "isub": "sub",
    "smin": "min",
    "smax": "max",
    "umin": "umin",
    "umax": "umax",
    "and": "and",
    "or": "or",
    "xor": "xor",
}
"""Operations that LLVM's `atomicrmw` has."""

_STEPS = {"iinc": "add", "idec": "sub"}
_FLOATS = {"fadd": "add", "fsub": "sub", "fmin": "min", "fmax": "max"}


def atomic(module: IRModule, spec: OpSpec, size: int, count: int, *, is_global: bool) -> str:
    """Returns the symbol of the function that performs an atomic on `count` lanes.

    It is `found atomic(worker, site, base, addresses, mask, first, second)`; the addresses and the last two are vectors
    of lanes. Elements of `size` bytes are at `base` plus address, in global memory if `is_global`; lanes whose bit in
    `mask` is 0 find zero. Accesses are checked before, so that only words that may overhang need the `site`.
    """
    element = f"i{8 * size}"
    data = vector(count, element)
    parameters = f"ptr %worker, ptr %site, ptr %base, {vector(count, 'i64')} %addresses, i32 %mask"
    parameters += f", {data} %first, {data} %second"

    overhangs = is_global and may_overhang(spec, size)

    def build(code: IRFunction) -> None:
        _lanes(code, spec, size, count, overhangs=overhangs)

    symbol = f"{spec.mnemonic}.{8 * size}.{count}{'.overhang' if overhangs else ''}"
    return module.function(symbol, data, parameters, build, inline=False)


def _lanes(code: IRFunction, spec: OpSpec, size: int, count: int, *, overhangs: bool) -> None:
    data, wide = vector(count, f"i{8 * size}"), vector(count, "i64")
    addresses = code.variable(wide, "stored", 64)
    code.store(Value(wide, "%addresses"), addresses, 64)
    operands = [code.variable(data, name, 64) for name in ("a", "b")]
    for name, slot in zip(("first", "second"), operands, strict=True):
        code.store(Value(data, f"%{name}"), slot, 64)
    found = code.variable(data, "found", 64)
    code.store(Value(data, "zeroinitializer"), found, 64)
    with code.counted(integer(count)) as lane:
        bit = code.binary("lshr", Value("i32", "%mask"), code.cast("trunc", lane, "i32"))
        with code.if_(code.cast("trunc", bit, "i1")):

            def item(array: Value, type: str, bytes: int) -> Value:
                return code.load(type, code.offset(array, code.binary("mul", lane, integer(bytes))), bytes)

            address = item(addresses, "i64", 8)
            pointer = code.offset(Value("ptr", "%base"), address)
            first, second = (item(slot, f"i{8 * size}", size) for slot in operands)
            if overhangs:
                old = _masked_access(code, spec, pointer, first, second, _inside(code, spec, address))
            else:
                old = _access(code, spec, size, pointer, first, second)
            code.store(old, code.offset(found, code.binary("mul", lane, integer(size))), size)
    code.give(code.load(data, found, 64))


def _inside(code: IRFunction, spec: OpSpec, address: Value) -> Value:
    """Returns a word with all bits set in the bytes that may be accessed."""
    site = Value("ptr", "%site")
    start, length = code.load("i64", site, 8), code.load("i64", code.offset(site, 8), 8)
    room = routines.room(code, length, integer(WORD_BYTES))
    with code.if_(code.compare("icmp uge", code.binary("sub", address, start), room)) as choice:
        write = constant("i1", "true" if spec.writes else "false")
        found = code.call(routines.bytes_inside(code.module), "i32", routines.WORKER, address, site, write)
    return choice.merged(found, constant("i32", -1))


def _masked_access(code: IRFunction, spec: OpSpec, pointer: Value, a: Value, b: Value, inside: Value) -> Value:
    """Emits a load or an exchange of a word whose bytes that are not `inside` read as zero and stay."""
    word = code.value("i32", f"load atomic i32, {pointer} monotonic, align {WORD_BYTES}")
    if spec.writes:
        with code.loop(word) as exchange:
            (word,) = exchange.values
            code.jump_unless(code.compare("icmp eq", code.binary("and", word, inside), a), exchange.after)
            kept = code.binary("and", word, code.binary("xor", inside, constant("i32", -1)))
            new = code.binary("or", kept, code.binary("and", b, inside))
            there, well = _exchanged(code, pointer, word, new, WORD_BYTES)
            exchange.repeat_unless(well, there)
    return code.binary("and", word, inside)


def _access(code: IRFunction, spec: OpSpec, size: int, pointer: Value, a: Value, b: Value) -> Value:
    """Emits one access; returns the old value."""
    name = spec.mnemonic.removeprefix("atomic_")
    type = spec.atomic_type(size)
    if name == "load":
        return code.value(a.type, f"load atomic {a.type}, {pointer} monotonic, align {size}")
    if name in _STEPS:
        one = constant(a.type, 1)
        return code.value(a.type, f"atomicrmw {_STEPS[name]} {pointer}, {one} monotonic, align {size}")
    if name in _DIRECT:
        return code.value(a.type, f"atomicrmw {_DIRECT[name]} {pointer}, {a} monotonic, align {size}")
    if name == "icas":
        return _exchanged(code, pointer, a, b, size)[0]
    if name == "fcas":
        return _retried(code, pointer, a, size, lambda old: _float_exchange(code, type, old, a, b))
    return _retried(code, pointer, a, size, lambda old: _float_result(code, type, _FLOATS[name], old, a))


def _exchanged(code: IRFunction, pointer: Value, old: Value, new: Value, size: int) -> tuple[Value, Value]:
    """Emits a compare-exchange of `old` by `new`; returns the value found, and whether it was `old`."""
    pair = code.value(f"{{ {old.type}, i1 }}", f"cmpxchg {pointer}, {old}, {new} monotonic monotonic, align {size}")
    return code.value(old.type, f"extractvalue {pair}, 0"), code.value("i1", f"extractvalue {pair}, 1")


def _retried(code: IRFunction, pointer: Value, like: Value, size: int, new: Callable[[Value], Value]) -> Value:
    """Emits a compare-exchange loop: retries until no other thread changed the value in between."""
    first = code.value(like.type, f"load atomic {like.type}, {pointer} monotonic, align {size}")
    with code.loop(first) as retry:
        (old,) = retry.values
        there, well = _exchanged(code, pointer, old, new(old), size)
        retry.repeat_unless(well, there)
    return old


def _float_result(code: IRFunction, type: DataType, primitive: str, old: Value, a: Value) -> Value:
    values = (conversions.decode(code, raw, type) for raw in (old, a))
    return conversions.encode(code, PRIMITIVES[primitive](code, type, *values), type, type)


def _float_exchange(code: IRFunction, type: DataType, old: Value, a: Value, b: Value) -> Value:
    equal = code.compare("fcmp oeq", *(conversions.decode(code, raw, type) for raw in (old, a)))
    return code.select(equal, b, old)
