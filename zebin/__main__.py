"""`python -m zebin`: the command `zebin-dump`."""

import sys

from tools.zebin_dump import main

if __name__ == "__main__":
    sys.exit(main())
