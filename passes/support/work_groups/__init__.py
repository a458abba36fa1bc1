"""Distribution of a work-group's values over its subgroups: what the dialects that have such values share."""
