"""Every call that runs out of memory says so, and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from passes.frontends.spirv import assemble
from runtime.mux import Context, Module, NDRangeOptions, Result, get_info
from runtime.mux.program import info as infos, kernel as kernels, module as modules, target as targets
from tests.unit.runtime.mux.support import empty, needs_clang, opencl, refused, target
from tests.unit.runtime.mux.test_module import LLVM, SPIRV, SQUARES

pytestmark = needs_clang


def exhausted(*_: object, **__: object) -> object:
    raise MemoryError


def finalised() -> Module:
    module = opencl(SQUARES)
    module.finalize()
    return module


@pytest.mark.parametrize(
    ("make", "patched", "call"),
    [
        (empty, "compile_opencl_c", lambda module: module.compile_opencl_c("FULL_PROFILE", SQUARES)),
        (empty, "translate", lambda module: module.compile_spirv(assemble(SPIRV))),
        (empty, "check", lambda module: module.compile_llvm_ir(LLVM)),
        (empty, "parse_options", lambda module: module.parse_options("")),
        (empty, "link", lambda module: module.link([opencl(SQUARES)])),
        (lambda: opencl(SQUARES), "read_module", lambda module: module.finalize()),
        (finalised, "compile_ir", lambda module: module.create_binary()),
        (finalised, "serialized", lambda module: module.serialize()),
    ],
)
def test_modules(
    make: Callable[[], Module], patched: str, call: Callable[[Module], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = make()
    state = module.state
    monkeypatch.setattr(modules, patched, exhausted)
    assert refused(call, module) is Result.OUT_OF_MEMORY
    assert module.state is state
    assert module.log.num_errors == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda kernel: kernel.precache_local_size(8, 1, 1),
        lambda kernel: kernel.create_specialized_kernel(NDRangeOptions((8, 1, 1), (8,), (0,), 1)),
        lambda kernel: kernel.get_dynamic_work_width(8, 1, 1),
        lambda kernel: kernel.get_sub_group_size(),
        lambda kernel: kernel.query_sub_group_size_for_local_size(8, 1, 1),
        lambda kernel: kernel.query_local_size_for_sub_group_count(1),
        lambda kernel: kernel.query_max_sub_group_count(),
    ],
)
def test_kernels(call: Callable[[object], object], monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = finalised().get_kernel("squares")
    monkeypatch.setattr(kernels, "compile_ir", exhausted)
    assert refused(call, kernel) is Result.OUT_OF_MEMORY


def test_objects_that_are_not_made_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    module = finalised()
    monkeypatch.setattr(modules, "Kernel", exhausted)
    assert module.create_kernel("squares") is None
    assert module.get_kernel("squares") is None
    found = target()
    monkeypatch.setattr(type(found), "module_class", exhausted)
    assert found.create_module() is None
    monkeypatch.setattr(targets, "check", exhausted)
    assert refused(found.init_with_builtins, "") is Result.OUT_OF_MEMORY
    monkeypatch.setattr(infos, "Target", exhausted)
    assert get_info("pvc").create_target(Context()) is None


def test_bytes_for_which_there_is_no_memory_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    data = opencl(SQUARES).serialize()
    module = empty()
    monkeypatch.setattr(modules, "deserialized", exhausted)
    assert not module.deserialize(data)
