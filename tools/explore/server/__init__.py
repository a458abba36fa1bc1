"""The explorer's server: a page and its requests, for this machine and one token only."""

from tools.explore.server.guard import Guard
from tools.explore.server.serving import Explorer, application, serve

__all__ = ["Explorer", "Guard", "application", "serve"]
