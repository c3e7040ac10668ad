"""What is remembered of how this process speaks and draws, so that a test leaves none behind."""

I18N_STATE = (
    "_catalogue", "_code", "_decimal_sign", "_digits", "_is_right_to_left", "_isolates", "_program",
)  # fmt: skip
"""The names in `cli.text.i18n`."""
STATES = {"kotp2p.cli.text.i18n": I18N_STATE, "kotp2p.cli.ui.screen.theme": ("_signs",)}
