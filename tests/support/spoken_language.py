"""What is remembered of the language that is spoken, so that a test leaves none behind."""

I18N_STATE = (
    "_catalogue", "_code", "_decimal_sign", "_digits", "_is_right_to_left", "_isolates", "_program",
)  # fmt: skip
"""The names in `cli.text.i18n`."""
