"""Runs notebooks and writes down what their cells display: `python docs/notebook.py docs/tutorials/notebook.ipynb`.

A notebook is run in a new folder with copies of `examples/`, by the Python that runs this program.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[1] / "examples"


def rerun(text: str) -> str:
    """Returns a notebook with the outputs that its cells have today."""
    notebook = nbformat.reads(text, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        for source in EXAMPLES.glob("*.mlir"):
            shutil.copy(source, folder)
        client = NotebookClient(
            notebook, timeout=300, record_timing=False, resources={"metadata": {"path": folder}}, kernel_name="python3"
        )
        client.execute()
    # The kernel's release is no fact of the page.
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata = nbformat.from_dict({"kernelspec": kernel, "language_info": {"name": "python"}})
    written: str = nbformat.writes(notebook)
    return f"{written}\n"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        Path(argument).write_text(rerun(Path(argument).read_text()))
