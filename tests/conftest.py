"""No test speaks on the network of the machine it runs on."""

import os

os.environ["KOTP2P_LAN_INTERFACES"] = ""
