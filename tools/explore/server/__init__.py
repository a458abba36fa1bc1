"""The explorer's server: a page and its requests, for this machine and one token only."""

from tools.explore.server.guard import Guard as Guard
from tools.explore.server.serving import Explorer as Explorer, application as application, serve as serve
