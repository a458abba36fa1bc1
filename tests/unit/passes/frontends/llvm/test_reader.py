"""The reader of LLVM IR: every statement form that LLVM prints, and one located error for what is unknown."""

from __future__ import annotations

import re
from random import Random

import pytest

from passes.frontends.llvm.reader import (
    OPCODES,
    Access,
    Constant,
    Indices,
    Labels,
    read_module,
)
from xegpu.diagnostics import CompileError

BODY = r"""
%T = type { i32, [2 x %U], <2 x float> }
%U = type <{ i8, i64 }>
@"a b" = internal unnamed_addr addrspace(2) constant [3 x i8] c"x\00\22", align 4
@s = internal addrspace(3) global %T undef

define spir_kernel void @k(ptr byval(%T) align 8 %p, ptr addrspace(1) noundef %q, i32 %n) #0 !reqd_work_group_size !1 {
  %v = load <4 x float>, ptr addrspace(1) %q, align 16
  %1 = shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> <i32 3, i32 poison>
  switch i32 %n, label %"exit b" [
    i32 -1, label %again
    i32 7, label %"exit b"
  ]

again:                                            ; preds = %0
  %x = atomicrmw volatile umax ptr addrspace(1) %q, i32 %n syncscope("device") acq_rel, align 4, !dbg !2
  %c = tail call float @f(float nofpclass(nan) 0x3FF8000000000000, ptr align 4 getelementptr (i8, ptr @s, i64 8)) #1
  %h = fadd nnan half 0xH3C00, 1.000000e+00
  br label %"exit b"

"exit b":                                         ; preds = %again, %0
  %r = phi i1 [ true, %0 ], [ true, %0 ], [ false, %again ]
  ret void
}

!1 = !{i32 8, i32 4, i32 1}
!2 = !DILocation(line: 12, column: 3, scope: !3)
!3 = distinct !DISubprogram(name: "k", file: !4, line: 10)
!4 = !DIFile(filename: "k.cl", directory: "/src")
"""


def test_forms() -> None:
    module = read_module(BODY, "k.ll")
    (kernel,) = module.functions
    assert kernel.is_kernel
    assert [str(p.type) for p in kernel.parameters] == ["!llvm.ptr", "!llvm.ptr<1>", "i32"]
    assert "llvm.packed_struct" in str(kernel.parameters[0].by_value)
    assert module.metadata.numbers(kernel.metadata["reqd_work_group_size"]) == [8, 4, 1]
    text = module.variables["a b"].value
    assert isinstance(text, Constant) and text.value == b'x\0"'
    entry, again, done = kernel.blocks
    assert [block.label for block in kernel.blocks] == ["%0", "%again", '%"exit b"']
    _, shuffle, switch = entry.instructions
    assert shuffle.detail == Indices((3, -1))
    assert switch.detail == Labels(('%"exit b"', "%again", '%"exit b"'), (-1, 7))
    update, call, half, _ = again.instructions
    assert update.detail == Access(4, "acq_rel", True, "umax")
    assert str(update.statement.location) == 'loc("/src/k.cl":12:3)'
    first = call.operands[0]
    assert isinstance(first, Constant) and first.value == 1.5
    one = half.operands[0]
    assert isinstance(one, Constant) and one.value == 1.0
    assert len(done.instructions[0].operands) == 3


def test_opcodes() -> None:
    """Instructions that LLVM has but kernels cannot have are not read."""
    assert not OPCODES & {"invoke", "indirectbr", "landingpad", "va_arg", "callbr"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("invoke void @f() to label %a unwind label %b", "is the instruction 'invoke', which is not supported"),
        ("%x = add i32 1", "holds 'nothing' where ',' was expected"),
        ("%x = load %Missing, ptr %p", "uses type %Missing, which is not defined"),
        ("%x = add <vscale x 4 x i32> %a, %a", "has a scalable vector"),
        ("call void asm \"nop\", \"\"()", "calls inline assembly, which is not supported"),
        ("%x = alloca i32, i32 %n", "allocates memory of a size that is computed at run time"),
        ("%x = add i32 1.5.2, 2", "holds '1.5' where a value of type i32 was expected"),
        ("%x = extractvalue { i32 } %a, 7", "names part 7 of type !llvm.struct<(i32)>, which has none"),
        ("ret " + "[1 x " * 80 + "i8" + "]" * 80 + " undef", "nests deeper than 64 levels"),
        ("%x = extractvalue [2147483648 x i8] %a, 2147483648", "names part 2147483648 of type"),
        ("store [2 x i8] c\"\\zz\", ptr %p", "holds text with a backslash that two hexadecimal digits do not follow"),
        ("ret i128 0", "has a type that is not supported: 'i128'"),
    ],
)  # fmt: skip
def test_errors(line: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        read_module(f"define spir_kernel void @k() {{\n  {line}\n}}\n", "k.ll")
    assert message in str(caught.value)
    assert "k.ll:2" in str(caught.value)


def test_cut_text() -> None:
    """Every prefix of a module is a module, or ends in an error with a place."""
    outcomes = {_outcome(BODY[:end]) for end in range(0, len(BODY), 7)}
    assert outcomes == {"read", "located"}


def test_mutated_text() -> None:
    """Any token in the place of any other leaves a module, or an error with a place."""
    random = Random(5)
    tokens = [match.span() for match in re.finditer(r'"[^"]*"|[%@!#]?[\w.$-]+|\S', BODY)]
    outcomes = set()
    for _ in range(400):
        (start, end), (first, last) = random.choices(tokens, k=2)
        outcomes.add(_outcome(BODY[:start] + BODY[first:last] + BODY[end:]))
    assert outcomes == {"read", "located"}


def test_alignment_of_a_variable() -> None:
    text = '@a = addrspace(2) constant i8 0, section "align", align {}, !dbg !0\n'
    assert read_module(text.format(8), "k.ll").variables["a"].alignment == 8
    with pytest.raises(CompileError, match=r"k\.ll.*holds 'x' where a number was expected"):
        read_module(text.format("x"), "k.ll")


@pytest.mark.parametrize("field", ["line: ²", "line: 3, column: x", "line: " + "9" * 5000])
def test_places_that_no_file_has(field: str) -> None:
    module = read_module(f'!1 = !DILocation({field}, scope: !2)\n!2 = !DIFile(filename: "k.cl")\n', "k.ll")
    assert module.metadata.place("!1") is None


def _outcome(text: str) -> str:
    try:
        read_module(text, "k.ll")
    except CompileError as error:
        return "located" if re.match(r"(k\.ll|/src/k\.cl):\d", str(error)) else str(error)
    return "read"
