"""This process: settings, flags, output, files, exit codes, crashes.

Scope: what every command needs of the machine around it.
Not here: the game, and the commands themselves.
"""
