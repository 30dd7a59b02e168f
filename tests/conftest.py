"""What every test may use."""

pytest_plugins = ("sphinx.testing.fixtures",)
