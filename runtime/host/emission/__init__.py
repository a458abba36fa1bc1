"""Functions under construction, and what lowerings of several dialects share."""
