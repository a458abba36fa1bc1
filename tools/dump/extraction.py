"""`--extract`: writes the parts of a ZEBIN to files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.cli import CommandError, display_name, reason
from tools.dump.inputs import InputBinary
from zebin import Zebin, disassemble
from zebin.dump import Json, as_json, finding_json, json_chunks
from zebin.elf import Buffer, SectionType

_UNSAFE = re.compile(r"[^A-Za-z0-9_.+-]")
_NAME_LENGTH = 80

_FILE_OF_TYPE = {SectionType.ZEINFO: "ze_info.yaml", SectionType.SPIRV: "module.spv"}
"""Sections that other tools read, with the file names those tools expect."""


def extract(binaries: Sequence[InputBinary], folder: str) -> None:
    """Writes everything to a new or empty directory, with a subdirectory for each binary if there are several.

    Raises:
        CommandError: If the directory is not empty or cannot be written.
    """
    root = Path(folder)
    try:
        if root.is_dir() and any(root.iterdir()):
            raise CommandError("directory is not empty", display_name(folder))
        names = _Names()
        for binary in binaries:
            _extract_binary(
                binary, root if len(binaries) == 1 else root / names.of(binary.label.rpartition("(")[2].strip(")"))
            )
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be written: {reason(error)}", display_name(folder)) from None


class _Names:
    """Generates distinct file names that are valid on every system."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def of(self, text: str) -> str:
        name = _UNSAFE.sub("_", text)[:_NAME_LENGTH].strip(".") or "_"
        unique, number = name, 1
        while unique.lower() in self._used:
            number += 1
            unique = f"{name}-{number}"
        self._used.add(unique.lower())
        return unique


def _extract_binary(binary: InputBinary, root: Path) -> None:
    zebin = binary.zebin
    manifest: dict[str, Json] = {"file": binary.label}
    root.mkdir(parents=True, exist_ok=True)
    if zebin is not None:
        files: list[Json] = []
        for path, content, facts in _parts(zebin):
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_bytes(content)
            files.append({"path": path, "size": len(content), **facts})
        manifest |= as_json(zebin) | {"files": files}
    manifest["findings"] = [finding_json(finding) for finding in binary.findings]
    with (root / "manifest.json").open("w", encoding="utf-8") as stream:
        stream.writelines(json_chunks(manifest))
        stream.write("\n")


def _parts(zebin: Zebin) -> Iterator[tuple[str, Buffer, dict[str, Json]]]:
    """Yields paths relative to the directory, their contents and where the contents come from."""
    written: set[str] = set()
    for section in zebin.sections:
        if section.type in (SectionType.NULL, SectionType.NOBITS):
            continue
        facts: dict[str, Json] = {"section": section.index, "name": section.name}
        safe = _UNSAFE.sub("_", section.name)[:_NAME_LENGTH]
        yield f"sections/{section.index:02}{safe}", section.data, facts
        name = next((name for kind, name in _FILE_OF_TYPE.items() if section.type == kind), None)
        if name is not None and name not in written:
            written.add(name)
            yield name, section.data, facts
    names = _Names()
    for kernel in zebin.kernels.values():
        name = names.of(kernel.name)
        kernel_facts: dict[str, Json] = {"kernel": kernel.name}
        yield f"code/{name}.bin", kernel.code, kernel_facts
        listing = disassemble(kernel, zebin.target)
        if listing.lines:
            text = "".join(f"{line}\n" for line in listing.text())
            yield f"code/{name}.asm", text.encode(), kernel_facts
