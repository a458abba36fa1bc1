"""The commands of the debugger, and the loop that reads them."""

from runtime.debugger.commands.table import COMMANDS as COMMANDS, help_text as help_text
