"""The functions of the core API, one module for each chapter of the specification."""
