"""Modules that all command lines share: options, errors, streams, files and colors."""

from __future__ import annotations

from tools.cli.errors import CommandError, ReportedError, UsageError
from tools.cli.execution import ExitStatus, complain, execute
from tools.cli.files import STANDARD_STREAM, display_name, read_bytes, reason, refuse_terminal, write_bytes
from tools.cli.options import (
    CHECKS,
    OP_LEVELS,
    add_check,
    add_color,
    add_gpu_member,
    add_json,
    add_kernel,
    add_op_level,
    add_output,
    add_source,
    add_target,
    complete_list,
    seconds,
)
from tools.cli.parser import CommandParser
from tools.cli.terminal import Style, is_colored, styled

__all__ = [
    "CHECKS",
    "OP_LEVELS",
    "STANDARD_STREAM",
    "CommandError",
    "CommandParser",
    "ExitStatus",
    "ReportedError",
    "Style",
    "UsageError",
    "add_check",
    "add_color",
    "add_gpu_member",
    "add_json",
    "add_kernel",
    "add_op_level",
    "add_output",
    "add_source",
    "add_target",
    "complain",
    "complete_list",
    "display_name",
    "execute",
    "is_colored",
    "read_bytes",
    "reason",
    "refuse_terminal",
    "seconds",
    "styled",
    "write_bytes",
]
