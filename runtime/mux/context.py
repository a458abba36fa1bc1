"""The context of a compiler: its lock, and questions about SPIR-V (specification: chapter Context)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import TracebackType

from passes import frontends
from passes.frontends.spirv import SpirvError, specializations
from runtime.concurrency import LockRank, ranked_lock
from runtime.mux.results import MuxError, Result
from xegpu.diagnostics import CompileError

SpirvCode = bytes | bytearray | memoryview | Sequence[int]
"""A module in SPIR-V: its bytes, or its words of 32 bits."""

_WORD = 4


class ConstantKind(Enum):
    """The kinds of specializable constants."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    FLOATING_POINT = "floating point"


_KINDS = {"i1": ConstantKind.BOOLEAN, "half": ConstantKind.FLOATING_POINT} | dict.fromkeys(
    ("float", "double"), ConstantKind.FLOATING_POINT
)
"""The kinds of the types of LLVM that are no integers."""


@dataclass(frozen=True)
class SpecializableConstant:
    """A specializable constant: its kind, the bytes that its value takes, and the value that it has of its own."""

    kind: ConstantKind
    size: int
    default: bytes


class Context:
    """The state that compilers share, which one thread at a time may use (specification: `compiler::Context`).

    Whatever works on a module holds the lock of its context. A thread that holds the lock may take it again, so that
    several calls can be made as one: `with context: ...`.
    """

    def __init__(self) -> None:
        self._lock = ranked_lock(LockRank.COMPILER_CONTEXT, reentrant=True)

    def lock(self) -> None:
        """Waits until no other thread holds the lock, and takes it (specification: `lock`)."""
        self._lock.acquire()

    def try_lock(self) -> bool:
        """Takes the lock if no other thread holds it, and says whether it did (specification: `try_lock`)."""
        return self._lock.acquire(blocking=False)

    def unlock(self) -> None:
        """Gives the lock back (specification: `unlock`).

        Raises:
            MuxError: `FAILURE` if the thread does not hold it.
        """
        try:
            self._lock.release()
        except RuntimeError:
            raise MuxError(Result.FAILURE, "the context is not locked by this thread") from None

    def __enter__(self) -> Context:
        self.lock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unlock()

    def is_valid_spirv(self, code: SpirvCode) -> bool:
        """Says whether kernels in SPIR-V follow its rules (specification: `isValidSPIRV`)."""
        with self:
            try:
                frontends.inspect_spirv((spirv_bytes(code), {}))
            except (CompileError, MuxError):
                return False
            return True

    def get_specializable_constants(self, code: SpirvCode) -> Mapping[int, SpecializableConstant]:
        """Returns the specializable constants of a module by their ids (specification: `getSpecializableConstants`).

        Raises:
            MuxError: `INVALID_VALUE` for code that is no SPIR-V; the message says where.
        """
        with self:
            try:
                found = specializations(spirv_bytes(code))
            except SpirvError as error:
                raise MuxError(Result.INVALID_VALUE, str(error)) from error
        return {
            each.number: SpecializableConstant(
                _KINDS.get(each.type_name, ConstantKind.INTEGER), each.size, each.default
            )
            for each in found
        }


def spirv_bytes(code: SpirvCode) -> bytes:
    """Returns the bytes of a module.

    Raises:
        MuxError: `INVALID_VALUE` for words that do not fit 32 bits.
    """
    if isinstance(code, bytes | bytearray | memoryview):
        return bytes(code)
    try:
        return b"".join(int(word).to_bytes(_WORD, "little") for word in code)
    except (OverflowError, TypeError, ValueError) as error:
        raise MuxError(Result.INVALID_VALUE, f"SPIR-V consists of words of 32 bits: {error}") from error
