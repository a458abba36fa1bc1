"""Attributes and metadata of functions: what marks a kernel, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.mux import BUILTINS, MuxIrError, define_builtins
from runtime import Device
from tests.unit.passes.frontends.mux.harness import KernelText, both_engines, launched
from xegpu.diagnostics import CompileError

ENTRY = 'attributes #0 = { "mux-kernel"="entry-point" }\n'


def compiled(text: str) -> list[str]:
    """Returns the names of the kernels of a module."""
    return list(Device("pvc").compile(text, filename="k.ll", language="llvm"))


def storing(name: str, value: int, after: str = "#0") -> str:
    """Returns a function that stores a number."""
    body = f"  store i32 {value}, ptr addrspace(1) %p\n  ret void\n"
    return f"define void @{name}(ptr addrspace(1) %p) {after} {{\n{body}}}\n"


def stored(text: str, name: str) -> int:
    """Returns what a kernel stores."""
    out = np.zeros(1, np.int32)
    Device("pvc").compile(text, language="llvm")[name][(1,), (1,)](out)
    return int(out[0])


def test_entry_points_are_kernels_and_nothing_else_is() -> None:
    text = "\n".join(
        [
            storing("first", 1),
            storing("second", 2, '"mux-kernel"'),
            storing("third", 3, '"mux-kernel"="entry-point"'),
            storing("fourth", 4, ""),
            storing("fifth", 5, "").replace("define void", "define spir_kernel void"),
            ENTRY,
        ]
    )
    assert compiled(text) == ["first", "third"]


def test_without_the_attribute_the_calling_convention_tells() -> None:
    text = storing("first", 1, "").replace("define void", "define spir_kernel void") + storing("second", 2, "")
    assert compiled(text + BUILTINS["__mux_get_work_dim"].declaration + "\n") == ["first"]


def test_a_wrapper_has_the_name_of_the_kernel() -> None:
    """The wrapped function is called, under another name."""
    wrapper = storing("k.mux-kernel-wrapper", 1, '"mux-kernel"="entry-point" "mux-orig-fn"="k" "mux-base-fn-name"="k"')
    wrapper = wrapper.replace("store i32 1, ptr addrspace(1) %p", "call spir_func void @k(ptr addrspace(1) %p)")
    text = storing("k", 8, "").replace("define void", "define spir_func void") + wrapper
    assert compiled(text) == ["k"]
    assert stored(text, "k") == 8


def test_kernels_call_kernels() -> None:
    """Debug information stays with the kernel that is launched."""
    caller = storing("caller", 1).replace("ret void", "call void @callee(ptr addrspace(1) %p)\n  ret void")
    callee = storing("callee", 6, "#0 !dbg !4").replace("ret void", "ret void, !dbg !5")
    places = """\
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!6}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cl", directory: "/")
!2 = !DISubroutineType(types: !3)
!3 = !{null}
!4 = distinct !DISubprogram(name: "callee", file: !1, line: 7, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 9, column: 3, scope: !4)
!6 = !{i32 2, !"Debug Info Version", i32 3}
"""
    text = caller + callee + ENTRY + places
    assert compiled(text) == ["caller", "callee"]
    assert stored(text, "caller") == stored(text, "callee") == 6


def test_attributes_and_metadata_that_are_right() -> None:
    after = "#0 !reqd_work_group_size !0 !max_work_dim !1 !intel_reqd_sub_group_size !2 !mux_scheduled_fn !3"
    attributes = '"mux-local-mem-usage"="64" "mux-work-item-order"="zxy" "mux-no-subgroups" "mux-base-fn-name"="k"'
    nodes = "!0 = !{i32 8, i32 2, i32 1}\n!1 = !{i32 2}\n!2 = !{i32 16}\n!3 = !{i32 -1, i32 -1}\n"
    module = (
        '!opencl.ocl.version = !{!4}\n!4 = !{i32 3, i32 0}\n!mux-scheduling-params = !{!5}\n!5 = !{!"item", !"group"}\n'
    )
    text = storing("k", 5, after) + ENTRY.replace(" }", f" {attributes} }}") + nodes + module
    kernel = Device("pvc").compile(text, language="llvm")["k"]
    out = np.zeros(1, np.int32)
    kernel[(1,), (8, 2)](out)
    assert out[0] == 5


@pytest.mark.parametrize(
    ("after", "nodes", "message"),
    [
        ('"mux-local-mem-usage"="none"', "", '"mux-local-mem-usage"="none": expected a positive integer'),
        ('"mux-local-mem-usage"="0"', "", "expected a positive integer"),
        ('"mux-work-item-order"="xyy"', "", "expected an order of the letters x, y and z"),
        ('"mux-orig-fn"=""', "", "expected the name of a function"),
        ('"mux-kernel"', "", 'has the attribute "mux-kernel", and none has "mux-kernel"="entry-point"'),
        ("!reqd_work_group_size !0", "!0 = !{i32 8, i32 2}", "expected three positive integers i32"),
        ("!reqd_work_group_size !0", "!0 = !{i32 8, i32 0, i32 1}", "expected three positive integers i32"),
        ("!reqd_work_group_size !0", "!0 = !{i64 8, i64 1, i64 1}", "expected three positive integers i32"),
        ("!max_work_dim !0", "!0 = !{i32 4}", "expected an i32 from 1 to 3"),
        (
            "!max_work_dim !0 !reqd_work_group_size !1",
            "!0 = !{i32 1}\n!1 = !{i32 8, i32 2, i32 1}",
            "expected at least 2, since the work-group has the size (8, 2, 1)",
        ),
        ("!intel_reqd_sub_group_size !0", "!0 = !{i32 16, i32 8}", "expected one positive integer i32"),
        ("!mux_scheduled_fn !0", "!0 = !{i32 -1}", "expected two or four integers i32"),
        (
            "!mux_scheduled_fn !0",
            "!0 = !{i32 -1, i32 1}",
            "expected numbers of parameters, of which there are 1",
        ),
        (
            "!mux_scheduled_fn !0",
            "!0 = !{i32 0, i32 -1}",
            "expected -1 for each",
        ),
    ],
)
def test_wrong_attributes_and_metadata(after: str, nodes: str, message: str) -> None:
    text = f"{BUILTINS['__mux_get_work_dim'].declaration}\n{storing('k', 1, after)}{nodes}\n"
    with pytest.raises(CompileError) as refused:
        compiled(text)
    assert str(refused.value).startswith("k.ll:2:1: error: function 'k' has")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ("!opencl.ocl.version = !{!0}\n!0 = !{i32 3}", "has !opencl.ocl.version: expected !{i32 major, i32 minor}"),
        ("!mux-scheduling-params = !{!0}\n!0 = !{i32 3}", "has !mux-scheduling-params: expected strings"),
    ],
)
def test_wrong_metadata_of_modules(metadata: str, message: str) -> None:
    text = storing("k", 1) + ENTRY + metadata + "\n"
    line = text[: text.index(metadata)].count("\n") + 1
    with pytest.raises(MuxIrError) as refused:
        define_builtins(text)
    assert str(refused.value) == f"line {line}: {message}"


def test_kernels_return_nothing() -> None:
    text = 'define i32 @k() "mux-kernel"="entry-point" {\n  ret i32 0\n}\n'
    with pytest.raises(MuxIrError, match=r"line 1: function 'k' has .* and returns i32: kernels return void"):
        define_builtins(text)


def test_two_entry_points_of_one_kernel() -> None:
    text = storing("k", 1) + storing("other", 1, '"mux-kernel"="entry-point" "mux-orig-fn"="k"') + ENTRY
    with pytest.raises(
        MuxIrError, match='line 5: function \'other\' has "mux-orig-fn"="k", as another entry point has'
    ):
        define_builtins(text)


def test_functions_that_say_so_use_no_sub_groups() -> None:
    text = (
        "declare i1 @__mux_sub_group_any_i1(i1)\n"
        'define void @k() "mux-kernel"="entry-point" "mux-no-subgroups" {\n'
        "  %a = call i1 @__mux_sub_group_any_i1(i1 true)\n  ret void\n}\n"
    )
    with pytest.raises(MuxIrError, match=r'line 2: .*"mux-no-subgroups" and calls __mux_sub_group_any_i1'):
        define_builtins(text)


@both_engines
@pytest.mark.sampled(every=4)
def test_degenerate_sub_groups_are_work_groups(engine: str) -> None:
    """A function that the kernel calls works in the same sub-group."""
    items = 40
    kernel = KernelText()
    value = kernel.load("i32")
    queries = ("get_sub_group_id", "get_num_sub_groups", "get_max_sub_group_size", "get_sub_group_size")
    for name in (*queries, "get_sub_group_local_id"):
        kernel.store("i32", kernel.call(BUILTINS[f"__mux_{name}"]))
    kernel.store("i32", kernel.op(f"call i32 @sum(i32 {value})"))
    calls = {
        "scan_exclusive_smax": (value,),
        "broadcast": (value, str(items - 1)),
        "shuffle": (value, "37"),
        "shuffle_xor": (value, "7"),
        "shuffle_up": ("-1", value, "3"),
        "shuffle_down": (value, "-2", "5"),
    }
    for name, arguments in calls.items():
        row = BUILTINS[f"__mux_sub_group_{name}_i32"]
        kernel.store("i32", kernel.call(row, *(f"i32 {argument}" for argument in arguments)))
    positive = kernel.op(f"icmp sgt i32 {value}, 1000")
    anywhere = kernel.call(BUILTINS["__mux_sub_group_any_i1"], f"i1 {positive}")
    kernel.store("i32", kernel.op(f"zext i1 {anywhere} to i32"))
    head = "define i32 @sum(i32 %x) {\n  %s = call i32 @__mux_sub_group_reduce_add_i32(i32 %x)\n  ret i32 %s\n}\n"
    kernel.declared.add(BUILTINS["__mux_sub_group_reduce_add_i32"].declaration)
    values = np.random.default_rng(4).integers(-900, 900, 2 * items).astype(np.int32)
    values[-1] = 2000
    out = np.zeros((kernel.rows, 2, items), np.int32)
    launched(kernel.text(head, '"mux-degenerate-subgroups"'), engine, (2,), (items,), values, out)
    numbers = np.arange(items)
    for group, mine in enumerate(values.reshape(2, items)):
        before = np.maximum.accumulate([np.iinfo(np.int32).min, *mine[:-1].tolist()])
        up = np.where(numbers >= 3, mine[numbers - 3], -1)
        down = np.where(numbers < items - 5, mine[(numbers + 5) % items], -2)
        xor = np.where(numbers ^ 7 < items, mine[(numbers ^ 7) % items], mine[0])
        wanted = [0, 1, items, items, numbers, mine.sum(), before, mine[-1], mine[37], xor, up, down, mine.max() > 1000]
        np.testing.assert_array_equal(out[:, group], [np.broadcast_to(each, items) for each in wanted])
