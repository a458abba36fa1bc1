"""Single instructions as native words."""
