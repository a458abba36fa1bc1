"""The notebook of the tutorials runs, and displays what the page shows."""

from __future__ import annotations

import json
import runpy

import pytest

from tests.paths import DOCS

pytestmark = pytest.mark.docs

NOTEBOOK = DOCS / "tutorials" / "notebook.ipynb"


def test_each_cell_was_run_and_displays_something() -> None:
    cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert {output["output_type"] for cell in cells for output in cell["outputs"]} == {"execute_result"}
    assert all(len(cell["outputs"]) == 1 for cell in cells)


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("default")  # those of Jupyter's client are not ours
def test_the_notebook_displays_what_it_shows() -> None:
    """Run `python docs/notebook.py docs/tutorials/notebook.ipynb` to renew it."""
    rerun = runpy.run_path(str(DOCS / "notebook.py"))["rerun"]
    assert json.loads(rerun(NOTEBOOK.read_text())) == json.loads(NOTEBOOK.read_text())
