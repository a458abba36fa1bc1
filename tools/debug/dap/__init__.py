"""A server of the Debug Adapter Protocol, for editors."""

from __future__ import annotations

from tools.debug.dap.server import serve

__all__ = ["serve"]
