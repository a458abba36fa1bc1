"""The state of a stopped program as editors show it: threads, frames, variables, memory and instructions."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

from runtime.debugger import DebugError, Expression, StoppedThread, registers
from tools.debug.dap import fields
from tools.debug.dap.messages import Json
from tools.debug.dap.session import DapResponse, DapSession
from tools.debug.remote.state import RemoteState

_MOST_BYTES = 1 << 20
_MOST_INSTRUCTIONS = 10_000
_PLACE, _GENERAL, _OTHERS = 1, 2, 3
_SCOPES = {_PLACE: "Place", _GENERAL: "Registers", _OTHERS: "Architecture"}
"""The scopes of a thread, by what is added to the reference of its frame."""

_PER_FRAME, _PER_THREAD = 1 << 3, 1 << 20
"""The distances between the numbers of frames, and of threads; frames of a thread show the same registers."""

_PLACES = ("group_x", "group_y", "group_z", "subgroup", "index")


def threads(session: DapSession, arguments: Json) -> DapResponse:
    """Returns the threads that are stopped; one that stands for the kernel if none is."""
    if not session.is_stopped:
        return DapResponse({"threads": [{"id": 1, "name": "kernel"}]})
    state = session.debugger.state
    found = [
        {"id": number + 1, "name": f"subgroup {number} of work-group {state.execution.group}"}
        for number, thread in enumerate(state.threads())
        if thread in (StoppedThread.STOPPED, StoppedThread.HELD)
    ]
    return DapResponse({"threads": found})


def stack(state: RemoteState, arguments: Json) -> Json:
    """Returns the frames of a thread, the innermost first."""
    thread = fields.number(arguments, "threadId")
    frames: list[Json] = []
    if state.is_stopped:
        state.select(thread - 1)
        indices = state.backtrace()
        names = [*(_callee(state, call) for call in indices[1:]), state.listing.name]
        frames = [
            _frame(state, thread * _PER_THREAD + depth * _PER_FRAME, name, index)
            for depth, (name, index) in enumerate(zip(names, indices, strict=True))
        ]
    return {"stackFrames": frames, "totalFrames": len(frames)}


def _callee(state: RemoteState, call: int) -> str:
    """Returns the label of the subroutine that a call begins."""
    listing = state.listing
    is_direct = not listing.program.instructions[call].spec.flow.by_register
    target = listing.program.branch_target(call) if is_direct else None
    return "subroutine" if target is None else listing.labels.get(target, "subroutine")


def _frame(state: RemoteState, number: int, name: str, index: int) -> Json:
    """Returns a frame: the place of an instruction."""
    place = state.listing.location(index)
    frame: dict[str, object] = {
        "id": number,
        "name": name,
        "line": 0 if place is None else place.line,
        "column": 0 if place is None else place.column,
        "instructionPointerReference": hex(state.kernel.address_of(index)),
    }
    if place is not None:
        frame["source"] = {"name": Path(place.file).name, "path": str(Path(place.file).absolute())}
    return frame


def scopes(session: DapSession, arguments: Json) -> DapResponse:
    """Returns the scopes of a frame."""
    frame = fields.number(arguments, "frameId")
    found = [
        {"name": name, "variablesReference": frame + number, "expensive": number == _GENERAL}
        for number, name in _SCOPES.items()
    ]
    return DapResponse({"scopes": found})


def variables(state: RemoteState, arguments: Json) -> Json:
    """Returns the variables of a scope."""
    reference = fields.number(arguments, "variablesReference")
    state.select(reference // _PER_THREAD - 1)
    found = [{"name": name, "value": _value(state, name), "variablesReference": 0} for name in _names(state, reference)]
    return {"variables": found}


def _names(state: RemoteState, reference: int) -> Iterator[str]:
    thread, kind = state.thread, reference % _PER_FRAME
    if kind == _PLACE:
        yield from _PLACES
    elif kind == _GENERAL:
        yield from (f"r{number}" for number in range(len(thread.registers) // thread.target.platform.grf_bytes))
    elif kind == _OTHERS:
        yield from (f"f{number}" for number in range(thread.target.platform.flag_registers))
        yield from ("a0", "cr0", "sr0", "mask")
    else:
        raise DebugError(f"there is no scope {reference}")


def set_variable(state: RemoteState, arguments: Json) -> Json:
    """Sets a register, and returns its value."""
    name = fields.text(arguments, "name")
    state.select(fields.number(arguments, "variablesReference") // _PER_THREAD - 1)
    value = Expression.parse(fields.text(arguments, "value")).value(state.scope)
    registers.write(name, state.thread, value)
    state.registers_changed()
    return {"value": _value(state, name)}


def evaluate(state: RemoteState, arguments: Json) -> Json:
    """Returns the value of an expression in a frame."""
    if "frameId" in arguments:
        state.select(fields.number(arguments, "frameId") // _PER_THREAD - 1)
    return {"result": _value(state, fields.text(arguments, "expression")), "variablesReference": 0}


def _value(state: RemoteState, text: str) -> str:
    expression = Expression.parse(text)
    operand = expression.operand(state.scope)
    if operand is not None:
        return operand.text()
    value = expression.value(state.scope)
    return str(value[0]) if len(value) == 1 else f"[{' '.join(map(str, value))}]"


def read_memory(state: RemoteState, arguments: Json) -> Json:
    """Returns bytes of memory, as many as there are."""
    start = fields.address(arguments, "memoryReference") + fields.number(arguments, "offset", 0)
    count = fields.number(arguments, "count")
    if not 0 <= count <= _MOST_BYTES:
        raise DebugError(f"{count} bytes, at most {_MOST_BYTES} are read at once")
    try:
        data = state.memory.read("global", start, count).tobytes() if count else b""
    except DebugError:
        data = b""
    return {
        "address": hex(start),
        "data": base64.b64encode(data).decode(),
        "unreadableBytes": count - len(data),
    }


def write_memory(state: RemoteState, arguments: Json) -> Json:
    """Overwrites bytes of memory."""
    start = fields.address(arguments, "memoryReference") + fields.number(arguments, "offset", 0)
    try:
        data = base64.b64decode(fields.text(arguments, "data"), validate=True)
    except ValueError:
        raise DebugError("'data' is not in base 64") from None
    state.memory.write("global", start, data)
    return {"bytesWritten": len(data)}


def disassemble(state: RemoteState, arguments: Json) -> Json:
    """Returns instructions around an address; as many as are asked for, as editors expect, some perhaps none."""
    start = fields.address(arguments, "memoryReference") + fields.number(arguments, "offset", 0)
    count, shift = fields.number(arguments, "instructionCount"), fields.number(arguments, "instructionOffset", 0)
    if not 0 <= count <= _MOST_INSTRUCTIONS:
        raise DebugError(f"{count} instructions, at most {_MOST_INSTRUCTIONS} are shown at once")
    kernel = state.kernel_at(start)
    if kernel is None:
        raise DebugError(f"no kernel has code at {start:#x}")
    program, listing = kernel.executable.program, kernel.listing
    first = max((i for i, offset in enumerate(program.offsets) if kernel.address + offset <= start), default=0) + shift
    found: list[Json] = []
    for index in range(first, first + count):
        if not 0 <= index < len(program.instructions):
            outside = (kernel.address + index) if index < 0 else kernel.end + index
            found.append(
                {"address": hex(outside & (1 << 64) - 1), "instruction": "(no code)", "presentationHint": "invalid"}
            )
            continue
        entry: dict[str, object] = {"address": hex(kernel.address_of(index)), "instruction": listing.text(index)}
        place = listing.location(index)
        if place is not None:
            path = str(Path(place.file).absolute())
            entry |= {"location": {"name": Path(path).name, "path": path}, "line": place.line}
        if index in listing.labels:
            entry["symbol"] = listing.labels[index]
        found.append(entry)
    return {"instructions": found}
