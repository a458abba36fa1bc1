"""Prints the page."""

from tests.unit.runtime.ze.page.page import page

if __name__ == "__main__":
    print(page(), end="")
