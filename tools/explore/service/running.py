"""Runs a kernel, and tells what it has computed, which errors it has, and where its time goes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from runtime import Device, ZeError
from runtime.simulator.profile import Profile, profile_document, roofline_svg, slices
from tools.cli import CommandError, ReportedError, UsageError
from tools.explore.protocol import ASSEMBLY, Json, RunRequest
from tools.explore.service.compiling import compiled
from tools.run.command import RunOptions
from tools.run.kernel_run import KernelRun, choose_kernel
from tools.run.values import Array

MAX_MEMORY = 256 << 20
"""The bytes that the arguments of a run may take together."""
MOST_CELLS = 128
"""The rows and the columns of the largest heat map; larger arrays are shown by the means of blocks."""
MOST_SLICES = 4096
"""The threads of the longest timeline."""

_TIME_LIMIT = 0.75
"""The part of the time for an answer that a launch gets, so that it ends with a report of where it is."""

_FILE = ".npy"


def run(request: RunRequest, timeout: float) -> dict[str, Json]:
    """Returns the results of a run, the findings of its checks, and its profile.

    The kernel that is run is that of the compilation; a launch that fails has `error` instead of results.

    Raises:
        CompileError: There is no kernel to run.
    """
    compilation = compiled(request.compilation)
    if compilation.binary is None:
        if request.compilation.language == ASSEMBLY:
            return _failure("assembly has no arguments: only kernels in other languages can be run")
        return _failure("there is no binary to run: see the messages of the compilation")
    if any(_FILE in text for text in request.arguments):
        return _failure("arrays are not read from files here")
    try:
        device = Device(
            request.compilation.target,
            checks=request.check or None,
            profile=True,
            time_limit=timeout * _TIME_LIMIT,
            memory_limit=MAX_MEMORY,
            progress=_no_progress,
        )
    except ValueError as error:
        return _failure(str(error))
    options = RunOptions(
        grid=request.grid, group=request.group or None, arg=list(request.arguments), memory_limit=str(MAX_MEMORY)
    )
    filename = request.compilation.filename
    try:
        with device:
            kernel = choose_kernel(device.load(compilation.binary), request.kernel or None, filename)
            job = KernelRun(device, kernel, options)
            result = job()
    except (CommandError, UsageError, ReportedError) as error:
        return _failure(str(error))
    except ZeError as error:
        return {**_failure(error.text), "findings": list(_findings(error.text, filename))}
    arrays = [(name, value) for name, value in zip(kernel.parameter_names, job.arguments.values, strict=True)]
    found: dict[str, Json] = {
        "error": None,
        "findings": [],
        "summary": f"{result.kernel}: {result.groups} work-groups, {result.threads} subgroups, "
        f"{result.instructions} instructions",
        "results": [_picture(name, value) for name, value in arrays if isinstance(value, np.ndarray)],
    }
    if result.profile is not None:
        found["profile"] = _profile(result.profile, filename)
    return found


def _failure(reason: str) -> dict[str, Json]:
    return {"error": reason, "findings": [], "results": []}


def _no_progress(kernel: str, groups: int) -> None:
    """Shows no progress."""


_SOURCE = re.compile(r"^  source: (.*):(\d+):(\d+)$", re.MULTILINE)


def _findings(report: str, filename: str) -> Iterator[Json]:
    """Yields the findings of a report with the line of the first place in the source that each names."""
    for text in report.split("\n\n"):
        match = _SOURCE.search(text)
        if match is not None:
            is_here = match[1] == filename
            yield {"line": int(match[2]) if is_here else 0, "column": int(match[3]) if is_here else 0, "message": text}


def _picture(name: str, array: Array) -> Json:
    """Returns an array as a heat map: its rows are all axes but the last; large ones are means of blocks."""
    numbers = array.astype(np.float64).reshape(-1, array.shape[-1] if array.ndim and array.size else 1)
    rows, columns = numbers.shape
    step = max(1, -(-rows // MOST_CELLS)), max(1, -(-columns // MOST_CELLS))
    finite = np.isfinite(numbers)
    blocks: list[Json] = [
        [_mean(numbers[row : row + step[0], column : column + step[1]]) for column in range(0, columns, step[1])]
        for row in range(0, rows, step[0])
    ]
    return {
        "name": name,
        "type": "x".join(map(str, (*array.shape, array.dtype))),
        "rows": rows,
        "columns": columns,
        "block": list(step),
        "cells": blocks,
        "least": float(numbers[finite].min()) if finite.any() else None,
        "most": float(numbers[finite].max()) if finite.any() else None,
        "not_finite": int(numbers.size - np.count_nonzero(finite)),
    }


def _mean(block: NDArray[np.float64]) -> float | None:
    """Returns the mean of a block; None if it has elements that are no numbers."""
    mean = float(block.mean())
    return mean if isfinite(mean) else None


def _profile(profile: Profile, filename: str) -> Json:
    """Returns a profile: what `xegpu-run --profile` tells, by the lines of the source."""
    cycles: Counter[int] = Counter()
    for entry in profile.lines:
        if entry.place is not None and entry.place.file == filename:
            cycles[entry.place.line] += entry.cycles
    document = profile_document(profile)
    threads = list(islice(slices(profile), MOST_SLICES))
    return {
        "lines": {str(line): spent for line, spent in cycles.items()},
        "estimate": document["estimate"],
        "utilisation": document["utilisation"],
        "registers": document["registers"],
        "channels_on": document["channels_on"],
        "memory": document["memory"],
        "instructions": [
            {"offset": entry.offset, "executed": entry.executed, "cycles": entry.cycles}
            for entry in profile.instructions
        ],
        "roofline": "" if profile.roofline is None else roofline_svg(profile),
        "timeline": {
            "threads": profile.statistics.threads,
            "end": float(profile.estimate.cycles),
            "slices": [
                [each.core, each.eu, each.slot, float(each.start), float(each.cycles), *each.group, each.thread]
                for each in threads
            ],
        },
    }
