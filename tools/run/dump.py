"""`--dump-dir`: writes every stage of a program to a file."""

from __future__ import annotations

from pathlib import Path

from runtime.host import CompiledProgram
from runtime.mux import assembly
from tools.cli import CommandError


def dump_program(program: CompiledProgram, llvm_ir: str, directory: str) -> None:
    """Writes the host code as MLIR and LLVM IR, and the `xe` code, assembly and ZEBIN of each `gpu.module`.

    Raises `CommandError` if the files cannot be written.
    """
    folder = Path(directory)
    files: dict[str, str | bytes] = {"program.mlir": f"{program.module}\n", "host.ll": llvm_ir}
    for name, module in program.compiled.items():
        files[f"{name}.xe.mlir"] = f"{module}\n"
        files[f"{name}.asm"] = assembly(module)
        files[f"{name}.zebin"] = program.binaries[name]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, contents in files.items():
            data = contents.encode() if isinstance(contents, str) else contents
            (folder / file.replace("/", "_")).write_bytes(data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(f"cannot be written: {reason}", directory) from None
