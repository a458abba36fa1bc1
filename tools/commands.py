"""The commands as they are installed: an interrupt ends each without a traceback, while it is imported, too."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Protocol

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # an interrupt meanwhile is one of the command
    import tools.mux_compile as _mux_compile
    import tools.xe_asm as _xe_asm
    import tools.xegpu_debug as _xegpu_debug
    import tools.xegpu_driver as _xegpu_driver
    import tools.xegpu_explore as _xegpu_explore
    import tools.xegpu_lsp as _xegpu_lsp
    import tools.xegpu_opt as _xegpu_opt
    import tools.xegpu_run as _xegpu_run
    import tools.xegpu_top as _xegpu_top
    import tools.xegpu_tune as _xegpu_tune
    import tools.ze_info as _ze_info
    import tools.zebin_dump as _zebin_dump
    import tools.zebin_edit as _zebin_edit

_INTERRUPTED = 130
"""The exit status for interrupts, as `tools.cli` has it."""


class _CommandModule(Protocol):
    """A module whose `main` runs a command and returns its exit status."""

    def main(self) -> int: ...


def _interruptible(module: _CommandModule) -> Callable[[], int]:
    """Returns a function that imports a command, runs it and returns its exit status."""

    def command() -> int:
        try:
            return module.main()
        except KeyboardInterrupt:
            print(f"{os.path.basename(sys.argv[0])}: interrupted", file=sys.stderr)
            return _INTERRUPTED

    return command


mux_compile = _interruptible(_mux_compile)
xe_asm = _interruptible(_xe_asm)
xegpu_debug = _interruptible(_xegpu_debug)
xegpu_driver = _interruptible(_xegpu_driver)
xegpu_explore = _interruptible(_xegpu_explore)
xegpu_lsp = _interruptible(_xegpu_lsp)
xegpu_opt = _interruptible(_xegpu_opt)
xegpu_run = _interruptible(_xegpu_run)
xegpu_top = _interruptible(_xegpu_top)
xegpu_tune = _interruptible(_xegpu_tune)
ze_info = _interruptible(_ze_info)
zebin_dump = _interruptible(_zebin_dump)
zebin_edit = _interruptible(_zebin_edit)
