"""Functions that compiled kernels share: finding allocations, checking lanes, recording faults."""

from __future__ import annotations

import ctypes

from runtime.llvm import IRFunction, IRModule, Value, constant, integer, vector
from runtime.simulator.faults import FaultKind
from runtime.simulator.jit.launch_records import LaunchRecord, Worker
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
    low, high = code.variable("i64", "low", 8), code.variable("i64", "high", 8)
    code.store(integer(0), low, 8)
    code.store(load_field(code, launch, LaunchRecord, "ranges"), high, 8)

    def item(array: Value, index: Value, type: str, size: int) -> Value:
        return code.load(type, code.offset(array, code.binary("mul", index, integer(size))), size)

    # Binary search for the first start above the address.
    code.jump("search")
    code.label("search")
    bottom, top = code.load("i64", low, 8), code.load("i64", high, 8)
    code.branch(code.compare("icmp ult", bottom, top), "halve", "found")
    code.label("halve")
    middle = code.binary("lshr", code.binary("add", bottom, top), integer(1))
    before = code.compare("icmp ule", item(starts, middle, "i64", 8), address)
    code.store(code.select(before, code.binary("add", middle, integer(1)), bottom), low, 8)
    code.store(code.select(before, top, middle), high, 8)
    code.jump("search")
    code.label("found")
    code.unlikely(code.compare("icmp eq", bottom, integer(0)), "outside")
    index = code.binary("sub", bottom, integer(1))
    start = item(starts, index, "i64", 8)
    length = code.binary("sub", item(ends, index, "i64", 8), start)
    code.unlikely(code.compare("icmp uge", code.binary("sub", address, start), room(code, length, size)), "outside")
    allowed = code.compare("icmp ne", item(writable, index, "i8", 1), constant("i8", 0))
    code.unlikely(code.compare("icmp ugt", Value("i1", "%write"), allowed), "refused")
    code.store(start, site, 8)
    code.store(length, code.offset(site, 8), 8)
    code.give(constant("i32", 0))
    code.label("outside")
    code.give(constant("i32", int(FaultKind.OUT_OF_BOUNDS)))
    code.label("refused")
    code.give(constant("i32", int(FaultKind.READ_ONLY)))


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
    number = code.variable("i64", "number", 8)
    code.store(Value(vector(count, "i64"), "%addresses"), addresses, 64)
    code.store(integer(0), number, 8)
    size, limit = Value("i64", "%size"), Value("i64", "%limit")
    code.jump("next_lane")
    code.label("next_lane")
    i = code.load("i64", number, 8)
    code.store(code.binary("add", i, integer(1)), number, 8)
    code.branch(code.compare("icmp eq", i, integer(count)), "well", "enabled")
    code.label("enabled")
    bit = code.binary("lshr", Value("i32", "%mask"), code.cast("trunc", i, "i32"))
    code.branch(code.cast("trunc", bit, "i1"), "check", "next_lane")
    code.label("check")
    address = code.load("i64", code.offset(addresses, code.binary("shl", i, integer(3))), 8)
    lane = code.binary("add", Value("i32", "%lane"), code.cast("trunc", i, "i32"))
    low = code.binary("and", address, Value("i64", "%alignment"))
    code.unlikely(code.compare("icmp ne", low, integer(0)), "misaligned")
    code.jump("check_aligned")
    code.label("check_aligned")
    if outside is not None:
        beyond = code.compare("icmp uge", address, limit)
        kind = code.select(beyond, constant("i32", int(outside)), constant("i32", 0))
    else:
        write = code.cast("trunc", limit, "i1")
        site, none = Value("ptr", "%site"), constant("i32", 0)
        covered = code.call(find(code.module), "i32", WORKER, address, size, site, write)
        beyond = code.compare("icmp eq", covered, constant("i32", int(FaultKind.OUT_OF_BOUNDS)))
        may_overhang = code.compare("icmp uge", limit, integer(MAY_OVERHANG))
        code.branch(code.binary("and", beyond, may_overhang), "overhang", "searched")
        code.label("overhang")
        parts = code.call(bytes_inside(code.module), "i32", WORKER, address, site, write)
        partial = code.select(code.compare("icmp eq", parts, none), covered, none)
        code.jump("searched")
        code.label("searched")
        kind = code.phi((covered, "check_aligned"), (partial, "overhang"))
    code.branch(code.compare("icmp eq", kind, constant("i32", 0)), "next_lane", "fault")
    code.label("well")
    code.give(constant("i1", "true"))
    index = Value("i32", "%index")
    code.label("misaligned")
    record_fault(code, FaultKind.MISALIGNED, index, lane, address, size)
    code.give(constant("i1", "false"))
    code.label("fault")
    record_fault(code, kind, index, lane, address, size)
    code.give(constant("i1", "false"))
