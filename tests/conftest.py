"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# Shared machines are slow at times: no test fails for the time one example takes.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
