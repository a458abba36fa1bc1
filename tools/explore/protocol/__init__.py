"""The requests of the page and their answers, which the server passes on without the compiler."""

from tools.explore.protocol.messages import (
    AnswerKind as AnswerKind,
    PageAnswer as PageAnswer,
    PageRequest as PageRequest,
    PageRequestKind as PageRequestKind,
    refused as refused,
)
from tools.explore.protocol.requests import (
    ASSEMBLIES as ASSEMBLIES,
    ASSEMBLY as ASSEMBLY,
    NATIVE_ASSEMBLY as NATIVE_ASSEMBLY,
    OP_LEVELS as OP_LEVELS,
    SOURCE_LANGUAGES as SOURCE_LANGUAGES,
    SUFFIXES as SUFFIXES,
    CompileRequest as CompileRequest,
    Json as Json,
    RequestError as RequestError,
    RunRequest as RunRequest,
    compile_request as compile_request,
    run_request as run_request,
)
