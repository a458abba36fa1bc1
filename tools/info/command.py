"""The options of `ze-info`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import CommandParser, ExitStatus, add_json, add_output


class InfoOptions(argparse.Namespace):
    """The parsed command line."""

    json: bool
    list: bool
    sysman: bool
    output: str


def parse(argv: Sequence[str] | None) -> InfoOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "ze-info",
        "Print the simulated Level Zero drivers and devices. Which devices applications see depends on the "
        "environment variables ZE_AFFINITY_MASK, ZE_FLAT_DEVICE_HIERARCHY, ZE_ENABLE_PCI_ID_DEVICE_ORDER.",
        examples=(
            "ze-info --list",
            "ze-info --json | jq '.drivers[0].devices[].properties.name'",
            "ZE_AFFINITY_MASK=0.1 ze-info",
            "ze-info --sysman",
        ),
        statuses={ExitStatus.FAILURE: "there is no driver, or the output cannot be written"},
    )
    form = parser.add_mutually_exclusive_group()
    add_json(form, "print everything as JSON")
    form.add_argument("--list", action="store_true", help="print only the names of the devices")
    parser.add_argument(
        "--sysman", action="store_true", help="print what system management reads of the cards, with their components"
    )
    add_output(parser)
    options = parser.parse(argv, InfoOptions())
    if options.sysman and options.list:
        parser.error("--sysman prints everything, --list only names")
    return options
