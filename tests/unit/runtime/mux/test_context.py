"""The context: its lock, and questions about SPIR-V."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from passes.frontends.spirv import assemble
from runtime.mux import ConstantKind, Context, MuxError, Result

MODULE = """
               OpCapability Kernel
               OpCapability Addresses
               OpCapability Linkage
               OpCapability Int64
               OpCapability Float64
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %f "f"
               OpDecorate %on SpecId 3
               OpDecorate %count SpecId 7
               OpDecorate %scale SpecId 9
               OpDecorate %wide SpecId 11
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %ulong = OpTypeInt 64 0
     %double = OpTypeFloat 64
       %void = OpTypeVoid
         %on = OpSpecConstantTrue %bool
      %count = OpSpecConstant %uint 42
      %scale = OpSpecConstant %double 1.5
       %wide = OpSpecConstant %ulong 5
      %plain = OpConstant %uint 1
         %ft = OpTypeFunction %void
          %f = OpFunction %void None %ft
      %start = OpLabel
               OpReturn
               OpFunctionEnd
"""


@pytest.fixture(scope="module")
def module() -> bytes:
    return assemble(MODULE)


def in_thread(action: Callable[[], object]) -> list[object]:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(action()))
    thread.start()
    thread.join()
    return found


class TestLock:
    def test_one_thread_holds_it_at_a_time(self) -> None:
        context = Context()
        context.lock()
        assert in_thread(context.try_lock) == [False]
        context.unlock()
        assert in_thread(lambda: (context.try_lock(), context.unlock())) == [(True, None)]

    def test_a_block_holds_it(self) -> None:
        context = Context()
        with context:
            assert in_thread(context.try_lock) == [False]
        assert in_thread(lambda: (context.try_lock(), context.unlock())) == [(True, None)]

    def test_who_holds_it_may_use_the_context(self, module: bytes) -> None:
        context = Context()
        with context:
            assert context.is_valid_spirv(module)

    def test_questions_wait_for_it(self, module: bytes) -> None:
        context = Context()
        found: list[bool] = []
        with context:
            thread = threading.Thread(target=lambda: found.append(context.is_valid_spirv(module)))
            thread.start()
            thread.join(0.05)
            assert found == []
        thread.join()
        assert found == [True]

    def test_only_who_holds_it_gives_it_back(self) -> None:
        with pytest.raises(MuxError, match="FAILURE: the context is not locked by this thread"):
            Context().unlock()


class TestSpirv:
    def test_a_module_is_valid_as_bytes_and_as_words(self, module: bytes) -> None:
        words = np.frombuffer(module, np.uint32)
        for code in (module, bytearray(module), memoryview(module), words.tolist(), list(words)):
            assert Context().is_valid_spirv(code)

    @pytest.mark.parametrize(
        "code",
        [b"", b"\x03\x02\x23\x07", b"not SPIR-V at all...", [0x07230203], [-1] * 8, [1 << 32] * 8],
        ids=["empty", "magic", "text", "one word", "negative", "wide"],
    )
    def test_what_is_no_module_is_not_valid(self, code: bytes | list[int]) -> None:
        assert not Context().is_valid_spirv(code)

    def test_a_module_that_is_cut_off_is_not_valid(self, module: bytes) -> None:
        for end in range(module.index(b"f\0\0\0") + 4, len(module), 4):
            assert not Context().is_valid_spirv(module[:end])

    def test_specializable_constants_have_kinds_sizes_and_values(self, module: bytes) -> None:
        found = Context().get_specializable_constants(module)
        assert {number: (each.kind, each.size) for number, each in found.items()} == {
            3: (ConstantKind.BOOLEAN, 1),
            7: (ConstantKind.INTEGER, 4),
            9: (ConstantKind.FLOATING_POINT, 8),
            11: (ConstantKind.INTEGER, 8),
        }
        assert int.from_bytes(found[7].default, "little") == 42
        assert np.frombuffer(found[9].default, np.float64)[0] == 1.5

    @pytest.mark.parametrize("code", [b"", b"\x03\x02\x23\x07" * 8, [-1]])
    def test_what_is_no_module_has_no_constants(self, code: bytes | list[int]) -> None:
        with pytest.raises(MuxError) as caught:
            Context().get_specializable_constants(code)
        assert caught.value.result is Result.INVALID_VALUE
