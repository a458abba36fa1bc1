"""Structured control flow in assembly: what it becomes, and how misuse is refused."""

from __future__ import annotations

import pytest

from xegpu.isa import AssemblyError, assemble, assemble_program

COMPARE = "cmp (16|M0) (lt)f0.0 null:d r1:d 3:d\n"


def same(structured: str, plain: str) -> None:
    assert assemble(structured) == assemble(plain)


def test_if() -> None:
    same(
        "(f0.0) if (16|M0)\nmov (16|M0) r2:d 1:d\nendif (16|M0)\neot",
        """
        (~f0.0) goto (16|M0) L L
        mov (16|M0) r2:d 1:d
        L: join (16|M0) M
        M: eot
        """,
    )


def test_if_and_else() -> None:
    same(
        "(~f0.1) if (16|M0)\nmov (16|M0) r2:d 1:d\nelse (16|M0)\nmov (16|M0) r2:d 2:d\nendif (16|M0)\neot",
        """
        (f0.1) goto (16|M0) Else Else
        mov (16|M0) r2:d 1:d
        goto (16|M0) Else End
        Else: join (16|M0) End
        mov (16|M0) r2:d 2:d
        End: join (16|M0) M
        M: eot
        """,
    )


def test_loop() -> None:
    same(
        "do\nmov (16|M0) r2:d 1:d\n(f0.0) while (16|M0)\neot",
        """
        Head: mov (16|M0) r2:d 1:d
        (f0.0) goto.b (16|M0) Behind Head
        Behind: join (16|M0) M
        M: eot
        """,
    )


def test_channels_that_leave_a_loop_from_inside_of_ifs() -> None:
    same(
        """
        do
        (f0.0) if (16|M0)
        (f1.0) break (16|M0)
        else (16|M0)
        cont (16|M0)
        endif (16|M0)
        (f2.0) break (16|M0)
        while (16|M0)
        eot
        """,
        """
        Head:
        (~f0.0) goto (16|M0) Else Else
        (f1.0) goto (16|M0) Else Behind
        goto (16|M0) Else End
        Else: join (16|M0) End
        goto (16|M0) End Again
        End: join (16|M0) Again
        (f2.0) goto (16|M0) Again Behind
        Again: join (16|M0) Behind
        goto.b (16|M0) Behind Head
        Behind: join (16|M0) M
        M: eot
        """,
    )


def test_without_a_cont_there_is_no_join_in_front_of_while() -> None:
    same(
        "do\n(f0.0) break (16|M0)\nwhile (16|M0)\neot",
        """
        Head: (f0.0) goto (16|M0) Back Behind
        Back: goto.b (16|M0) Behind Head
        Behind: join (16|M0) M
        M: eot
        """,
    )


def test_halted_channels_wait_in_front_of_the_next_eot_outside() -> None:
    same(
        "(f0.0) halt (16|M0)\n(f0.1) if (16|M0)\nhalt (16|M0)\nendif (16|M0)\nnop\neot\n"
        "(f0.1) if (16|M0)\neot\nendif (16|M0)\neot",
        """
        (f0.0) goto (16|M0) Exit Exit
        (~f0.1) goto (16|M0) End End
        goto (16|M0) End Exit
        End: join (16|M0) Exit
        nop
        Exit: join (16|M0) M
        M: eot
        (~f0.1) goto (16|M0) Last Last
        eot
        Last: join (16|M0) N
        N: eot
        """,
    )


def test_labels_name_the_first_instruction_of_what_a_word_becomes() -> None:
    same(
        "jmpi (1|M0) A\n(f0.0) if (16|M0)\nA: else (16|M0)\nB: endif (16|M0)\njmpi (1|M0) B\neot",
        """
        jmpi (1|M0) A
        (~f0.0) goto (16|M0) Else Else
        A: goto (16|M0) Else B
        Else: join (16|M0) B
        B: join (16|M0) C
        C: jmpi (1|M0) B
        eot
        """,
    )


def test_instructions_come_from_where_the_words_are() -> None:
    program = assemble_program("  (f0.0) if (16|M0)\n else (16|M0)\nendif (16|M0)\neot")
    assert program.places == ((1, 3), (2, 2), (2, 2), (3, 1), (4, 1))


def test_nesting_has_no_limit() -> None:
    depth = 5000
    text = "(f0.0) if (16|M0)\n" * depth + "do\n" * depth + "while (16|M0)\n" * depth + "endif (16|M0)\n" * depth
    assert len(assemble_program(text + "eot").instructions) == 4 * depth + 1


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("else (16|M0)", 1, 1, "else without if"),
        ("  endif (16|M0)", 1, 3, "endif without if"),
        ("while (16|M0)", 1, 1, "while without do"),
        ("do\nelse (16|M0)\nwhile (16|M0)", 2, 1, "else inside of the do at 1:1"),
        ("do\n endif (16|M0)\nwhile (16|M0)", 2, 2, "endif inside of the do at 1:1"),
        ("do\n(f0.0) if (16|M0)\nwhile (16|M0)\nendif (16|M0)\nwhile (16|M0)", 3, 1, "while inside of the if at 2:1"),
        ("(f0.0) if (16|M0)\nelse (16|M0)\nelse (16|M0)\nendif (16|M0)", 3, 1, "second else of the if at 1:1"),
        ("(f0.0) break (16|M0)", 1, 1, "break outside of a loop"),
        ("(f0.0) if (16|M0)\ncont (16|M0)\nendif (16|M0)", 2, 1, "cont outside of a loop"),
        ("do\nwhile (16|M0)\nbreak (16|M0)", 3, 1, "break outside of a loop"),
        ("nop\n(f0.0) if (16|M0)\nnop", 2, 1, "if without endif"),
        ("nop\n  do\nnop", 2, 3, "do without while"),
        ("nop\nhalt (16|M0)\nnop", 2, 1, "halt without an eot after it, outside of ifs and loops"),
        ("if (16|M0)", 1, 1, "if needs a predicate"),
        ("(f0.0.any) if (16|M0)", 1, 1, "if takes a plain predicate"),
        ("(f0.0) else (16|M0)", 1, 1, "else takes no predicate"),
        ("(f0.0) do", 1, 1, "do takes no predicate"),
        ("(W&f0.0) if (16|M0)", 1, 1, "if takes no (W)"),
        ("(f0.0) if.x (16|M0)", 1, 8, "if takes no '.x'"),
        ("(f0.0) if", 1, 10, "expected execution size and channel offset such as (16|M0), found the end of the line"),
        ("(f0.0) if (16|M16)", 1, 11, "if works on all channels of the thread, from M0"),
        ("(f0.0) if (16|M0) L", 1, 19, "unexpected 'L'"),
        ("do (16|M0)", 1, 4, "unexpected '('"),
        ("(f0.0) if (16|M0)\nendif (8|M0)", 2, 7, "execution size 8, the program's other ifs and loops have 16"),
        ("(f0.0) if (3|M0)\nendif (3|M0)\neot", 1, 1, "execution size 3 is not one of 1, 2, 4, 8, 16, 32"),
        ("(f0.0) if (16|M0)\nendif (16|M0)", 2, 1, "the branch does not go to an instruction of the program"),
    ],
)  # fmt: skip
def test_misuse_is_refused_with_its_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        assemble(text)
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, message)
