"""The driver of `xegpu-tune`: estimates combinations, runs the best ones, and shows the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from runtime.cluster import ClusterError, Workers
from tools.cli import CommandError, UsageError, display_name, read_bytes, write_bytes
from tools.run.inputs import MAX_INPUT
from tools.tune.command import TuneOptions, parameters
from tools.tune.expressions import NoValueError, names_in
from tools.tune.job import Job, JobOutcome, measure, predict
from tools.tune.results import Candidate, TuneResult, document, picture, ranked, show
from tools.tune.search import planned, search
from tools.tune.study import Study
from tools.tune.template import Settings, fill, has_places, names_of

Work = Callable[[Job], JobOutcome]

_WIDTH = 120
"""Columns of a table that is not printed on a terminal."""


def run(options: TuneOptions) -> int:
    """Executes the command line. Returns 0, or 1 if no combination is right.

    Raises:
        CommandError: If the input is wrong.
    """
    space = parameters(options)
    template = _Template(options)
    template.require_places(space)
    _require_folders(options)
    found: dict[tuple[object, ...], Candidate] = {}
    with (
        Study(options.study) as study,
        _workers(options) as workers,
        Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=options.quiet or not sys.stderr.isatty(),
        ) as progress,
    ):
        sweep = _Sweep(study, workers, progress, ends_at_misuse=not template.launch_varies)
        bar = progress.add_task("estimating", total=planned(options, space))

        def evaluate(asked: Sequence[Settings]) -> list[float]:
            outcomes = sweep.outcomes(predict, [template.job_or_failure(settings) for settings in asked], bar)
            for settings, outcome in zip(asked, outcomes, strict=True):
                found.setdefault(tuple(settings.values()), Candidate(settings, outcome))
            return [float("inf") if outcome.error or outcome.cycles is None else outcome.cycles for outcome in outcomes]

        search(options, space, evaluate)
        best = [candidate for candidate in ranked(list(found.values())) if not candidate.predicted.error]
        bar = progress.add_task("running", total=min(len(best), options.runs))
        # Where none of the best ones is right, the next ones run, too.
        for start in range(0, len(best), options.runs):
            chosen = best[start : start + options.runs]
            jobs = [template.job(candidate.settings) for candidate in chosen]
            for candidate, outcome in zip(chosen, sweep.outcomes(measure, jobs, bar), strict=True):
                candidate.measured = outcome
            if any(candidate.is_right for candidate in chosen):
                break
    result = TuneResult(template.name, options.target, options.search, space, ranked(list(found.values())))
    _show(result, options, template)
    return 0 if result.winner is not None else 1


class _Template:
    """The kernel and its launch, in which parameters are left."""

    def __init__(self, options: TuneOptions) -> None:
        self.name = display_name(options.file)
        try:
            self._source = read_bytes(options.file, MAX_INPUT).decode()
        except UnicodeDecodeError:
            raise CommandError("is not UTF-8 text: expected a kernel in MLIR, OpenCL C or LLVM IR", self.name) from None
        self._options = options
        self._expects = tuple(_expected(text) for text in options.expect)

    def require_places(self, parameters: Iterable[str]) -> None:
        """Raises `UsageError` if nothing depends on one of the parameters: then many combinations are the same."""
        given = self._options
        texts = [self._source, given.grid, *given.arg, given.group, given.pipeline, given.build_options]
        if not any(text is not None and has_places(text) for text in texts):
            raise UsageError("neither the kernel nor an option contains ${...}: no parameter has an effect")
        used = {name for text in texts if text is not None for name in names_of(text)}
        used.update(name for condition in given.where for name in names_in(condition))
        for name in parameters:
            if name not in used:
                raise UsageError(f"--param '{name}' has no effect: neither the kernel nor an option contains it")

    @property
    def launch_varies(self) -> bool:
        """True if an option may be wrong for some combinations only."""
        texts = (*self._options.arg, self._options.pipeline, self._options.build_options)
        return any(text is not None and has_places(text) for text in texts)

    def source(self, settings: Settings) -> str:
        """Returns the kernel with parameters in place."""
        return fill(self._source, settings, self.name)

    def job_or_failure(self, settings: Settings) -> Job | JobOutcome:
        """Returns the job of a combination, or its failure if an expression has no value for it."""
        try:
            return self.job(settings)
        except NoValueError as error:
            return JobOutcome(error=error.message("xegpu-tune"))

    def job(self, settings: Settings) -> Job:
        """Returns the job of a combination. Raises `UsageError` for an expression that is wrong."""
        given = self._options

        def filled(text: str | None) -> str | None:
            return None if text is None else fill(text, settings)

        return Job(
            name=self.name,
            source=self.source(settings),
            grid=fill(given.grid, settings),
            args=tuple(fill(text, settings) for text in given.arg),
            expects=self._expects,
            target=given.target,
            kernel=given.kernel,
            group=filled(given.group),
            op_level=given.op_level,
            pipeline=filled(given.pipeline),
            build_options=filled(given.build_options),
            relative=given.rtol,
            absolute=given.atol,
            check=given.check,
        )


class _Sweep:
    """Does jobs whose outcomes are not known yet."""

    def __init__(self, study: Study, workers: Workers, progress: Progress, *, ends_at_misuse: bool) -> None:
        self._ends_at_misuse = ends_at_misuse
        self._study = study
        self._workers = workers
        self._progress = progress

    def outcomes(self, work: Work, jobs: Sequence[Job | JobOutcome], bar: TaskID) -> list[JobOutcome]:
        """Returns the outcomes of jobs, in their order, and keeps those that are new. Failures are outcomes already."""
        known = [job if isinstance(job, JobOutcome) else self._study.outcome(work, job) for job in jobs]
        new = [(number, job) for number, job in enumerate(jobs) if isinstance(job, Job) and known[number] is None]
        self._progress.advance(bar, len(jobs) - len(new))
        try:
            for place, outcome in self._workers.map(work, [job for _, job in new]):
                number, job = new[place]
                known[number] = outcome
                self._study.add(work, job, outcome)
                self._progress.advance(bar)
        except ClusterError as error:
            raise CommandError(str(error)) from None
        found = [outcome for outcome in known if outcome is not None]
        misuse = next((outcome for outcome in found if outcome.is_misuse), None)
        if misuse is not None and self._ends_at_misuse:
            raise UsageError(misuse.error)
        return found


def _workers(options: TuneOptions) -> Workers:
    try:
        return Workers(options.scheduler, options.workers)
    except ClusterError as error:
        raise CommandError(str(error)) from None


def _expected(text: str) -> tuple[str, str]:
    argument, equals, value = text.partition("=")
    if not argument or not equals or not value:
        raise UsageError(f"--expect '{text[:80]}': expected the number or name of an argument, '=' and a value")
    return argument, value


def _show(result: TuneResult, options: TuneOptions, template: _Template) -> None:
    winner = result.winner
    if options.json:
        print(json.dumps(document(result), indent=1))
    else:
        show(result, Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH))
        print(_summary(result))
    if options.svg is not None:
        write_bytes(options.svg, picture(result).encode())
    if options.output is not None and winner is not None:
        write_bytes(options.output, template.source(winner.settings).encode())


def _summary(result: TuneResult) -> str:
    winner = result.winner
    if winner is None or winner.measured is None:
        return "no combination computes the right result"
    return (
        f"best: {winner.words}: {winner.measured.cycles} cycles, bound by {winner.measured.bound}; the result is right"
    )


def _require_folders(options: TuneOptions) -> None:
    """Raises `CommandError` if a result could not be written after a long search."""
    for path in (options.output, options.svg):
        if path is not None and not Path(path).parent.is_dir():
            raise CommandError("cannot be written: its folder does not exist", path)
