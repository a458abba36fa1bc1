"""Modules that all command lines share: options, errors, streams, files and colors."""

from tools.cli.errors import (
    CommandError as CommandError,
    ReportedError as ReportedError,
    UsageError as UsageError,
)
from tools.cli.execution import ExitStatus as ExitStatus, complain as complain, execute as execute
from tools.cli.files import (
    STANDARD_STREAM as STANDARD_STREAM,
    display_name as display_name,
    read_bytes as read_bytes,
    reason as reason,
    refuse_terminal as refuse_terminal,
    replaced as replaced,
    write_bytes as write_bytes,
)
from tools.cli.options import (
    CHECKS as CHECKS,
    OP_LEVELS as OP_LEVELS,
    add_check as add_check,
    add_color as add_color,
    add_gpu_member as add_gpu_member,
    add_json as add_json,
    add_kernel as add_kernel,
    add_lower_with as add_lower_with,
    add_op_level as add_op_level,
    add_output as add_output,
    add_source as add_source,
    add_target as add_target,
    complete_list as complete_list,
    seconds as seconds,
)
from tools.cli.parser import CommandParser as CommandParser
from tools.cli.terminal import Style as Style, is_colored as is_colored, styled as styled
