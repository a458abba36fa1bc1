"""The driver below the API: the objects behind the handles, and the machinery that executes commands."""
