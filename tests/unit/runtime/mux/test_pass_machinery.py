"""Passes by name, and pipelines of them."""

from __future__ import annotations

import pytest

from passes.frontends.optimisation import PASSES, IrError
from runtime.mux import MuxError, PassMachinery, Result

TEXT = "define i32 @f(i32 %a) {\n  %b = add i32 %a, 0\n  ret i32 %b\n}\n"


@pytest.mark.parametrize("name", PASSES)
def test_each_pass_of_llvm_runs(name: str) -> None:
    assert "@f" in PassMachinery().run(TEXT, [name])


def test_a_pipeline_is_a_list_of_names() -> None:
    machinery = PassMachinery()
    machinery.register_pass("rename", lambda text: text.replace("@f", "@g"))
    pipeline = machinery.parse_pass_pipeline("instcombine, rename,simplifycfg")
    assert pipeline == ("instcombine", "rename", "simplifycfg")
    assert machinery.parse_pass_pipeline(" ") == ()
    machinery.pipeline += pipeline
    text = machinery.run(TEXT)
    assert "add i32" not in text
    assert "@g" in text


def test_observers_see_the_module_before_and_after_each_pass() -> None:
    machinery = PassMachinery()
    seen: list[tuple[str, str, bool]] = []
    machinery.before.append(lambda name, text: seen.append(("before", name, "add i32" in text)))
    machinery.after.append(lambda name, text: seen.append(("after", name, "add i32" in text)))
    machinery.run(TEXT, ["simplifycfg", "instcombine"])
    assert seen == [
        ("before", "simplifycfg", True),
        ("after", "simplifycfg", True),
        ("before", "instcombine", True),
        ("after", "instcombine", False),
    ]


@pytest.mark.parametrize("name", ["", "a,b", "a b", "sroa", "twice"])
def test_names_of_passes_are_words_that_are_free(name: str) -> None:
    machinery = PassMachinery()
    machinery.register_pass("twice", str)
    with pytest.raises(MuxError) as caught:
        machinery.register_pass(name, str)
    assert caught.value.result is Result.INVALID_VALUE


def test_unknown_passes_are_invalid_values() -> None:
    for ask in (PassMachinery().parse_pass_pipeline, lambda text: PassMachinery().run(TEXT, [text])):
        with pytest.raises(MuxError, match="there is no pass 'sorcery'") as caught:
            ask("sorcery")
        assert caught.value.result is Result.INVALID_VALUE


def test_what_a_pass_breaks_is_found_behind_it() -> None:
    machinery = PassMachinery()
    machinery.register_pass("break", lambda text: text.replace("ret i32", "ret i64"))
    with pytest.raises(IrError):
        machinery.run(TEXT, ["break", "sroa"])
