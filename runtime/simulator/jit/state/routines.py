"""Functions that compiled kernels share: finding allocations, checking lanes, recording faults."""

from __future__ import annotations

import ctypes

from runtime.llvm import IRFunction, IRModule, Value, constant, integer, vector
from runtime.simulator.jit.state.launch_records import LaunchRecord, Worker
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.overhang import WORD_BYTES

WORKER = Value("ptr", "%worker")

WRITES, MAY_OVERHANG = 1, 2
"""Flags of checks of global memory."""

_FIELD_TYPES: dict[type, tuple[str, int]] = {
    ctypes.c_void_p: ("ptr", 8),
    ctypes.c_uint64: ("i64", 8),
    ctypes.c_uint32: ("i32", 4),
    ctypes.c_int32: ("i32", 4),
}


def load_field(code: IRFunction, record: Value, structure: type[ctypes.Structure], name: str) -> Value:
    """Returns a field of a shared record."""
    type, size = _field_type(structure, name)
    return code.load(type, code.offset(record, getattr(structure, name).offset), size)


def store_field(code: IRFunction, record: Value, structure: type[ctypes.Structure], name: str, value: Value) -> None:
    code.store(value, code.offset(record, getattr(structure, name).offset), _field_type(structure, name)[1])


def _field_type(structure: type[ctypes.Structure], name: str) -> tuple[str, int]:
    return _FIELD_TYPES[{field[0]: field[1] for field in structure._fields_}[name]]


def record_fault(
    code: IRFunction,
    kind: FaultKind | Value,
    index: Value,
    lane: Value | None = None,
    address: Value | None = None,
    size: Value | None = None,
) -> None:
    """Fills the fault record of the worker; the caller still has to return."""
    number = kind if isinstance(kind, Value) else constant("i32", int(kind))
    symbol = code.module.function(
        "record_fault", "void", "ptr %worker, i32 %kind, i32 %index, i32 %lane, i64 %address, i64 %size", _record
    )
    none = constant("i32", -1)
    code.run(symbol, WORKER, number, index, lane or none, address or integer(0), size or integer(0))


def _record(code: IRFunction) -> None:
    for name, parameter in (
        ("kind", Value("i32", "%kind")),
        ("index", Value("i32", "%index")),
        ("lane", Value("i32", "%lane")),
        ("address", Value("i64", "%address")),
        ("access_size", Value("i64", "%size")),
    ):
        store_field(code, WORKER, Worker, name, parameter)
    code.give()


def find(module: IRModule) -> str:
    """Returns the symbol of the function that searches the allocation of an access.

    `i32 find(worker, address, size, site, write)` returns the kind of fault, or 0 if an allocation covers the access;
    its start and size are then stored in the site.
    """
    parameters = "ptr %worker, i64 %address, i64 %size, ptr %site, i1 %write"
    return module.function("find", "i32", parameters, _find, inline=False)


def _find(code: IRFunction) -> None:
    address, size, site = Value("i64", "%address"), Value("i64", "%size"), Value("ptr", "%site")
    launch = load_field(code, WORKER, Worker, "launch")
    starts, ends, writable = (load_field(code, launch, LaunchRecord, name) for name in ("starts", "ends", "writable"))
    ranges = load_field(code, launch, LaunchRecord, "ranges")

    def item(array: Value, index: Value, type: str, size: int) -> Value:
        return code.load(type, code.offset(array, code.binary("mul", index, integer(size))), size)

    outside, refused = code.block("outside"), code.block("refused")
    # Binary search for the first start above the address.
    with code.loop(integer(0), ranges) as search:
        bottom, top = search.values
        code.jump_unless(code.compare("icmp ult", bottom, top), search.after)
        middle = code.binary("lshr", code.binary("add", bottom, top), integer(1))
        before = code.compare("icmp ule", item(starts, middle, "i64", 8), address)
        low = code.select(before, code.binary("add", middle, integer(1)), bottom)
        search.repeat(low, code.select(before, top, middle))
    code.jump_if(code.compare("icmp eq", bottom, integer(0)), outside, rare=True)
    index = code.binary("sub", bottom, integer(1))
    start = item(starts, index, "i64", 8)
    length = code.binary("sub", item(ends, index, "i64", 8), start)
    beyond = code.compare("icmp uge", code.binary("sub", address, start), room(code, length, size))
    code.jump_if(beyond, outside, rare=True)
    allowed = code.compare("icmp ne", item(writable, index, "i8", 1), constant("i8", 0))
    code.jump_if(code.compare("icmp ugt", Value("i1", "%write"), allowed), refused, rare=True)
    code.store(start, site, 8)
    code.store(length, code.offset(site, 8), 8)
    code.give(constant("i32", 0))
    for block, kind in ((outside, FaultKind.OUT_OF_BOUNDS), (refused, FaultKind.READ_ONLY)):
        code.begin(block)
        code.give(constant("i32", int(kind)))


def bytes_inside(module: IRModule) -> str:
    """Returns the symbol of the function that finds which bytes of a word are in allocations.

    `i32 bytes_inside(worker, address, site, write)` returns all bits set in these bytes (in those that may be written,
    if `write` is set) and none in the others; the site is then that of the last such byte.
    """
    return module.function(
        "bytes_inside", "i32", "ptr %worker, i64 %address, ptr %site, i1 %write", _bytes_inside, inline=False
    )


def _bytes_inside(code: IRFunction) -> None:
    mask, none = constant("i32", 0), constant("i32", 0)
    for number in range(WORD_BYTES):
        place = code.binary("add", Value("i64", "%address"), integer(number))
        site, write = Value("ptr", "%site"), Value("i1", "%write")
        kind = code.call(find(code.module), "i32", WORKER, place, integer(1), site, write)
        byte = constant("i32", 0xFF << 8 * number)
        mask = code.binary("or", mask, code.select(code.compare("icmp eq", kind, none), byte, none))
    code.give(mask)


def room(code: IRFunction, length: Value, size: Value) -> Value:
    """Returns the number of offsets in `length` bytes at which an access of `size` bytes can start."""
    return code.call("llvm.usub.sat.i64", "i64", code.binary("add", length, integer(1)), size)


def check_lanes(module: IRModule, count: int, outside: FaultKind | None) -> str:
    """Returns the symbol of `i1 check(worker, site, index, lane, addresses, mask, size, alignment, limit)`.

    It checks lanes one by one and returns whether all are valid; otherwise the first lane at fault is recorded. The
    last three parameters are the size of an access, its alignment less one, and the bits `WRITES` and `MAY_OVERHANG`
    (or, for memory addressed from 0, the number of valid start offsets). `outside` is the fault of such memory, None
    for global memory.
    """
    parameters = f"ptr %worker, ptr %site, i32 %index, i32 %lane, {vector(count, 'i64')} %addresses, i32 %mask"
    parameters += ", i64 %size, i64 %alignment, i64 %limit"

    def build(code: IRFunction) -> None:
        _check_lanes(code, count, outside)

    return module.function(f"check.{outside.name if outside else 'global'}.{count}", "i1", parameters, build)


def _check_lanes(code: IRFunction, count: int, outside: FaultKind | None) -> None:
    addresses = code.variable(vector(count, "i64"), "stored", 64)
    code.store(Value(vector(count, "i64"), "%addresses"), addresses, 64)
    misaligned, fault = code.block("misaligned"), code.block("fault")
    with code.counted(integer(count)) as i:
        bit = code.binary("lshr", Value("i32", "%mask"), code.cast("trunc", i, "i32"))
        with code.if_(code.cast("trunc", bit, "i1")):
            address = code.load("i64", code.offset(addresses, code.binary("shl", i, integer(3))), 8)
            lane = code.binary("add", Value("i32", "%lane"), code.cast("trunc", i, "i32"))
            low = code.binary("and", address, Value("i64", "%alignment"))
            code.jump_if(code.compare("icmp ne", low, integer(0)), misaligned, rare=True)
            kind = _fault_of_lane(code, address, outside)
            code.jump_unless(code.compare("icmp eq", kind, constant("i32", 0)), fault)
    code.give(constant("i1", "true"))
    for block, found in ((misaligned, FaultKind.MISALIGNED), (fault, kind)):
        code.begin(block)
        record_fault(code, found, Value("i32", "%index"), lane, address, Value("i64", "%size"))
        code.give(constant("i1", "false"))


def _fault_of_lane(code: IRFunction, address: Value, outside: FaultKind | None) -> Value:
    """Returns the kind of fault of an aligned access, 0 if there is none."""
    limit, none = Value("i64", "%limit"), constant("i32", 0)
    if outside is not None:
        return code.select(code.compare("icmp uge", address, limit), constant("i32", int(outside)), none)
    write, site = code.cast("trunc", limit, "i1"), Value("ptr", "%site")
    covered = code.call(find(code.module), "i32", WORKER, address, Value("i64", "%size"), site, write)
    beyond = code.compare("icmp eq", covered, constant("i32", int(FaultKind.OUT_OF_BOUNDS)))
    may_overhang = code.compare("icmp uge", limit, integer(MAY_OVERHANG))
    with code.if_(code.binary("and", beyond, may_overhang)) as choice:
        parts = code.call(bytes_inside(code.module), "i32", WORKER, address, site, write)
        partial = code.select(code.compare("icmp eq", parts, none), covered, none)
    return choice.merged(partial, covered)
