"""Coverage-guided fuzzing of everything that looks at a ZEBIN: `python -m tests.fuzz.zebin -max_total_time=3600`.

Needs atheris (`pip install -e '.[fuzz]'`); options are those of libFuzzer. Inputs that break something are kept in the
current directory, inputs that reach new code in the corpus directory named on the command line. The first byte of an
input says what the rest is: a whole file, the text of `.ze_info`, debug lines, or an edit of `.ze_info`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["zebin"]):
    from tests.fuzz.targets import run_one, seeds

MEMORY_LIMIT = 700
"""MiB; inputs are small, so what the interpreter itself and the corpus take is most of it."""


def main(arguments: list[str]) -> None:
    """Fuzz with the given options of libFuzzer; starts from the samples when no corpus directory is named."""
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder)
        for number, seed in enumerate(seeds()):
            (start / f"seed{number}").write_bytes(seed)
        defaults = [f"-rss_limit_mb={MEMORY_LIMIT}", "-timeout=20", "-max_len=32768"]
        given = [argument for argument in arguments if not argument.startswith("-")]
        options = [argument for argument in arguments if argument.startswith("-")]
        atheris.Setup([sys.argv[0], *defaults, *options, *given, folder], run_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
