"""The requests of the page and their answers, which the server passes on without the compiler."""

from tools.explore.protocol.messages import AnswerKind, PageAnswer, PageRequest, PageRequestKind, refused
from tools.explore.protocol.requests import (
    ASSEMBLIES,
    ASSEMBLY,
    NATIVE_ASSEMBLY,
    OP_LEVELS,
    SOURCE_LANGUAGES,
    SUFFIXES,
    CompileRequest,
    Json,
    RequestError,
    RunRequest,
    compile_request,
    run_request,
)

__all__ = [
    "ASSEMBLIES",
    "ASSEMBLY",
    "NATIVE_ASSEMBLY",
    "OP_LEVELS",
    "SOURCE_LANGUAGES",
    "SUFFIXES",
    "AnswerKind",
    "CompileRequest",
    "Json",
    "PageAnswer",
    "PageRequest",
    "PageRequestKind",
    "RequestError",
    "RunRequest",
    "compile_request",
    "refused",
    "run_request",
]
