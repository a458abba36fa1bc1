"""Simplifies kernels in LLVM IR with LLVM: everything inlined, values instead of variables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

import llvmlite.binding as llvm

from passes.frontends.block_messages import take_blocks
from passes.frontends.builtins import DATA_LAYOUT
from passes.frontends.builtins.bodies import BodyError, define
from passes.frontends.handles import with_types
from passes.frontends.parameters import take_values
from passes.frontends.private_arrays import has_arrays, select_elements


class IrError(Exception):
    """LLVM does not accept a module. `line` is where, counting from 1, if LLVM says it."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message, line)
        self.message = message
        self.line = line

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


def optimise(text: str) -> str:
    """Returns a module with the bodies of builtins, all calls inlined and variables turned into values.

    Raises:
        IrError: The module is not valid.
    """
    simplified = run_passes(prepare(text), STEPS)
    if has_arrays(simplified) and (selecting := select_elements(simplified)) != simplified:
        return run_passes(selecting, _VALUES)
    return simplified


def prepare(text: str) -> str:
    """Returns a module with the bodies of builtins, whose functions are to be inlined, and whose kernels take values.

    Raises:
        IrError: The module declares a builtin with types for which it does not exist.
    """
    try:
        return define(take_values(take_blocks(_inlinable(text))))
    except BodyError as error:
        raise IrError(str(error)) from error


def run_passes(text: str, steps: Sequence[str]) -> str:
    """Runs LLVM's passes with some names (`PASSES`) on a module and returns the result.

    Raises:
        IrError: The module is not valid.
    """
    module = parsed(text)
    builder = llvm.create_pass_builder(_machine(), _tuning())
    manager = llvm.create_new_module_pass_manager()
    for step in steps:
        getattr(manager, f"add_{PASSES[step]}_pass")()
    manager.run(module, builder)
    module.verify()
    return str(module)


PASSES: Mapping[str, str] = {
    "adce": "aggressive_dce",
    "aggressive-instcombine": "aggressive_instcombine",
    "always-inline": "always_inliner",
    "argpromotion": "argument_promotion",
    "break-crit-edges": "break_critical_edges",
    "constmerge": "constant_merge",
    "dce": "dead_code_elimination",
    "deadargelim": "dead_arg_elimination",
    "dse": "dead_store_elimination",
    "globaldce": "global_dead_code_eliminate",
    "globalopt": "global_opt",
    "instcombine": "instruction_combine",
    "ipsccp": "ipsccp",
    "jump-threading": "jump_threading",
    "lcssa": "lcssa",
    "loop-deletion": "loop_deletion",
    "loop-rotate": "loop_rotate",
    "loop-simplify": "loop_simplify",
    "loop-unroll": "loop_unroll",
    "lower-switch": "lower_switch",
    "memcpyopt": "mem_copy_opt",
    "mergefunc": "merge_functions",
    "newgvn": "new_gvn",
    "reassociate": "reassociate",
    "sccp": "sccp",
    "simplifycfg": "simplify_cfg",
    "sink": "sinking",
    "sroa": "sroa",
    "strip": "strip_symbols",
    "strip-dead-prototypes": "strip_dead_prototype",
    "tailcallelim": "tail_call_elimination",
}
"""LLVM's passes that can be asked for, by their names in `opt`, with their names in llvmlite."""

STEPS = (
    "always-inline",
    "globaldce",
    "sroa",
    "instcombine",
    "simplifycfg",
    # Loops of a few constant iterations become straight code, in which arrays become values.
    "loop-rotate",
    "loop-unroll",
    "sroa",
    "newgvn",
    "sccp",
    "instcombine",
    "simplifycfg",
    "adce",
    "globaldce",
)
"""The passes that make kernels of the output of compilers for other languages."""

FEWEST_STEPS = ("always-inline", "globaldce", "sroa", "instcombine", "simplifycfg", "globaldce")
"""The passes without which calls and variables remain that kernels do not have."""


_VALUES = ("sroa", "newgvn", "instcombine", "simplifycfg", "adce", "globaldce")
"""The passes that make values of arrays whose elements are selected."""


def inlined(text: str) -> str:
    """Returns a module in which kernels contain what they call.

    Raises:
        IrError: The module is not valid.
    """
    return run_passes(_inlinable(text), STEPS[:2])


def check(text: str) -> None:
    """Checks a module without changing it.

    Raises:
        IrError: The module is not valid.
    """
    parsed(text)


def parsed(text: str) -> llvm.ModuleRef:
    """Returns the module in a text. Passes and linking abort the process on one that breaks LLVM's rules.

    Raises:
        IrError: The module is not valid.
    """
    module = _read(text)
    _verify(module, text)
    return module


@cache
def _prepare() -> None:
    """Lets LLVM take debug information as it is: its upgrade ends the process for a module that is not valid."""
    llvm.set_option("xegpu", "-disable-auto-upgrade-debug-info")


_FLAGS_OF_CONVERSIONS = re.compile(
    r"(= (?:[su]itofp|fpto[su]i)(?: nneg)?)(?: (?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc))+(?= )"
)
"""Permissions that LLVM 23 writes on conversions, and that the LLVM that reads them here does not know."""


def _read(text: str) -> llvm.ModuleRef:
    _prepare()
    if "\0" in text:
        raise IrError("the module contains a zero byte")
    try:
        return llvm.parse_assembly(_FLAGS_OF_CONVERSIONS.sub(r"\1", with_types(text)))
    except UnicodeEncodeError as error:
        raise IrError(f"the module is no text: {error.reason}") from error
    except RuntimeError as error:
        found = re.search(r"<string>:(\d+):\d+: error: (.*)", str(error))
        raise IrError(found[2] if found else str(error), int(found[1]) if found else None) from error


def _verify(module: llvm.ModuleRef, text: str) -> None:
    try:
        module.verify()
    except RuntimeError as error:
        message, _, rest = str(error).partition("\n")
        raise IrError(message, _line_of(rest, text)) from error


def _line_of(report: str, text: str) -> int | None:
    """Returns the line of the first instruction that a report of the verifier shows."""
    shown = {line.strip() for line in report.splitlines() if line.startswith("  ")}
    return next((number for number, line in enumerate(text.splitlines(), 1) if line.strip() in shown), None)


_LINKAGES = "|".join(
    (
        *("private", "internal", "available_externally", "linkonce", "linkonce_odr", "weak", "weak_odr", "external"),
        *("dso_local", "dso_preemptable", "default", "hidden", "protected"),
    )
)
"""The words that a definition begins with: its linkage, preemption and visibility."""


def _inlinable(text: str) -> str:
    """Returns a module in our data layout whose functions, kernels excepted, are inlined wherever they are called."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{DATA_LAYOUT}"', text, flags=re.MULTILINE)
    text = re.sub(r"^declare !dbg !\d+ ", "declare ", text, flags=re.MULTILINE)
    text = re.sub(r"^(attributes #\d+ = \{.*)$", _without_hints, text, flags=re.MULTILINE)
    return re.sub(r"^define [^\n]*$", _with_hint, text, flags=re.MULTILINE)


def _without_hints(found: re.Match[str]) -> str:
    return re.sub(r"\b(noinline|optnone|alwaysinline|minsize|optsize)\b ?", "", found[0])


def _with_hint(found: re.Match[str]) -> str:
    head = found[0]
    if " spir_kernel " in head or (head.startswith("define internal") and " alwaysinline " in head):
        return head
    head = re.sub(rf"^define (?:(?:{_LINKAGES}) )*", "define internal ", head)
    place = _end_of_parameters(head)
    return f"{head[:place]} alwaysinline{head[place:]}"


def _end_of_parameters(head: str) -> int:
    """Returns the place behind the parameters of a definition."""
    name = re.search(r'@(?:"[^"]*"|[\w.$-]+)', head)
    depth = 0
    for place in range(name.end() if name else 0, len(head)):
        depth += (head[place] == "(") - (head[place] == ")")
        if depth == 0:
            return place + 1
    return len(head)


@cache
def _machine() -> llvm.TargetMachine:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple("spirv64-unknown-unknown").create_target_machine()


@cache
def _tuning() -> llvm.PipelineTuningOptions:
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_unrolling = False
    return options
