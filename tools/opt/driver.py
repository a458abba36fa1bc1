"""The driver of `xegpu-opt`: xDSL's, extended by located messages, expected diagnostics and binary outputs."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.targets.mlir import MLIRTarget
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError, ShrinkException
from xdsl.utils.target import Target

import passes
from passes.frontends import import_source, observing
from passes.pipeline_text import PipelineError, parse_passes
from tools.cli import STANDARD_STREAM, UsageError, is_colored, refuse_terminal, write_bytes
from tools.opt.binary_target import BinaryOptions, BinaryTarget
from tools.opt.command import OptOptions, pass_names
from tools.opt.expectations import expectations, mismatches
from tools.opt.inputs import SPLIT_MARKER, language_of, read, split
from tools.opt.ir_printing import IRPrinting, PassSelection
from tools.opt.output_formats import OUTPUT_FORMATS
from tools.opt.running import PassRunner, described, flatten
from tools.opt.timing import PassTiming
from tools.texts.diagnostics import message
from xegpu import suggestion
from xegpu.diagnostics import CompileError, Diagnostic, Severity, SourceBuffer, failing_as, handling
from xegpu.dialects import register_dialects
from xegpu.dialects.printer import MLIRPrinter
from xegpu.mlir import parse_module, verify
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # the dialects and passes that few runs need
    import passes.xe.allocate_registers as allocate_registers
    import tools.opt.layout_target as layout_target
    import tools.opt.pass_help as pass_help


@dataclass
class Outcome:
    """The result of processing one piece of the input."""

    output: bytes | None = None
    """The output; None if there were errors."""
    messages: list[Diagnostic] = field(default_factory=list)
    is_parsed: bool = False


class OptDriver:
    """Reads modules, runs passes and writes the results.

    Errors have file, line and column, and `--verify-diagnostics` compares them with the comments of the input.
    """

    def __init__(self, options: OptOptions):
        self.args = options
        self.available_passes = passes.available()
        self.ctx = Context()
        self.ctx.allow_unregistered = options.allow_unregistered_dialect
        register_dialects(self.ctx)
        self.passes = self._passes()
        self.printing = self._printing()
        self.timing = PassTiming()

    def _passes(self) -> Sequence[ModulePass]:
        texts, target = list(self.args.passes), self.args.target or ""
        if target:
            level = "" if self.args.op_level is None else f" op-level={self.args.op_level}"
            texts.append(f"xe-pipeline{{target={target}{level}}}")
        elif self.args.op_level is not None:
            raise UsageError("--op-level requires --target; a pipeline has xegpu-infer-op-level{level=...} instead")
        try:
            return [step for text in texts for step in parse_passes(text, self.available_passes, self.ctx, target)]
        except PipelineError as error:
            raise UsageError(str(error)) from error

    def run(self) -> int:
        """Executes the command line. Returns 0, or 1 if the input is wrong, which has been reported then.

        Raises:
            CommandError: If a file cannot be read or written.
            UsageError: If the arguments cannot be satisfied.
        """
        if self.args.list_passes:
            print(*pass_names(), sep="\n")
            return 0
        if self.args.show_dialects:
            print(*sorted(self.ctx.registered_dialect_names), sep="\n")
            return 0
        if self.args.help_pass is not None:
            return self._describe_pass(self.args.help_pass)
        target = self._target()
        if self.args.dump_pass_pipeline:
            steps = list(flatten(self.passes))
            print(f"Pass Manager with {len(steps)} passes:", file=sys.stderr)
            print(",".join(str(step.spec()) for step in steps), end="\n\n", file=sys.stderr)
        try:
            return self._process(target)
        finally:
            if self.args.timing:
                print(self.timing.report(self.args.timing_display), file=sys.stderr)

    def _process(self, target: Target) -> int:
        whole = self._source()
        pieces = list(split(whole)) if self.args.split_input_file else [whole]
        if isinstance(target, BinaryTarget) and len(pieces) > 1:
            raise UsageError(
                f"output format '{target.name}' expects a single module, got an input of {len(pieces)} pieces"
            )
        try:
            outcomes = [self._run_piece(piece, target) for piece in pieces]
        except ShrinkException:
            print("Success, can shrink")
            return 0
        is_good = True
        for piece, outcome in zip(pieces, outcomes, strict=True):
            is_good &= self._report(whole, piece, outcome)
        if is_good or self.args.output == STANDARD_STREAM:
            self._write([outcome.output for outcome in outcomes if outcome.output is not None])
        if self.args.shrink:
            print("Failure, can't shrink")
            return 1
        return 0 if is_good else 1

    def _source(self) -> SourceBuffer:
        if self.args.view_layout is None:
            return read(self.args.input_file)
        return layout_target.tile_source(self.args.view_layout)

    def _describe_pass(self, name: str) -> int:
        if name not in self.available_passes:
            raise self._unknown_pass(name)
        print(pass_help.describe(self.available_passes[name]()))
        return 0

    def _unknown_pass(self, name: str) -> UsageError:
        return UsageError(f"there is no pass '{name}'{suggestion(name, self.available_passes)}")

    def _target(self) -> Target:
        """Returns the output that `-t` names; MLIR text also obeys the options for printing."""
        formats = {**Universe.get_multiverse().all_targets, **OUTPUT_FORMATS}
        try:
            spec = parse_spec(self.args.output_format if self.args.view_layout is None else "layout")
            if spec.name not in formats:
                hint = suggestion(spec.name, formats) or f": expected one of {', '.join(formats)}"
                raise UsageError(f"unknown output format '{spec.name}'{hint}")
            target = formats[spec.name]().from_spec(spec)
        except (ArgSpecParseError, ValueError) as error:
            raise UsageError(f"--output-format: {error}") from error
        if isinstance(target, BinaryTarget):
            refuse_terminal(self.args.output)
        if isinstance(target, MLIRTarget):
            return replace(
                target,
                print_generic_format=self.args.print_op_generic,
                print_properties_as_attributes=self.args.print_no_properties,
                print_debuginfo=self.args.print_debuginfo,
                syntax_highlight=self.args.output == STANDARD_STREAM and is_colored(self.args.color, sys.stdout),
            )
        return target

    def _run_piece(self, piece: SourceBuffer, target: Target) -> Outcome:
        outcome = Outcome()
        seen: set[Diagnostic] = set()

        def keep(diagnostic: Diagnostic) -> None:
            if diagnostic not in seen:  # rules run again after every pass
                seen.add(diagnostic)
                outcome.messages.append(diagnostic)

        with handling(keep):
            try:
                with self.timing.scope("Parser"):
                    module = self._parse(piece)
                outcome.is_parsed = True
                self._run_passes(module)
                if self.args.print_register_pressure:
                    _print_register_pressure(module)
                with self.timing.scope("Output"):
                    outcome.output = self._encode(module, target)
            except CompileError as error:
                if self.args.traceback:
                    traceback.print_exception(error)
                outcome.messages.extend(error.diagnostics)
        return outcome

    def _parse(self, piece: SourceBuffer) -> ModuleOp:
        """Returns a piece of the input as MLIR."""
        language = language_of(piece, llvm=self.args.import_llvm, spirv=self.args.import_spirv)
        if language == "mlir":
            return parse_module(self.ctx, piece, allow_implicit_module=not self.args.no_implicit_module)
        with observing(_print_stage) if self.args.print_import else nullcontext():
            return import_source(piece.text, piece.name, language)

    def _run_passes(self, module: ModuleOp) -> None:
        self._verify(module)
        steps = self.passes

        def verify_after(step: ModulePass) -> None:
            self._verify(module, step)
            if self.args.print_between_passes and step is not steps[-1]:
                print(f"IR after {described(step)}:", file=sys.stderr)
                MLIRPrinter(stream=sys.stderr).print_op(module)
                print("\n\n\n", file=sys.stderr)

        PassRunner(self.ctx, self.printing, self.timing, self.args.time_passes).run(steps, module, verify_after)

    def _printing(self) -> IRPrinting:
        """Returns the selection of what to print before and after passes."""
        arguments = self.args
        for name in (*arguments.print_ir_before, *arguments.print_ir_after):
            if name not in self.available_passes:
                raise self._unknown_pass(name)
        return IRPrinting(
            before=PassSelection(arguments.print_ir_before_all, arguments.print_ir_before),
            after=PassSelection(
                arguments.print_ir_after_all or (arguments.print_ir_after_change and not arguments.print_ir_after),
                arguments.print_ir_after,
            ),
            only_changes=arguments.print_ir_after_change,
            after_failure=arguments.print_ir_after_failure,
            generic=arguments.print_op_generic,
            debuginfo=arguments.print_debuginfo,
        )

    def _verify(self, module: ModuleOp, after: ModulePass | None = None) -> None:
        if self.args.disable_verify:
            return
        try:
            with self.timing.scope("Verifier"):
                verify(module)
        except CompileError as error:
            if after is None:
                raise
            remark = Diagnostic(Severity.NOTE, f"after pass '{described(after)}'")
            first, *others = error.diagnostics
            raise CompileError.of([replace(first, notes=(*first.notes, remark)), *others]) from error

    def _encode(self, module: ModuleOp, target: Target) -> bytes:
        with failing_as(f"output '{target.name}'"):
            if isinstance(target, BinaryTarget):
                return target.encode(module, BinaryOptions(not self.args.strip_debug, self.args.debug_prefix_map))
            text = StringIO()
            target.emit(self.ctx, module, text)
            return text.getvalue().encode()

    def _report(self, whole: SourceBuffer, piece: SourceBuffer, outcome: Outcome) -> bool:
        """Prints the messages about one piece. Returns whether it is as expected."""
        messages = outcome.messages
        if self.args.verify_diagnostics:
            try:
                messages = list(mismatches(expectations(piece), messages))
            except CompileError as error:
                messages = list(error.diagnostics)
        tolerated = self.args.parsing_diagnostics and not outcome.is_parsed
        for diagnostic in messages:
            print(message(diagnostic, whole, "xegpu-opt"), file=sys.stdout if tolerated else sys.stderr)
        return tolerated or all(entry.severity is not Severity.ERROR for entry in messages)

    def _write(self, outputs: Sequence[bytes]) -> None:
        write_bytes(self.args.output, f"{SPLIT_MARKER}\n".encode().join(outputs))


def _print_stage(name: str, text: str) -> None:
    """Prints kernels on their way to MLIR."""
    print(f"// -----// {name} //----- //\n{text}", file=sys.stderr)


def _print_register_pressure(module: ModuleOp) -> None:
    for pressure in allocate_registers.pressures(module):
        print(pressure, file=sys.stderr)
