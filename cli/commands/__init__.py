"""One module for each command: arguments in, exit code out.

Scope: what `kotp2p COMMAND` does.
Not here: flags and help (`cli.system.flags`, `cli.system.command_line`).
"""
