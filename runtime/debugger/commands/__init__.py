"""The commands of the debugger, and the loop that reads them."""

from __future__ import annotations

from runtime.debugger.commands.shell import Shell
from runtime.debugger.commands.table import COMMANDS, help_text

__all__ = ["COMMANDS", "Shell", "help_text"]
