"""The displays of kernels, modules and results in notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.api.kernel import LaunchResult
from runtime.simulator import Executable
from xegpu.isa import ArgumentKind, KernelArgument, format_program
from xegpu.markup import figures, folded, heading, listing, table


def kernel_html(executable: Executable, signature: str) -> str:
    """Returns a kernel as HTML: its resources, its arguments and its code, each instruction with its cycles."""
    description = executable.description
    facts, size = description.facts, description.facts.required_work_group_size
    resources: dict[str, object] = {
        "target": description.target.name,
        "SIMD": facts.simd_size,
        "registers": facts.grf_count,
        "shared local memory": f"{facts.slm_size} bytes",
        "scratch": f"{facts.scratch_size} bytes",
        "barriers": facts.barrier_count,
        "work-group": "any" if size is None else "x".join(map(str, size)),
        "instructions": len(executable.program.instructions),
    }
    arguments = table(
        ("argument", "type", "kind", "access", "bytes"),
        [
            (a.name or f"#{number}", a.type_name.rpartition(";")[0] or a.type_name, a.kind.value, _access(a), a.size)
            for number, a in enumerate(facts.arguments)
        ],
        "Arguments",
    )
    code = format_program(executable.program, offsets=True, cycles=executable.costs.cycles.tolist())
    return "\n".join(
        (heading(signature), figures(resources), arguments, folded("Code: offset, cycles, instruction", listing(code)))
    )


def module_html(signatures: Iterable[str], size: int, log: str) -> str:
    """Returns a module as HTML: its kernels, the size of its binary, and warnings of loading it."""
    kernels = table(("kernel",), [(signature,) for signature in signatures], f"ZEBIN of {size} bytes")
    return f"{kernels}\n{listing(log)}" if log else kernels


def result_html(result: LaunchResult) -> str:
    """Returns the profile of a launch as HTML, or its figures if it has none."""
    if result.profile is not None:
        return result.profile._repr_html_()
    grid, block = ("x".join(map(str, size)) for size in (result.grid, result.block))
    counts: dict[str, object] = {
        "grid": grid,
        "block": block,
        "work-groups": result.groups,
        "threads": result.threads,
        "instructions": result.instructions,
        "seconds of simulation": result.seconds,
    }
    return heading(result.kernel) + figures(counts)


def _access(argument: KernelArgument) -> str:
    """Returns how the kernel accesses the memory of an argument; values have none, whatever a binary says."""
    return "" if argument.kind is ArgumentKind.VALUE else argument.access
