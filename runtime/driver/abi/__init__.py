"""The C interface of Level Zero as data: the signatures of its functions and the layouts of its structures."""

from runtime.driver.abi.apis import api_of as api_of
from runtime.driver.abi.layouts import (
    HEADER as HEADER,
    CMember as CMember,
    CStructure as CStructure,
    layouts as layouts,
)
from runtime.driver.abi.signatures import CFunction as CFunction, CParameter as CParameter, signatures as signatures
from runtime.driver.abi.types import code_of as code_of, is_handle as is_handle, pointee as pointee
