"""The machinery of metrics: counters, groups, queries and the calculation of values."""
