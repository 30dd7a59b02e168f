"""Properties are tried on the same examples in every run, however slow the machine."""

from hypothesis import settings

settings.register_profile("core", derandomize=True, deadline=None)
settings.load_profile("core")
