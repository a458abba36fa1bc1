"""Answers requests: JSON in, JSON out, whatever comes in."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Mapping

from tools.explore.protocol import (
    AnswerKind,
    CompileRequest,
    Json,
    PageAnswer,
    PageRequest,
    PageRequestKind,
    RequestError,
    compile_request,
    refused,
)
from tools.explore.service.compiling import compiled, native_stage
from xegpu.diagnostics import CompileError, failing_as

_WARM_UP = "gpu.module @m { gpu.func @f(%a: memref<16xf32>) kernel { gpu.return } }"


def _compilation(data: bytes) -> dict[str, Json]:
    return compiled(compile_request(data)).json()


def _native(data: bytes) -> dict[str, Json]:
    return native_stage(compile_request(data)).json()


_ANSWERS: Mapping[PageRequestKind, Callable[[bytes], dict[str, Json]]] = {
    PageRequestKind.COMPILE: _compilation,
    PageRequestKind.NATIVE: _native,
}


def serving() -> Callable[[PageRequest], PageAnswer]:
    """Loads the compiler, and returns the function that answers requests."""
    compiled(CompileRequest(_WARM_UP))
    gc.freeze()  # what has been loaded stays
    return _answer


def _answer(request: PageRequest) -> PageAnswer:
    try:
        with failing_as(f"the request '{request.kind}'"):
            found = _ANSWERS[request.kind](request.body)
            return PageAnswer(AnswerKind.ANSWERED, json.dumps(found, allow_nan=False).encode())
    except MemoryError:
        return refused(AnswerKind.GIVEN_UP, "it needs more memory than it may have")
    except CompileError as error:
        if isinstance(error.__cause__, RequestError):
            return refused(AnswerKind.MALFORMED, str(error.__cause__))
        if isinstance(error.__cause__, MemoryError):
            return refused(AnswerKind.GIVEN_UP, "it needs more memory than it may have")
        return refused(AnswerKind.GIVEN_UP, error.diagnostics[0].message)
