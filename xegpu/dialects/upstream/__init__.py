"""What xDSL's own dialects lack for GPU programs, dialect by dialect, in the form in which xDSL could take it over."""
