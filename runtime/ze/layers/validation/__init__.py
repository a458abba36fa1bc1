"""The validation layer: checks of how an application uses the API, each of which can be switched on.

A call that breaks a rule raises `ZeError` before it gets to the driver, with the function, the argument and the rule.
"""

from runtime.ze.layers.validation.layer import ValidationCheck as ValidationCheck, ValidationLayer as ValidationLayer
from runtime.ze.layers.validation.parameters import declare_enumerations as declare_enumerations
