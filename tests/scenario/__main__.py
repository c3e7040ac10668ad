"""`python -m tests.scenario FILE…`: run scenario files and print a line for each scenario.

Exit status: 0 if all scenarios hold, 1 if a scenario failed, 2 if a file was refused.
"""

import sys
import tomllib
from pathlib import Path

from tests.scenario.fields import Fault
from tests.scenario.form import Scenario, read_scenarios
from tests.scenario.run import run_scenario

USAGE = "usage: python -m tests.scenario FILE..."


def read_file(name: str) -> tuple[Scenario, ...]:
    """The scenarios of a file; `Fault` if the file is not in the format."""
    try:
        text = Path(name).read_bytes().decode()
        return read_scenarios(tomllib.loads(text))
    except OSError as error:
        raise Fault("file", f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Fault(f"byte {error.start}", "the file is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise Fault("TOML", str(error)) from error
    except RecursionError as error:
        raise Fault("TOML", "the file is nested too deeply") from error


def main(files: list[str]) -> int:
    if files and files[0] in ("-h", "--help"):
        print(f"{USAGE}\n\n{__doc__}\ntests/scenario/README.md is the format.")
        return 0
    if not files:
        print(USAGE, file=sys.stderr)
        return 2
    status = 0
    for name in files:
        try:
            scenarios = read_file(name)
        except Fault as fault:
            print(f"REFUSED {name}: {fault.place}: {fault.what}")
            status = 2
            continue
        for scenario in scenarios:
            for verdict in run_scenario(scenario):
                print(verdict.report_line())
                if not verdict.ok:
                    status = max(status, 1)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
