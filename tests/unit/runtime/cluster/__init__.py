"""Tests of work that is spread over processes."""
