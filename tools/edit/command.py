"""The options of `zebin-edit`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import CommandParser, ExitStatus, add_gpu_member, add_output, refuse_terminal

Edit = tuple[str, str]
"""An option and its argument."""


class EditOptions(argparse.Namespace):
    """The parsed command line."""

    file: str
    edits: list[Edit]
    output: str | None
    in_place: bool
    member: str | None
    target: str | None
    code: list[str]
    force: bool
    extract: bool


def parse(argv: Sequence[str] | None) -> EditOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "zebin-edit",
        "Change .ze_info of a ZEBIN. Edits are made in the given order; items of lists are selected by number or name. "
        "All other bytes of the file stay unchanged. Edits that would make a driver refuse the file are rejected.",
        examples=(
            "zebin-edit gemm.zebin -o big.zebin --set 'kernels[gemm].execution_env.grf_count=256'",
            "zebin-edit gemm.zebin --in-place --delete kernels_misc_info",
            "zebin-edit fat.ar -o out.ar --target pvc --set 'kernels[0].user_attributes.vec_type_hint=float'",
            "zebin-edit program --extract --member 3/64.bmg -o kernels.zebin",
            "zebin-edit gemm.zebin --replace-code gemm=gemm.asm -o tuned.zebin",
            "zebin-dump --diff gemm.zebin big.zebin",
        ),
        statuses={ExitStatus.FAILURE: "an edit cannot be made, or a file cannot be read or written"},
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="ZEBIN, fat binary, or with --extract any file with device code; - for standard input",
    )
    edits = parser.add_argument_group("edits")
    for option, metavar, words in (
        ("--set", "PATH=VALUE", "set a key, adding it if it is missing"),
        (
            "--append",
            "PATH=JSON",
            'append an item to a list, for example binding_table_indices={"bti_value": 3, "arg_index": 3}',
        ),
        ("--delete", "PATH", "remove a key and everything below it, or an item of a list"),
    ):
        edits.add_argument(option, action=_InOrder, dest="edits", default=[], metavar=metavar, help=words)
    edits.add_argument(
        "--replace-code",
        action="append",
        dest="code",
        default=[],
        metavar="KERNEL=FILE",
        help="assemble a file and put the code into a kernel, before all other edits; repeatable",
    )
    edits.add_argument("--force", action="store_true", help="write the result even if a driver would refuse it")
    result = parser.add_argument_group("result")
    result.add_argument(
        "--extract", action="store_true", help="write the chosen ZEBIN of a program or fat binary alone"
    )
    where = result.add_mutually_exclusive_group(required=True)
    add_output(where, "where to write the result", is_required=True)
    where.add_argument("--in-place", action="store_true", help="write the result to FILE")
    add_gpu_member(parser.add_argument_group("selection"))
    options = parser.parse(argv, EditOptions())
    if not (options.edits or options.extract or options.code):
        parser.error("nothing to do: give --set, --append, --delete, --replace-code or --extract")
    if options.in_place and options.extract:
        parser.error("--extract writes another file: name it with -o")
    if options.in_place and options.file == "-":
        parser.error("--in-place needs a file")
    if options.output is not None:
        refuse_terminal(options.output)
    return options


class _InOrder(argparse.Action):
    """Collects several options in one list, in the order of the command line."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        edits: list[Edit] = [*getattr(namespace, self.dest), (option_string or "", str(values))]
        setattr(namespace, self.dest, edits)
