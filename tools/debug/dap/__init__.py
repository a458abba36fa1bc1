"""A server of the Debug Adapter Protocol, for editors."""

from tools.debug.dap.server import serve as serve
