"""The version of the program. The build reads it from here: to ask for the version of an installed
package would take longer than `kotp2p -h`."""

from __future__ import annotations

VERSION = "0.1.0"
