"""How far a long command is: in a few lines on a terminal, and not at all into a pipe."""

import io

from kotp2p.cli.system.output import Output, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def lines_of(total: int, err: io.StringIO) -> list[str]:
    progress = Progress(total, Output(io.StringIO(), err))
    for _n in range(total):
        progress.step()
    return err.getvalue().splitlines()


def test_long_work_has_ten_lines_and_short_work_one_for_each_part() -> None:
    assert len(lines_of(1000, Terminal())) == 10
    assert lines_of(1000, Terminal())[0] == "100 of 1000 are done."
    assert lines_of(3, Terminal())[-1] == "3 of 3 are done."
    assert len(lines_of(3, Terminal())) == 3


def test_nothing_goes_into_a_pipe_or_is_said_of_a_single_part() -> None:
    assert lines_of(20, io.StringIO()) == []
    assert lines_of(1, Terminal()) == []
