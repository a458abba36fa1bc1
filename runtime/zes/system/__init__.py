"""The machinery below the functions: access to devices, rights, and the components of a card."""
