"""docs/level-zero.md, from the table of functions and the tests.

python -m tests.unit.runtime.ze.page > docs/level-zero.md
"""
