"""docs/level-zero.md, from the table of functions and the tests.

python -m tests.unit.ze.page > docs/level-zero.md
"""
