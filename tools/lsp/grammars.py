"""Syntax highlighting for editors: TextMate grammars, and the files that make them a Visual Studio Code extension."""

from __future__ import annotations

from pathlib import Path

from tools.cli import CommandError, display_name, reason, write_bytes

_FOLDER = Path(__file__).parent / "editors"


def write_grammars(folder: str) -> None:
    """Writes the files into a folder, which is made if it is missing.

    Raises:
        CommandError: If they cannot be written.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be made: {reason(error)}", display_name(folder)) from None
    for file in sorted(_FOLDER.glob("*.json")):
        write_bytes(str(Path(folder) / file.name), file.read_bytes())
