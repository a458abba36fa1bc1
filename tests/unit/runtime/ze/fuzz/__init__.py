"""Random sequences of calls against a model of what they do."""
