"""Programs in LLVM IR: checks, links, optimises and specialises them."""

from passes.frontends.ir.specialisation import (
    LaunchConstants as LaunchConstants,
    depends_on_grid as depends_on_grid,
    specialise as specialise,
)
from passes.frontends.linking import link as link
from passes.frontends.optimisation import (
    FEWEST_STEPS as FEWEST_STEPS,
    PASSES as PASSES,
    STEPS as STEPS,
    IrError as IrError,
    check as check,
    prepare as prepare,
    run_passes as run_passes,
)
