"""What stands between a peer, its player and this machine: notices, fronts, ends, the world.

Scope: values and protocols that all other rooms share. Without I/O of its own.
Not here: how any of it is shown, sent or done.
"""
