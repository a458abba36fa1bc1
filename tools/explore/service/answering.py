"""Answers requests: JSON in, JSON out, whatever comes in."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Mapping

from passes.frontends import own_headers_only
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
    run_request,
)
from tools.explore.service.compiling import compiled, native_stage
from tools.explore.service.layouts import layouts
from tools.explore.service.running import run
from xegpu.diagnostics import CompileError, failing_as

_WARM_UP = "gpu.module @m { gpu.func @f(%a: memref<16xf32>) kernel { gpu.return } }"


_ANSWERS: Mapping[PageRequestKind, Callable[[PageRequest], dict[str, Json]]] = {
    PageRequestKind.COMPILE: lambda request: compiled(compile_request(request.body)).json(),
    PageRequestKind.NATIVE: lambda request: native_stage(compile_request(request.body)).json(),
    PageRequestKind.RUN: lambda request: run(run_request(request.body), request.seconds),
    PageRequestKind.LAYOUTS: lambda request: layouts(compile_request(request.body)),
}


def serving(*, includes: bool = True) -> Callable[[PageRequest], PageAnswer]:
    """Loads the compiler, and returns the function that answers requests; `includes` lets kernels include files."""
    compiled(CompileRequest(_WARM_UP))
    gc.freeze()  # what has been loaded stays
    return _answer if includes else _answer_without_files


def _answer_without_files(request: PageRequest) -> PageAnswer:
    with own_headers_only():
        return _answer(request)


def _answer(request: PageRequest) -> PageAnswer:
    try:
        with failing_as(f"the request '{request.kind}'"):
            found = _ANSWERS[request.kind](request)
            return PageAnswer(AnswerKind.ANSWERED, json.dumps(found, allow_nan=False).encode())
    except MemoryError:
        return refused(AnswerKind.GIVEN_UP, "it needs more memory than it may have")
    except CompileError as error:
        if isinstance(error.__cause__, RequestError):
            return refused(AnswerKind.MALFORMED, str(error.__cause__))
        if isinstance(error.__cause__, MemoryError):
            return refused(AnswerKind.GIVEN_UP, "it needs more memory than it may have")
        return refused(AnswerKind.GIVEN_UP, error.diagnostics[0].message)
