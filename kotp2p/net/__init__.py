"""Connections between machines: dial, prove, encrypt, find.

Scope: TCP, TLS, link proofs, invitations, and tables on the LAN. It knows frames and no game.
Not here: what a frame means (`kotp2p.lobby`, `kotp2p.peer`).
"""
