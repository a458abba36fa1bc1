"""Distribution of a work-group's values over its subgroups, as far as the dialects with such values share it."""
