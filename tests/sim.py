"""`python -m tests.sim`: plays whole games under faults and cheats. See `tests.tools.sim`."""

import sys

from tests.tools.sim.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
